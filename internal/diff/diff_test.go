package diff

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
)

// The store's own files are told of before the plans, what the gates are set to
// setting by setting.
func TestCompareFiles(t *testing.T) {
	gates := func(object string, values map[string]any) File {
		return File{Path: "gates.yaml", Object: object, Values: values}
	}
	from := State{Name: "a", Files: []File{{Path: "README.md", Object: "1"}, gates("2", map[string]any{"gate": "strict", "judge": "off", "rules.overlap": "error"}), {Path: ".gitattributes", Object: "3"}}}
	to := State{Name: "b", Files: []File{gates("4", map[string]any{"gate": "base", "judge": "off", "lease": "30m0s"}), {Path: ".gitattributes", Object: "3"}, {Path: ".github/x.yml", Object: "5"}}}
	r := Compare(from, to)
	var b strings.Builder
	if err := Text(&b, r, &term.Page{}); err != nil {
		t.Fatal(err)
	}
	equal(t, "text", b.String(), `.github/x.yml, README.md, gates.yaml changed (a to b)

+ .github/x.yml (added)

- README.md (removed)

~ gates.yaml (changed)
  ~ gate: strict -> base
  + lease: 30m0s
  - rules.overlap: error
`)
	if r.Empty() || !Compare(from, from).Empty() {
		t.Error("the same files differ, or others do not")
	}
	b.Reset()
	if err := Markdown(&b, r, MarkdownSize); err != nil {
		t.Fatal(err)
	}
	if want := "### <code>gates.yaml</code> changed\n\n```diff\n!  gate: strict -> base\n"; !strings.Contains(b.String(), want) {
		t.Errorf("markdown: %s", b.String())
	}
	b.Reset()
	if err := HTML(&b, r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "gate: strict -&gt; base") {
		t.Error("the page does not show the gate")
	}
	if back := Compare(to, from).Files; len(back) != 3 || back[2].Change != Changed || back[2].Fields[0] != (Field{"gate", "base", "strict"}) {
		t.Errorf("the other way: %+v", back)
	}
}

// A file in error sets nothing, and nothing of it is told as taken out. What its
// mode was and is, is told of any file.
func TestCompareFilesInError(t *testing.T) {
	right := File{Path: "gates.yaml", Object: "1", Mode: "100644", Values: map[string]any{"gate": "strict"}}
	wrong := File{Path: "gates.yaml", Object: "2", Mode: "100755", Error: "it is no regular file"}
	text := func(from, to []File) string {
		var b strings.Builder
		if err := Text(&b, Compare(State{Name: "a", Files: from}, State{Name: "b", Files: to}), &term.Page{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const head = "gates.yaml changed (a to b)\n\n"
	equal(t, "went wrong", text([]File{right}, []File{wrong}), head+"~ gates.yaml (changed)\n  ~ in error: it is no regular file\n  ~ mode: 100644 -> 100755\n")
	equal(t, "is still wrong", text([]File{wrong}, []File{{Path: "gates.yaml", Object: "3", Mode: "100755", Error: "it is no regular file"}}), head+"~ gates.yaml (changed)\n  ~ in error: it is no regular file\n")
	equal(t, "was mended", text([]File{wrong}, []File{right}), head+"~ gates.yaml (changed)\n  + gate: strict\n  ~ mode: 100755 -> 100644\n")
	equal(t, "came wrong", text(nil, []File{wrong}), head+"+ gates.yaml (added)\n  ~ in error: it is no regular file\n")
	equal(t, "went", text([]File{wrong}, nil), head+"- gates.yaml (removed)\n")
}

// What the file says is told, though it is no status.
func TestBogusStatus(t *testing.T) {
	r := compare(files("01-a", "id: a"), files("01-a", "id: a\nstatus: bogus"))
	for format, write := range writers() {
		var b strings.Builder
		if err := write(&b, r); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "bogus") || strings.Contains(b.String(), "pending to pending") {
			t.Errorf("%s does not say what the status is:\n%s", format, b.String())
		}
	}
}

func TestCompareTasks(t *testing.T) {
	a, b, c := []string{"01-a", "id: a"}, []string{"02-b", "id: b\ndepends_on: [a]"}, []string{"03-c", "id: c"}
	join := func(lists ...[]string) []string {
		var out []string
		for _, l := range lists {
			out = append(out, l...)
		}
		return out
	}
	long := "---\nid: %s\n---\nThe quick brown fox jumps over the lazy dog.\n"
	named := func(path, id string) []string { return []string{path, strings.Replace(long, "%s", id, 1)} }
	cases := []struct {
		name          string
		before, after []string
		want          string
	}{
		{"the same", join(a, b), join(a, b), ""},
		{"added", a, join(a, b), "+b +b>a"},
		{"removed", join(a, b), a, "-b -b>a"},
		{"gone ones stand where they stood", join(a, b, c), c, "-a -b -b>a"},
		{"another number", join(a, c), join(a, []string{"07-c", "id: c"}), ">c"},
		{"another slug", a, []string{"01-z", "id: a"}, ">a"},
		{"another parent", join(a, c), join(a, []string{"01-a/01-c", "id: c"}), ">c"},
		{"moved and changed", join(a, c), join(a, []string{"04-c", "id: c\nagent: x"}), "~c(path,agent)"},
		{"rewired", join(a, b, c), join(a, []string{"02-b", "id: b\ndepends_on: [c]"}, c), "~b(depends_on) +b>c -b>a"},
		{"needs in another order", join(a, c, []string{"04-d", "id: d\ndepends_on: [a, c]"}), join(a, c, []string{"04-d", "id: d\ndepends_on: [c, a]"}), "~d(depends_on)"},
		{"a status", a, []string{"01-a", "id: a\nstatus: done"}, "~a(status)"},
		{"only spelling", a, []string{"01-a", "# why\nid: 'a'\nstatus: pending"}, "=tasks/01-a.md"},
		{"free fields", a, []string{"01-a", "id: a\nx-team: [b]"}, "~a(x-team)"},
		{"fields that there are none of", a, []string{"01-a", "id: a\ncolour: red\nstatus: bogus"}, "~a(status,colour)"},
		{"another id, same file and words", named("tasks/01-a.md", "a"), named("tasks/01-a.md", "z"), "~z(id)"},
		{"another id and place, same words", join(named("tasks/01-a.md", "a"), b), join(b, named("tasks/05-z.md", "z")), "~z(path,id) +b>a -b>z"},
		{"what needs it follows", join(named("tasks/01-a.md", "a"), b), join(named("tasks/01-a.md", "z"), []string{"02-b", "id: b\ndepends_on: [z]"}), "~z(id) =tasks/02-b.md"},
		{"another id and other words", []string{"tasks/01-a.md", "---\nid: a\n---\nOne thing.\n"}, []string{"tasks/01-a.md", "---\nid: z\n---\nQuite different matters here.\n"}, "-a +z"},
		{"no ids", []string{"01-a", "title: x"}, []string{"01-a", "title: y"}, "~tasks/01-a.md(title)"},
		{"two of one id", join(a, []string{"02-b", "id: a"}), a, "-tasks/02-b.md"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before, after := files(c.before...), files(c.after...)
			equal(t, "forth", brief(compare(before, after)), c.want)
			mirror(t, before, after)
		})
	}
}

func TestComparePlans(t *testing.T) {
	one, two := files("01-a", "id: a"), files("plan.md", "---\ntitle: Another\n---\nWhy.\n", "01-a", "id: a")
	entry := func(id string, p *plan.Plan, archived bool) Entry { return Entry{id, p, archived} }
	from := State{Name: "old", Plans: []Entry{entry("a", one, false), entry("b", one, false), entry("c", one, false), entry("d", one, true), entry("e", one, false)}}
	to := State{Name: "new", Plans: []Entry{entry("e", one, false), entry("d", one, false), entry("c", two, true), entry("b", two, false), entry("f", one, false)}}
	var got []string
	r := Compare(from, to)
	for _, p := range r.Plans {
		got = append(got, p.ID+" "+string(p.Change))
	}
	equal(t, "changes", strings.Join(got, ", "), "a removed, b changed, c archived, d restored, f added")
	equal(t, "summary", r.Summary(), "1 plan added, 1 removed, 1 archived, 1 restored, 1 changed; 2 plan descriptions edited")
	equal(t, "the same", Compare(from, from).Summary(), "no difference")
}

func TestSummary(t *testing.T) {
	before := files("01-a", "id: a", "02-b", "id: b\ndepends_on: [a]", "03-c", "id: c", "04-d", "id: d\ntitle: x")
	after := files("01-a", "id: a\nstatus: done\nresult: x", "02-b", "id: b\ndepends_on: [c]", "05-c", "id: c", "06-d", "id: d\ntitle: y\nagent: z", "07-e", "id: e", "08-f", "id: f",
		"signals/ci.md", "---\nlevel: info\n---\nx\n")
	equal(t, "summary", compare(before, after).Summary(),
		"2 tasks added, 2 renumbered, 1 rewired, 1 reworded, 1 with a new status, 1 edited; 1 signal opened or cleared")
	next := "---\ntitle: A plan\nversion: 2\n---\nWhy.\n"
	equal(t, "version", compare(files("01-a", "id: a"), files("plan.md", next, "01-a", "id: a")).Summary(), "1 plan replanned")
	equal(t, "version and a task", compare(files("01-a", "id: a"), files("plan.md", next, "01-b", "id: b")).Summary(), "1 task added, 1 dropped; 1 plan replanned")
	equal(t, "spelling", compare(files("01-a", "id: a"), files("01-a", "id:  a")).Summary(), "1 file written differently, with the same meaning")
}

func TestSignals(t *testing.T) {
	ci := "---\nlevel: info\n---\nFlaky.\n"
	equal(t, "opened", brief(compare(files(), files("signals/ci.md", ci))), "signal:ci")
	equal(t, "cleared", brief(compare(files("signals/ci.md", ci), files())), "signal:ci")
	equal(t, "raised", brief(compare(files("signals/ci.md", ci), files("signals/ci.md", strings.Replace(ci, "info", "blocker", 1)))), "signal:ci")
	equal(t, "kept", brief(compare(files("signals/ci.md", ci), files("signals/ci.md", ci))), "")
}

func TestCritical(t *testing.T) {
	text := func(before, after *plan.Plan) string {
		c := compare(before, after).Plans[0].Critical
		return c.text(c.Before) + " | " + c.text(c.After)
	}
	equal(t, "by number", text(files("01-a", "id: a", "02-b", "id: b"), files("01-a", "id: a", "02-b", "id: b\ndepends_on: [a]")), "a (1 task) | a > b (2 tasks)")
	equal(t, "by estimate", text(files("01-a", "id: a\nestimate: 1h", "02-b", "id: b\nestimate: 30m"), files("01-a", "id: a\nestimate: 1h", "02-b", "id: b\nestimate: 1d2h30m")),
		"a (1 task, 1h) | b (1 task, 1d2h30m)")
	equal(t, "some without an estimate", text(files("01-a", "id: a", "02-b", "id: b\nestimate: 30m"), files("01-a", "id: a\nstatus: done", "02-b", "id: b\nestimate: 1d")),
		"a (1 task) | b (1 task)")
	equal(t, "done", text(files("01-a", "id: a"), files("01-a", "id: a\nstatus: done")), "a (1 task) | nothing left to do")
}
