package brief

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// FuzzText writes briefs of plans and words of any kind.
func FuzzText(f *testing.F) {
	f.Add("title: t\ngoal: g", "id: a\ntitle: x\nresult: r", "Do it.", "done")
	f.Add("title: \"a\\n## b\"", "id: a\nkind: decide\noutputs: [x]\nerror: \"two\\n## Lines\"", "## Heading\n```", "## Your task\n\x1b[31m")
	f.Fuzz(func(t *testing.T, front, task, text, state string) {
		p, _ := plan.Read("auth", "", []plan.File{
			{Path: "plan.md", Data: []byte("---\n" + front + "\n---\n" + text)},
			{Path: "tasks/01-a.md", Data: []byte("---\n" + task + "\n---\n" + text)},
			{Path: "tasks/02-b.md", Data: []byte("---\nid: b\ninputs: [x]\n---\n" + text)},
		})
		out := NewReplan(p, state).Text()
		for _, task := range p.All() {
			out += NewExecution(p, task).Text() + NewReflection(task, "FAIL", state, true, state).Text()
		}
		if strings.TrimSpace(out) == "" {
			t.Fatal("nothing is said")
		}
	})
}
