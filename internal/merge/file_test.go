package merge

import (
	"strings"
	"testing"
)

func TestFile(t *testing.T) {
	const head, tail = "---\nid: one\n", "---\n\nDo it.\n"
	rows := []struct {
		name, path, b, o, t, want string
		conflicts                 string
	}{
		{
			"fields beside each other", "auth/tasks/01-one.md",
			head + "title: One\npriority: low\n" + tail, head + "title: Uno\npriority: low\n" + tail, head + "title: One\npriority: high\n" + tail,
			head + "title: Uno\npriority: high\n" + tail, "",
		}, {
			"a report and another", "archive/2026/auth/tasks/02-box/01-one.md",
			head + tail, head + "status: in_progress\n" + tail, head + "status: done\n" + tail,
			head + "status: done\n" + tail, "",
		}, {
			"markers around a field", "auth/tasks/01-one.md",
			head + "title: One\ntags: [a]\n" + tail, head + "title: Uno # two\ntags: [a, b]\n" + tail, head + "title: Eins\ntags: [c, a]\n" + tail,
			head + "<<<<<<< ours\ntitle: Uno # two\n=======\ntitle: Eins\n>>>>>>> theirs\ntags: [c, a, b]\n" + tail, "auth/one: title: ours `Uno`, theirs `Eins`",
		}, {
			"markers around a field that one side dropped", "auth/tasks/01-one.md",
			head + "title: One\n" + tail, head + "title: Uno\n" + tail, head + tail,
			head + "<<<<<<< ours\ntitle: Uno\n=======\n>>>>>>> theirs\n" + tail, "auth/one: title: ours `Uno`, theirs nothing",
		}, {
			"markers in the body", "auth/plan.md",
			"---\ntitle: A\n---\n\na\nb\nc\n", "---\ntitle: A\n---\n\na\nx\nc\n", "---\ntitle: B\n---\n\na\ny\nc\n",
			"---\ntitle: B\n---\n\na\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\nc\n", "auth: body: ours `x`, theirs `y`",
		}, {
			"made on both sides", "auth/tasks/01-one.md",
			"", head + "title: Uno\n" + tail, head + "title: Eins\n" + tail,
			head + "<<<<<<< ours\ntitle: Uno\n=======\ntitle: Eins\n>>>>>>> theirs\n" + tail, "auth/one: title: ours `Uno`, theirs `Eins`",
		}, {
			"a signal", "auth/signals/ci.md", "", signal("blocker", noon, ""), signal("info", evening, ""),
			strings.Replace(signal("info", evening, ""), "info", "blocker", 1), "",
		}, {
			"no file of a plan", "README.md", "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n", "",
		}, {
			"no file of a plan, and a conflict", "README.md", "a\n", "b\n", "c", "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n", "text: ours `b`, theirs `c`",
		}, {
			"frontmatter that cannot be read", "auth/plan.md", "---\ntitle: A\n---\n\nx\n", "---\ntitle: [\n---\n\nx\n", "---\ntitle: A\n---\n\nx\ny\n",
			"---\ntitle: [\n---\n\nx\ny\n", "",
		},
	}
	for _, row := range rows {
		r := File(row.path, []byte(row.b), []byte(row.o), []byte(row.t))
		if string(r.Data) != row.want {
			t.Errorf("%s: %q\nwant %q", row.name, r.Data, row.want)
		}
		if got := strings.Join(stringsOf(r.Conflicts), "; "); got != row.conflicts {
			t.Errorf("%s: conflicts %q, want %q", row.name, got, row.conflicts)
		}
	}
}

// A merged file reads back, or has markers around what it does not say.
func FuzzFile(f *testing.F) {
	for _, text := range []string{task("one", "title: One\ntags: [a, b]\n"), task("one", "title: 'Uno' # x\ntags:\n  - c\n"), task("one", "status: done\nresult: |\n  a\n  b\n"), "---\n{id: one}\n---\n\nx", "no plan", "", signal("info", noon, "")} {
		f.Add("auth/tasks/01-one.md", task("one", ""), text, task("one", "title: Eins\nnotes: [x]\n"))
		f.Add("auth/plan.md", text, task("one", ""), "---\ntitle: X\n---\n\ny\n")
		f.Add("auth/signals/ci.md", signal("info", noon, ""), text, signal("blocker", evening, ""))
	}
	f.Fuzz(func(t *testing.T, path, b, o, th string) {
		r := File(path, []byte(b), []byte(o), []byte(th))
		switch {
		case len(r.Conflicts) > 0:
			if !strings.Contains(string(r.Data), "<<<<<<< ours\n") || !strings.Contains(string(r.Data), ">>>>>>> theirs\n") {
				t.Errorf("conflicts %q without markers: %q", stringsOf(r.Conflicts), r.Data)
			}
			return
		case o == th && string(r.Data) != o && !strings.HasPrefix(o, "\uFEFF") && !strings.Contains(o, "\r"):
			t.Errorf("both sides agree on %q, and the result is %q", o, r.Data)
		}
		_, within := inPlan(path)
		for _, text := range []string{b, o, th} {
			if d := parse(within, text); d == nil || !wellFormed(d) {
				return
			}
		}
		if d := parse(within, string(r.Data)); d == nil || !wellFormed(d) {
			t.Errorf("the result cannot be read: %q", r.Data)
		}
	})
}

// What threeWay gives is every line of a side that the other left alone.
func FuzzThreeWay(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n", "a\nb\nc\nd\n")
	f.Add("", "a", "b\n")
	f.Fuzz(func(t *testing.T, b, o, th string) {
		if m := mergeText(b, o, b, Neither); !m.clean || m.text != o {
			t.Errorf("only ours changed: %q", m.text)
		}
		if m := mergeText(b, b, th, Neither); !m.clean || m.text != th {
			t.Errorf("only theirs changed: %q", m.text)
		}
		if m := mergeText(b, o, o, Neither); !m.clean || m.text != o {
			t.Errorf("both changed alike: %q", m.text)
		}
		m, back := mergeText(b, o, th, Ours), mergeText(b, th, o, Theirs)
		if m.clean != back.clean || m.text != back.text {
			t.Errorf("the sides swapped: %q and %q", m.text, back.text)
		}
	})
}
