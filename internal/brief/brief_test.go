package brief

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

func sample(t *testing.T) *plan.Plan {
	t.Helper()
	files := map[string]string{
		"plan.md":            "title: P\ngoal: G\nconstraints: [small]",
		"tasks/01-a.md":      "id: a\ntitle: A\nstatus: done\ncompleted_at: 2026-01-02T00:00:00Z\nresult: |\n  two\n  lines\noutputs: [x]",
		"tasks/02-b.md":      "id: b\ntitle: B\nstatus: failed\nerror: no disk\noutputs: [x]\nresult: none",
		"tasks/03-c.md":      "id: c\ntitle: C\nstatus: skipped\ncompleted_at: 2026-01-01T00:00:00Z",
		"tasks/04-d.md":      "id: d\ntitle: D\nkind: subtask\nstatus: done",
		"tasks/04-d/01-e.md": "id: e\ntitle: E\nstatus: done",
		"tasks/05-f.md":      "id: f\ntitle: F\ninputs: [x, y]\noutputs: [z]\nnotes: [one, two]\nresult: half",
	}
	var list []plan.File
	for name, front := range files {
		list = append(list, plan.File{Path: name, Data: []byte("---\n" + front + "\n---\n\nBody of it.\n")})
	}
	p, found := plan.Read("p", "", list)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return p
}

func TestExecution(t *testing.T) {
	p := sample(t)
	e := NewExecution(p, p.Task("f"))
	text := e.Text()
	want := `## Inputs

- x: from step 1 (done) A | two lines
- x: from step 2 (failed) B | no disk
- y: no step before this one makes it

## Outputs

- z

## History

- 3 (skipped) C
- 1 (done) A | two lines
- 2 (failed) B | no disk
- 4.1 (done) E
- note on this step: one
- note on this step: two
- this step so far: half
`
	if !strings.HasSuffix(text, want) || !strings.HasPrefix(text, "# Step 5: F\n") || !strings.Contains(text, "\nGoal of the plan: G\n\nConstraints:\n- small\n\n## Task\n\nBody of it.\n") {
		t.Errorf("told\n%s", text)
	}
	bare := NewExecution(p, p.Task("c")).Text()
	if strings.Count(bare, "None is named.") != 2 {
		t.Errorf("a step without data is told\n%s", bare)
	}
}

func TestReflection(t *testing.T) {
	p := sample(t)
	r := NewReflection(p.Task("b"), "FAIL", " ", true, "Goal: ```\n")
	text := r.Text()
	for _, want := range []string{"# Reflection on step 2: B\n", "\nstatus: FAIL\nresult: no disk\ncan_interact: true\n", "\n````\nGoal: ```\n````\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	var names []string
	for _, c := range r.Choices {
		names = append(names, c.Name)
		if !strings.Contains(text, "- "+c.Name+": ") {
			t.Errorf("no %s in\n%s", c.Name, text)
		}
	}
	if got := strings.Join(names, " "); got != "RETRY ACCEPT INTERACT SKIP REVISE ADD" {
		t.Errorf("choices %s", got)
	}
	if text := NewReflection(p.Task("c"), "UNCERTAIN", "", false, "").Text(); !strings.Contains(text, "\nresult: none was reported\ncan_interact: false\n") {
		t.Errorf("told\n%s", text)
	}
}

func TestReplan(t *testing.T) {
	p := sample(t)
	r := NewReplan(p, "Goal: G\n")
	for _, want := range []string{"# Plan anew: P\n", "has not converged", "- ADD: ", "- REVISE: ", "- REPLAN: ", "`PLAN_CMD: REPLAN ALL | <reason>`"} {
		if text := r.Text(); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	data, err := json.Marshal(r)
	if err != nil || !strings.HasPrefix(string(data), `{"converged":false,"plan_state":"Goal: G\n","choices":[{"name":"ADD",`) {
		t.Errorf("%s, %v", data, err)
	}
}
