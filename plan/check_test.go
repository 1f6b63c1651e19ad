package plan

import (
	"strings"
	"testing"
	"time"
)

// fieldCase is a field, on line 3 of a file that is right otherwise.
type fieldCase struct {
	field, want string
}

func checkFields(t *testing.T, kind docKind, first string, cases []fieldCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.field, "/", "∕"), func(t *testing.T) {
			_, found := parseDocument(kind, "f.md", []byte("---\n"+first+"\n"+c.field+"\n---\nb\n"))
			equal(t, c.field, rules(found), c.want)
		})
	}
}

func TestCheckPlanFields(t *testing.T) {
	checkFields(t, planDoc, "title: x", []fieldCase{
		{"goal: one\n  two", ""}, {"goal: |\n  a\n  b", ""}, {"goal:", ""}, {"goal: 5", "3:7 frontmatter"}, {"goal: [a]", "3:7 frontmatter"},
		{"goal: {a: b}", "3:7 frontmatter"}, {"goal: true", "3:7 frontmatter"}, {"goal: 1.5", "3:7 frontmatter"},
		{"title: y", "3:1 duplicate-field"}, {"titel: y", "3:1 unknown-field"}, {"\"titel\": y", "3:1 unknown-field"}, {"Goal: y", "3:1 unknown-field"},
		{"status: draft", "3:1 unknown-field"}, {"foo: 1\nfoo: 2", "3:1 unknown-field, 4:1 duplicate-field"},
		{"x-a: {b: [1, {c: d}]}", ""}, {"x-a: {b: 1, b: 2}", "3:13 duplicate-field"}, {"x-a:\n  - b: 1\n    b: 2", "5:5 duplicate-field"},
		{"constraints: a", "3:14 frontmatter"}, {"constraints: [a, 2]", "3:18 frontmatter"}, {"constraints:\n  - a\n  - b: c\n  -", "5:5 frontmatter, 6:4 frontmatter"},
		{"constraints: [a, [b]]", "3:18 frontmatter"}, {"constraints: []", ""}, {"tags: [yes, no]", ""}, {"tags: [true]", "3:8 frontmatter"},
		{"complexity: 0", "3:13 enum-value"}, {"complexity: 1", ""}, {"complexity: 10", ""}, {"complexity: 11", "3:13 enum-value"},
		{"complexity: \"5\"", "3:13 frontmatter"}, {"complexity: 5.0", "3:13 frontmatter"},
		{"gates: base", ""}, {"gates: strict", ""}, {"gates: Strict", "3:8 enum-value"}, {"gates: \"\"", "3:8 enum-value"}, {"gates: 1", "3:8 frontmatter"},
		{"version: 0", "3:10 version"}, {"version: 1", ""}, {"version: -1", "3:10 version"}, {"version: 1000001", "3:10 version"},
		{"version: 99999999999999999999", "3:10 frontmatter"}, {"version: one", "3:10 frontmatter"},
		{"max_replans: 0", ""}, {"max_replans: -1", "3:14 enum-value"},
		{"created_at: 2026-01-31", ""}, {"created_at: 2026-01-31T09:30:00Z", ""}, {"created_at: 2026-01-31T09:30:00.5+02:00", ""},
		{"created_at: 2026-02-31", "3:13 frontmatter"}, {"created_at: yesterday", "3:13 frontmatter"}, {"created_at: 2026", "3:13 frontmatter"},
		{"created_at: 2026-01-31 09:30", "3:13 frontmatter"}, {"created_by: |\n  a\n  b", "3:13 frontmatter"}, {"created_by: |\n  a", ""},
		{"abandoned: true", ""}, {"abandoned: yes", "3:12 frontmatter"}, {"abandoned: \"true\"", "3:12 frontmatter"}, {"abandoned: 1", "3:12 frontmatter"},
	})
	checkFields(t, planDoc, "# no title", []fieldCase{
		{"goal: x", "1:1 title-empty"}, {"title: \"\"", "3:8 title-empty"}, {"title: ' '", "3:8 title-empty"}, {"title:", "3:7 title-empty"},
		{"title: 5", "3:8 frontmatter"}, {"title: [a]", "3:8 frontmatter"}, {"title: |\n  a\n  b", "3:8 frontmatter"}, {"title: ßé\ngaol: x", "4:1 unknown-field"},
	})
}

func TestCheckTaskFields(t *testing.T) {
	checkFields(t, taskDoc, "id: a", []fieldCase{
		{"title: x", ""}, {"title: \"\"", "3:8 title-empty"}, {"title:", ""}, {"title: 5", "3:8 frontmatter"},
		{"type: feature", ""}, {"type: feat", "3:7 type-value"}, {"type: 1", "3:7 frontmatter"},
		{"kind: decide", ""}, {"kind: loop", "3:7 kind-value"},
		{"status: done", ""}, {"status: complete", "3:9 status-value"}, {"status: Done", "3:9 status-value"}, {"status: 'todo'", "3:9 status-value"},
		{"priority: critical", ""}, {"priority: urgent", "3:11 enum-value"}, {"priority: 1", "3:11 frontmatter"},
		{"depends_on: a", "3:13 frontmatter"}, {"depends_on: [a, ~]", "3:17 frontmatter"},
		{"estimate: 4h", ""}, {"estimate: 1d12h", ""}, {"estimate: 1.5h", ""}, {"estimate: 2 days", "3:11 frontmatter"}, {"estimate: 4", "3:11 frontmatter"},
		{"estimate: 99999w", "3:11 frontmatter"}, {"estimate: ''", "3:11 frontmatter"}, {"estimate: -1h", "3:11 frontmatter"},
		{"progress: 3", ""}, {"progress: 3/5", ""}, {"progress: 3 / 5", "3:11 frontmatter"}, {"progress: -1", "3:11 frontmatter"},
		{"progress: half", "3:11 frontmatter"}, {"progress: 0.5", "3:11 frontmatter"}, {"progress: [1]", "3:11 frontmatter"},
		{"started_at: now", "3:13 frontmatter"}, {"subtasks: [\"[x] a\", \"[ ] b\"]", ""}, {"result: |\n  a\n  b", ""}, {"goal: x", "3:1 unknown-field"},
	})
	checkFields(t, taskDoc, "title: x", []fieldCase{
		{"agent: x", "1:1 id-missing"}, {"id:", "3:4 id-missing"}, {"id: \"\"", "3:5 id-missing"}, {"id: 5", "3:5 frontmatter"},
		{"id: A-b", "3:5 id-format"}, {"id: a--b", "3:5 id-format"}, {"id: -a", "3:5 id-format"}, {"id: a_b", "3:5 id-format"}, {"id: é", "3:5 id-format"},
		{"id: \"1\"", ""}, {"id: a-1", ""},
	})
}

func TestCheckSignalFields(t *testing.T) {
	checkFields(t, signalDoc, "task: a", []fieldCase{
		{"level: blocker", ""}, {"level: fatal", "3:8 enum-value"}, {"level:", "3:7 enum-value"}, {"source: x", "1:1 enum-value"},
		{"level: info\nopened_at: never", "4:12 frontmatter"}, {"level: info\ntitle: x", "4:1 unknown-field"},
	})
}

func TestCheckPaths(t *testing.T) {
	cases := map[string]bool{
		"a/b.go": true, "a": true, ".gitignore": true, "a/.github/x": true, "..a/b..": true, "a b/c": true, "./a": true, "é/日": true, "...": true, "src/": true,
		"..": false, "../a": false, "a/../b": false, "a/..": false, ".git": false, ".GIT/config": false, "a/.Git": false, ".git./x": false, "git~1/x": false,
		`a\b`: false, "/abs": false, "C:x": false, "c:/x": false, "a\x01b": false, "a\nb": false, "a\x7f": false, "a\u0085": false, "": false, " a": false, "a ": false,
	}
	for p, ok := range cases {
		if why := CheckPath(p); (why == "") != ok {
			t.Errorf("CheckPath(%q) = %q", p, why)
		}
	}
	for _, key := range []string{"relevant_file_paths", "creates", "affected_files"} {
		_, found := parseDocument(taskDoc, "f.md", []byte("---\nid: a\n"+key+":\n  - ok\n  - ../x\n  - \"a\\x01\"\n---\nb\n"))
		equal(t, key, rules(found), "5:5 path-escape, 6:5 path-escape")
	}
	_, found := parseDocument(taskDoc, "f.md", []byte("---\nid: a\nnotes: [../x]\n---\nb\n"))
	equal(t, "notes are no paths", rules(found), "")
}

func TestMessages(t *testing.T) {
	cases := []struct{ field, message, hint string }{
		{"statsu: done", "there is no field `statsu` (did you mean \"status\"?)", "rename it `status`"},
		{"status: don", "`status` cannot be `don` (did you mean \"done\"?); it is one of pending, in_progress, blocked, done, failed, skipped, cancelled", ""},
		{"title: 5", "`title` must be a string, not an integer", `quote it: "5"`},
		{"started_at: 20260131", "`started_at` must be a string, not an integer", "write a time such as 2026-01-31T09:30:00Z, or a date"},
		{"estimate: 5", "`estimate` must be a string, not an integer", "write the number with its unit, such as 30m, 4h or 2d"},
		{"priority: 1", "`priority` must be a string, not an integer", "it is one of low, medium, high, critical"},
		{"progress: 1000000000", "`progress` must be N or N/M, not an integer", ""},
		{"progress: 3/1000000000", "`progress` must be N or N/M, not `3/1000000000`", ""},
		{"notes: a", "`notes` must be a list, not `a`", `write ["a"]`},
		{"notes: 'a, b'", "`notes` must be a list, not `a, b`", `write ["a, b"]`},
		{"notes: [1]", "an item of `notes` must be a string, not an integer", "quote the item"},
		{"notes: [[a]]", "an item of `notes` must be a string, not a list", "write each item as one string"},
		{"creates: [/a]", "the path `/a` in `creates` is absolute", "name a file by its path from the top of the project"},
		{"\"a\\nb\": 1", "there is no field `a b`", "remove it, or begin its name with `x-`"},
		{"x-a: [", "bad YAML: sequence end token ']' not found", "quote values that hold `: ` or begin with a sign, and close the frontmatter by a line of only `---`"},
	}
	for _, c := range cases {
		_, found := parseDocument(taskDoc, "f.md", []byte("---\nid: a\n"+c.field+"\n---\nb\n"))
		if len(found) != 1 {
			t.Fatalf("%s: %v", c.field, found)
		}
		equal(t, c.field, found[0].Message, c.message)
		equal(t, c.field, found[0].Hint, c.hint)
	}
	_, found := parseDocument(planDoc, "f.md", []byte("---\ntitle: a\nversion: \"1\"\n---\nb\n"))
	equal(t, "a quoted number", found[0].Message+": "+found[0].Hint, "`version` must be an integer, not `1`: leave the quotes out")
	for field, want := range map[string]string{"version: 0": "at least 1, not 0", "version: 1000001": "1 to 1000000, not 1000001", "complexity: 11": "1 to 10, not 11"} {
		_, found := parseDocument(planDoc, "f.md", []byte("---\ntitle: a\n"+field+"\n---\nb\n"))
		if len(found) != 1 || !strings.HasSuffix(found[0].Message, want) {
			t.Errorf("%s: %v, want %q", field, found, want)
		}
	}
}

func TestTimesAndDurations(t *testing.T) {
	got, err := ParseTime("2026-01-31T09:30:00+02:00")
	if err != nil || FormatTime(got) != "2026-01-31T07:30:00Z" {
		t.Errorf("ParseTime: %v, %v", got, err)
	}
	for _, s := range []string{"", "2026-13-01", "9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00"} {
		if got, err := ParseTime(s); err == nil {
			t.Errorf("ParseTime(%q) = %v", s, got)
		}
	}
	for s, want := range map[string]time.Duration{
		"30m": 30 * time.Minute, "4h": 4 * time.Hour, "2d": 48 * time.Hour, "1w": 168 * time.Hour, "1d12h": 36 * time.Hour, "1.5h": 90 * time.Minute,
		"90s": 90 * time.Second, "0m": 0, "1h1h": 2 * time.Hour,
	} {
		if got, err := ParseDuration(s); err != nil || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "4", "h", "4 h", "-1h", "1y", ".5h", "1e3h", "999999w"} {
		if got, err := ParseDuration(s); err == nil {
			t.Errorf("ParseDuration(%q) = %v", s, got)
		}
	}
}
