package merge

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

func planOfFiles(files map[string]string) *plan.Plan {
	if files == nil {
		return nil
	}
	data := map[string][]byte{}
	for name, text := range files {
		data[name] = []byte(text)
	}
	return read("p", "", data)
}

func with(files map[string]string, changed ...string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		out[name] = text
	}
	for i := 0; i < len(changed); i += 2 {
		if out[changed[i]] = changed[i+1]; changed[i+1] == "" {
			delete(out, changed[i])
		}
	}
	return out
}

func TestMarked(t *testing.T) {
	const one, two = "tasks/01-one.md", "tasks/02-two.md"
	base := map[string]string{
		"plan.md": "---\ntitle: A\n---\n\nWhy.\n",
		one:       "---\nid: one\n---\n\nFirst.\nSecond.\n",
		two:       "---\nid: two\n---\n\n```\na\nb\nc\n```\n",
	}
	tests := []struct {
		name         string
		ours, theirs map[string]string
		want         map[string]string // of the files that are not as in theirs
	}{
		{"one field two ways, another one way",
			with(base, "plan.md", "---\ntitle: B\n---\n\nWhy.\n", one, "---\nid: one\npriority: high\n---\n\nFirst.\nSecond.\n"),
			with(base, "plan.md", "---\ntitle: C\n---\n\nWhy not.\n"),
			map[string]string{
				"plan.md": "---\n<<<<<<< ours\ntitle: B\n=======\ntitle: C\n>>>>>>> bob, 1a2b3c4\n---\n\nWhy not.\n",
				one:       "---\nid: one\npriority: high\n---\n\nFirst.\nSecond.\n",
			}},
		{"one line two ways",
			with(base, one, "---\nid: one\n---\n\nOurs.\nSecond.\n"), with(base, one, "---\nid: one\n---\n\nTheirs.\nSecond.\n"),
			map[string]string{one: "---\nid: one\n---\n\n<<<<<<< ours\nOurs.\n=======\nTheirs.\n>>>>>>> bob, 1a2b3c4\nSecond.\n"}},
		{"fenced code stays in one piece",
			with(base, two, "---\nid: two\n---\n\n```\na\nours\nc\n```\n"), with(base, two, "---\nid: two\n---\n\n```\na\ntheirs\nc\n```\n"),
			map[string]string{two: "---\nid: two\n---\n\n<<<<<<< ours\n```\na\nours\nc\n```\n=======\n```\na\ntheirs\nc\n```\n>>>>>>> bob, 1a2b3c4\n"}},
		{"edited against removed",
			with(base, one, "---\nid: one\n---\n\nOurs.\n"), with(base, one, ""),
			map[string]string{one: "<<<<<<< ours\n---\nid: one\n---\n\nOurs.\n=======\n(removed by bob, 1a2b3c4)\n>>>>>>> bob, 1a2b3c4\n"}},
		{"removed against edited",
			with(base, one, ""), with(base, one, "---\nid: one\n---\n\nTheirs.\n"),
			map[string]string{one: "<<<<<<< ours\n(removed here)\n=======\n---\nid: one\n---\n\nTheirs.\n>>>>>>> bob, 1a2b3c4\n"}},
		{"moved to two names",
			with(base, one, "", "tasks/01-ours.md", base[one]), with(base, one, "", "tasks/01-theirs.md", base[one]),
			map[string]string{
				"tasks/01-ours.md":   "<<<<<<< ours\n" + base[one] + "=======\n(moved to tasks/01-theirs.md by bob, 1a2b3c4)\n>>>>>>> bob, 1a2b3c4\n",
				"tasks/01-theirs.md": "<<<<<<< ours\n(moved to tasks/01-ours.md here)\n=======\n" + base[one] + ">>>>>>> bob, 1a2b3c4\n",
			}},
		{"both replanned",
			with(base, "plan.md", "---\ntitle: A\nversion: 2\n---\n\nOurs.\n", one, ""), with(base, "plan.md", "---\ntitle: A\nversion: 2\n---\n\nTheirs.\n"),
			map[string]string{
				"plan.md": "---\ntitle: A\nversion: 2\n---\n\n<<<<<<< ours\nOurs.\n=======\nTheirs.\n>>>>>>> bob, 1a2b3c4\n",
				one:       "<<<<<<< ours\n(removed here)\n=======\n" + base[one] + ">>>>>>> bob, 1a2b3c4\n",
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			labels := Labels{Ours: "ours", Theirs: func(string) string { return "bob, 1a2b3c4" }}
			got := Marked(planOfFiles(base), planOfFiles(test.ours), planOfFiles(test.theirs), Options{}, labels)
			want := with(test.theirs)
			for name, text := range test.want {
				want[name] = text
			}
			for name := range with(want, "", "x") {
				if name != "" && string(got[name]) != want[name] {
					t.Errorf("%s is\n%s\nand not\n%s", name, got[name], want[name])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d files, want %d", len(got), len(want))
			}
			for name, data := range got { // whatever is marked is refused
				p, _ := plan.Read("p", "", []plan.File{{Path: name, Data: data}})
				if strings.Contains(string(data), "<<<<<<<") != (len(p.Conflicts()) > 0) {
					t.Errorf("the markers in %s are not seen", name)
				}
			}
		})
	}
}
