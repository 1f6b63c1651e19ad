package planjson

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// files makes files of names and texts by turns.
func files(t *testing.T, texts ...string) []plan.File {
	t.Helper()
	var out []plan.File
	for i := 0; i < len(texts); i += 2 {
		out = append(out, plan.File{Path: texts[i], Data: []byte(texts[i+1])})
	}
	return out
}

// again takes a plan through the document and back.
func again(t *testing.T, p *plan.Plan, onto *plan.Plan) (*plan.Plan, []string) {
	t.Helper()
	text, _ := Write(p)
	read, found := Parse("plan.json", text)
	if read == nil {
		t.Fatalf("%s: what was written is not read: %v\n%s", p.ID, found, text)
	}
	made, losses := read.Files(onto)
	q, found := plan.Read(read.ID, "", made)
	if len(found) > 0 {
		t.Fatalf("%s: %v", p.ID, found)
	}
	return q, losses
}

// comesBack holds that nothing but how it is written is lost.
func comesBack(t *testing.T, p *plan.Plan) {
	t.Helper()
	q, losses := again(t, p, nil)
	was, _ := Write(p)
	is, _ := Write(q)
	if string(was) != string(is) || len(losses) > 0 {
		t.Fatalf("%s: not the same: %v\n%s\nbecame\n%s", p.ID, losses, was, is)
	}
	if r, _ := again(t, q, nil); !sameFiles(q, r) {
		t.Errorf("%s: its files are not the same after the second time", p.ID)
	}
	if r, _ := again(t, p, p); !sameFiles(p, r) {
		t.Errorf("%s: onto itself its files do not stay as they are", p.ID)
	}
}

func sameFiles(p, q *plan.Plan) bool {
	a, b := p.Files(), q.Files()
	for name, data := range a {
		if string(data) != string(b[name]) {
			return false
		}
	}
	return len(a) == len(b)
}

// The real plans of the fixtures come back, and so do those that the tests of
// the rules hold for good.
func TestRealPlans(t *testing.T) {
	for _, pattern := range []string{"plans/*", "rules/*/ok"} {
		dirs, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", pattern))
		if err != nil || len(dirs) == 0 {
			t.Fatal("no plans", err)
		}
		for _, dir := range dirs {
			var list []plan.File
			for _, glob := range []string{"plan.md", "tasks/*.md", "tasks/*/*.md", "tasks/*/*/*.md", "signals/*.md"} {
				names, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(glob)))
				for _, name := range names {
					data, err := os.ReadFile(name)
					if err != nil {
						t.Fatal(err)
					}
					rel, _ := filepath.Rel(dir, name)
					list = append(list, plan.File{Path: filepath.ToSlash(rel), Data: data})
				}
			}
			p, found := plan.Read("demo", "", list)
			if len(found) == 0 && p.Doc != nil {
				comesBack(t, p)
			}
		}
	}
}

// Whatever fields hold comes back.
func TestOddValues(t *testing.T) {
	p, found := plan.Read("odd", "", files(t,
		"plan.md", "---\ntitle: \" Odd: plan \"\ngoal: |\n  Two\n  lines\nversion: 2 # said\nx-map: {b: [1, 2.5, null], \"a b\": {}, c: true}\nx-none:\nx-big: 99999999999999999999\nx-inf: .inf\ncreated_at: 2026-01-02T05:04:05+02:00\n---\n\n  indented\n\n\nText | → ← \\ 中文 🎉\n\n",
		"tasks/03-a.md", "---\n# above\nid: a\ntitle: A\nstatus: pending\ncontext_hints: [\"true\", \"3\", \"- x\", \"\", \"# no\"]\nprogress: 2/3\nresult: \" outer \\n blanks\\t\"\n---\n# Heading\n\n---\nx\n",
		"tasks/03-a/07-b.md", "---\nid: b\nestimate: 1d12h\nlease_until: 2026-01-01\ntags: []\nx-list: [{a: 1}, [[]]]\n---\n# Heading\n",
		"signals/ci.x_1.md", "---\nlevel: info\nx-who: me\n---\n\nMessage\n",
	))
	if len(found) > 0 {
		t.Fatal(found)
	}
	comesBack(t, p)
	_, losses := Write(p)
	if got := strings.Join(losses, "; "); got != "comments, in 2 files" {
		t.Errorf("losses %q", got)
	}
}

// A change in the document changes just that in the files.
func TestOnto(t *testing.T) {
	p, _ := plan.Read("demo", "", files(t,
		"plan.md", "---\ntitle: 'Demo' # short\nversion: 1\nx-map: {a: 1}\n---\nDemo\n",
		"tasks/01-one.md", "---\nstatus: pending\nid: one # it\nagent: a\ncontext_hints: [Read it] # first\n---\n\n\nOne\n\n",
	))
	text, _ := Write(p)
	doc := strings.NewReplacer(`"agent": "a"`, `"agent": "b"`, `"Demo",
  "status"`, `"Other",
  "status"`, `"status": "pending"`, `"status": "done"`, `"path": "tasks/01-one.md"`, `"path": "tasks/02-uno.md"`, `"number": "1",`, "").Replace(string(text))
	read, found := Parse("plan.json", []byte(doc))
	if read == nil {
		t.Fatal(found)
	}
	made, losses := read.Files(p)
	want := "---\ntitle: 'Demo' # short\ngoal: Other\nversion: 1\nx-map: {a: 1}\n---\nDemo\n"
	if got := string(made[0].Data); got != want {
		t.Errorf("plan.md\n%s\nwant\n%s", got, want)
	}
	want = "---\nstatus: done\nid: one # it\nagent: b\ncontext_hints: [Read it] # first\n---\n\n\nOne\n\n"
	if got := string(made[1].Data); got != want || made[1].Path != "tasks/02-uno.md" {
		t.Errorf("%s\n%s\nwant\n%s", made[1].Path, got, want)
	}
	if got := strings.Join(losses, "; "); got != "`status`: it follows from the tasks; `converged`: it follows from the tasks; `progress`: it follows from the tasks" {
		t.Errorf("losses %q", got)
	}
	// A mapping is no value that can be set in place.
	read, _ = Parse("plan.json", []byte(strings.Replace(string(text), `"a": 1`, `"a": 2`, 1)))
	made, losses = read.Files(p)
	if got := strings.Join(losses, "; "); got != "the comments of plan.md" || !strings.Contains(string(made[0].Data), "x-map: {a: 2}") {
		t.Errorf("losses %q of\n%s", got, made[0].Data)
	}
}

// Every fault at once, each with its place.
func TestFaults(t *testing.T) {
	got := func(doc string) string {
		p, found := Parse("p.json", []byte(doc))
		if p != nil {
			return "a plan"
		}
		return strings.Join(diag.Lines(found), "\n")
	}
	bad := `{"id": "a", "title": "A", "gaols": 1, "complexity": 11, "tasks": [
  {"path": "tasks/1-x.md", "id": "x", "body": "X"},
  {"path": "tasks/01-x.md", "id": "X", "status": "finished", "context_hints": ["a", 3], "body": " "},
  {"path": "tasks/01-x.md", "id": "y", "id": "z", "body": "X"}, 7,
  {"path": "tasks/02-y.md", "id": "y", "number": "3", "body": "Y", "children": [{"path": "tasks/01-z.md", "id": "z", "body": "Z"}]}
], "signals": [{"id": "A B", "level": "block", "message": "m"}, {"id": "s", "level": "bad"}]}`
	want := strings.ReplaceAll(`p.json:1:1: the body is empty [body-empty]
p.json:1:27: there is no field 'gaols' [unknown-field]
p.json:1:53: 'complexity' must be 1 to 10, not 11 [enum-value]
p.json:2:12: the path 'tasks/1-x.md' is not that of a task [filename]
p.json:3:35: the id 'X' is not kebab-case [id-format]
p.json:3:50: 'status' cannot be 'finished'; it is one of pending, in_progress, blocked, done, failed, skipped, cancelled [status-value]
p.json:3:85: an item of 'context_hints' must be a string, not an integer [frontmatter]
p.json:3:97: the body is empty [body-empty]
p.json:4:12: two tasks have the path 'tasks/01-x.md' [sort-index]
p.json:4:40: the key 'id' is set twice [duplicate-field]
p.json:4:65: 'a task' must be an object, not an integer [frontmatter]
p.json:5:50: 'number' is 3, and the path says 2 [sort-index]
p.json:5:90: the path of a task below another is in that one's folder, not 'tasks/01-z.md' [container]
p.json:6:23: the id 'A B' cannot name a signal [id-format]
p.json:6:39: 'level' cannot be 'block'; it is one of blocker, warning, info [enum-value]
p.json:6:65: the body is empty [body-empty]
p.json:6:86: 'level' cannot be 'bad'; it is one of blocker, warning, info [enum-value]`, "'", "`")
	want = strings.Replace(want, "one`s", "one's", 1)
	if lines := got(bad); lines != want {
		t.Errorf("findings\n%s\nwant\n%s", lines, want)
	}
	for doc, want := range map[string]string{
		``: "p.json:1:1: bad JSON: the file ends too early [frontmatter]", `[]`: "expected an object, not a list",
		`{"id": "a", "title": "A", "body": "A", "tasks": [], "signals": []} x`: "p.json:1:68: something follows",
		`{"id": "a", "title": "A", "version": "1", "body": "A", "tasks": []}`:  "p.json:1:38: `version` must be an integer, not `1` [frontmatter]",
		`{"id": "a", "title": "5", "goal": 5, "body": "A", "tasks": []}`:       "p.json:1:35: `goal` must be a string, not an integer [frontmatter]",
		`{"id": "a", "title": "A\u0007", "body": "A", "tasks": []}`:            "p.json:1:22: `title`: the control character U+0007 [encoding]",
		`{"id": "a", "tasks": []}`: "title-empty", `{"title": "a", "body": "A", "tasks": []}`: "the plan has no `id`",
		strings.Repeat(" ", MaxFile+1): "limits",
	} {
		if lines := got(doc); !strings.Contains(lines, want) {
			t.Errorf("%.40s: %s\nwant %s", doc, lines, want)
		}
	}
}

func TestDetect(t *testing.T) {
	for doc, want := range map[string]bool{`{"id": "a", "title": "t", "tasks": []}`: true, `{"tasks": []}`: false, "id: a": false, `{"id": 1`: false} {
		if Detect("x", []byte(doc)) != want {
			t.Errorf("%s: %v", doc, !want)
		}
	}
}

// No document breaks the reader, and what it takes it writes as it reads it.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id":"a","title":"A","goal":"G\nH","version":2,"x-y":{"a":[1,null,1e3]},"body":"B","tasks":[{"id":"b","path":"tasks/01-b.md","title":"B","status":"done","body":"# B","children":[{"id":"c","path":"tasks/01-b/02-c.md","body":"C"}]}],"signals":[{"id":"s","level":"info","message":"m"}]}`))
	f.Add([]byte(`{"id":"a","title":"\ud800","tasks":[{"path":7}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, found := Parse("p.json", data)
		if (read == nil) != (len(found) > 0) {
			t.Fatal("a plan or findings, not both")
		}
		if read == nil {
			return
		}
		made, _ := read.Files(nil)
		p, faults := plan.Read("p", "", made)
		if len(faults) > 0 {
			t.Fatalf("what was made is refused: %v", faults)
		}
		if !plan.IsKebab(p.ID) {
			return
		}
		comesBack(t, p)
	})
}
