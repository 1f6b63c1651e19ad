package loop

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func TestParseDraft(t *testing.T) {
	d, err := ParseDraft([]byte(`{"reasoning": "small first", "add_tasks": [{"title": "A"}, {"title": "B", "dependencies": [1]}]}`))
	if err != nil || d.Reasoning != "small first" || len(d.tasks.Add) != 2 {
		t.Errorf("%+v, %v", d, err)
	}
	many := strings.TrimSuffix(strings.Repeat(`{"title": "A"},`, 10_000), ",")
	for _, c := range []struct{ answer, want string }{
		{`[]`, `the payload must be an object such as {"add_tasks": [{"title": "...", "type": "feature"}]}, not a list`},
		{`{}`, `add_tasks: it is missing or empty: a plan has at least one task`},
		{`{"add_tasks": []}`, `add_tasks: it is missing or empty: a plan has at least one task`},
		{`{"add_tasks": "A"}`, `add_tasks: it must be a list of tasks, not a string`},
		{`{"add_tasks": [{"title": "A"}], "command": "rm -rf /"}`, `the answer: there is no key "command"; the keys are add_tasks, reasoning`},
		{`{"add_tasks": [{"title": "A", "command": "rm -rf /"}]}`, `add_tasks[0]: there is no key "command" (did you mean`},
		{`{"add_tasks": [{"title": "A", "status": "DONE"}]}`, `add_tasks[0]: there is no key "status"`},
		{`{"add_tasks": [{"title": "A"}], "update_tasks": []}`, `the answer: there is no key "update_tasks"`},
		{`{"add_tasks": [{"title": "A"}], "add_tasks": []}`, `the answer: the key "add_tasks" stands twice`},
		{`{"add_tasks": [{"title": "A\u001b[31m"}]}`, `add_tasks[0].title: `},
		{`{"add_tasks": [{"title": 7}], "reasoning": 8}`, "add_tasks[0].title: it must be a string, not a number\nreasoning: it must be a string, not a number"},
		{`{"add_tasks": [` + many + `]}`, `add_tasks holds 10000 tasks: no more than 99 are looked at, and a plan has at most as many`},
		{`{"add_tasks": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, `nested deeper than 8 levels`},
	} {
		_, err := ParseDraft([]byte(c.answer))
		var refused *Rejection
		if !errors.As(err, &refused) || !strings.Contains(strings.Join(refused.Details(), "\n"), strings.TrimSuffix(c.want, " (did you mean")) {
			t.Errorf("%.80s: %v", c.answer, refused.Details())
		}
	}
}

// What the gate found is told by the titles of tasks, errors first.
func TestTell(t *testing.T) {
	p := read(t, "tasks/01-a.md", "id: a\ntitle: Store a hash")
	got := Tell(p, []diag.Diagnostic{
		{Path: "auth/tasks/01-a.md", Severity: diag.Warning, Rule: "title-vague", Message: "the title is vague", Hint: "say more"},
		{Path: "auth/tasks/01-a.md", Severity: diag.Error, Rule: "path-exists", Message: "task `a` lists a non-existent file: `x.go`"},
		{Path: "auth/plan.md", Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: "no-tasks", Message: "no tasks"},
	})
	want := []string{
		"Task 'Store a hash' lists a non-existent file: `x.go`.", "auth/plan.md:1:1: error: no tasks [no-tasks]",
		"warning: Task 'Store a hash': the title is vague (say more).",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A draft becomes the tasks of an empty plan, numbered from 1 on, so that its
// dependencies mean what the prompt says.
func TestDraftIsNumberedFromOne(t *testing.T) {
	d, err := ParseDraft([]byte(`{"add_tasks": [{"title": "First", "dependencies": [2]}, {"title": "Second"}, {"title": "First"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(&Update{Payload: d.tasks, at: noon(), readPlan: plan.Read}, read(t))
	r.apply()
	var got []string
	for _, task := range r.next.All() {
		got = append(got, fmt.Sprint(task.Number(), " ", task.ID, " ", task.Doc.List("depends_on")))
	}
	if want := []string{"1 first [second]", "2 second []", "3 first-2 []"}; !slices.Equal(got, want) || len(r.faults) > 0 {
		t.Errorf("%q, %v", got, r.faults)
	}
}
