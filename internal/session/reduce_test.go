package session

import (
	"fmt"
	"strings"
	"testing"
)

// Reducer tests asserting step ID continuity.

func TestReducerStepIDsContinue(t *testing.T) {
	s := planned(t, 2)
	do(t, s, Input{Tool: ToolAdd, Steps: []NewPlanStep{{Title: "x"}, {Title: "y"}}})
	do(t, s, Input{Tool: ToolAdd, Steps: []NewPlanStep{{Title: "z"}}})
	equal(t, "ids", ids(s), "S001 S002 S003 S004 S005")
	do(t, s, Input{Tool: ToolSetup, Objective: "Another", InitialSteps: []NewPlanStep{{Title: "x"}}})
	equal(t, "ids of the next plan", ids(s), "S001")
	do(t, s, Input{Tool: ToolSetup, Objective: "Without steps"})
	do(t, s, Input{Tool: ToolAdd, Steps: []NewPlanStep{{Title: "x"}}})
	equal(t, "ids of a plan that began without steps", ids(s), "S001")
}

// After three digits come four, and the order of numbers counts, not that of
// texts.
func TestReducerStepIDsPass999(t *testing.T) {
	s := planned(t, 998)
	for _, want := range []string{"S999", "S1000", "S1001"} {
		do(t, s, Input{Tool: ToolAdd, Steps: []NewPlanStep{{Title: "x"}}})
		equal(t, "id", want, ids(s)[strings.LastIndex(ids(s), " ")+1:])
	}
	do(t, s, Input{Tool: ToolMark, StepID: "S1000", Status: Done})
	if got := step(t, s, "S1000").Status; got != Done {
		t.Errorf("S1000 is %s", got)
	}
	whole := planned(t, 1001)
	if all := ids(whole); !strings.HasSuffix(all, " S999 S1000 S1001") {
		t.Error(all)
	}
}

// The highest number counts, wherever it stands and whatever is missing.
func TestReducerHighestSuffixCounts(t *testing.T) {
	for last, want := range map[string]string{
		"S003 S001": "S004", "S001 S009": "S010", "S1000 S999": "S1001", "S999 S1000 S002": "S1001",
		"S099": "S100", "": "S001", "step": "S001", "S0099 S003": "S004",
	} {
		p := View{Objective: "o", Status: Active}
		for _, id := range strings.Fields(last) {
			p.Steps = append(p.Steps, StepView{ID: id, Title: "t", Status: Pending})
		}
		next, err := Next(p, Input{Tool: ToolAdd, Steps: []NewPlanStep{{Title: "x"}}})
		if err != nil {
			t.Fatal(err)
		}
		steps := next.Steps
		equal(t, "after "+last, steps[len(steps)-1].ID, want)
	}
}

func TestReducerStepIDForm(t *testing.T) {
	for id, want := range map[string]int{
		"S001": 1, "S999": 999, "S1000": 1000, "S123456789": 123456789, "S000": 0, "S1": 0, "S01": 0, "S0001": 0, "S0100": 0,
		"s001": 0, "S1234567890": 0, "001": 0, "S001 ": 0, "S-01": 0, "S\u0660\u0661\u0662": 0, "": 0,
	} {
		if got := number(id); got != want {
			t.Errorf("%q has number %d, not %d", id, got, want)
		}
	}
}

// Marking completes a plan when all of its steps are done, and opens it when
// one is not.
func TestReducerAutoComplete(t *testing.T) {
	s := planned(t, 2)
	for _, c := range []struct {
		id     string
		status StepStatus
		want   PlanStatus
	}{
		{"S001", Done, Active},
		{"S002", InProgress, Active},
		{"S002", Done, Completed},
		{"S002", Done, Completed},
		{"S001", Pending, Active},
		{"S001", Done, Completed},
		{"S001", InProgress, Active},
		{"S001", Done, Completed},
		{"S002", Blocked, Active},
	} {
		do(t, s, Input{Tool: ToolMark, StepID: c.id, Status: c.status})
		if got := s.plan.Status; got != c.want {
			t.Errorf("after %s %s the plan is %s, not %s", c.id, c.status, got, c.want)
		}
	}
	do(t, s, Input{Tool: ToolMark, StepID: "S002", Status: Done})
	do(t, s, Input{Tool: ToolUpdate, StepID: "S002", Title: new("reworded")})
	if got := s.plan; got.Status != Completed || got.Steps[1].Title != "reworded" {
		t.Errorf("rewording changes a completed plan to %s", says(got))
	}
	if do(t, s, Input{Tool: ToolSetup, Objective: "o"}); s.plan.Status != Active {
		t.Error("a plan without steps is not active")
	}
}

// Notes stay and grow, whatever the status.
func TestReducerNotes(t *testing.T) {
	s := planned(t, 1)
	do(t, s, Input{Tool: ToolMark, StepID: "S001", Status: InProgress, Note: "begun"})
	do(t, s, Input{Tool: ToolMark, StepID: "S001", Status: InProgress})
	do(t, s, Input{Tool: ToolMark, StepID: "S001", Status: Blocked, Note: "waits for a key"})
	do(t, s, Input{Tool: ToolUpdate, StepID: "S001", Title: new("x")})
	equal(t, "notes", says(step(t, s, "S001").Notes), `["begun","waits for a key"]`)
}

// Clearing abandons whatever there is, and drops the steps.
func TestReducerClear(t *testing.T) {
	s := planned(t, 2)
	for range 2 { // the second time nothing is left to do
		do(t, s, Input{Tool: ToolClear})
		equal(t, "plan", says(s.plan), `{"objective":"Ship it","status":"abandoned","steps":[]}`)
	}
	completed := planned(t, 1)
	do(t, completed, Input{Tool: ToolMark, StepID: "S001", Status: Done})
	do(t, completed, Input{Tool: ToolClear})
	equal(t, "plan", says(completed.plan), `{"objective":"Ship it","status":"abandoned","steps":[]}`)
	do(t, completed, Input{Tool: ToolSetup, Objective: "Next", InitialSteps: []NewPlanStep{{Title: "x"}}})
	equal(t, "ids", ids(completed), "S001")
}

// A reducer leaves its snapshot as it is, and takes no list of its caller.
func TestReducerSnapshotsAreFresh(t *testing.T) {
	steps := []NewPlanStep{{Title: "a"}, {Title: "b"}}
	p, err := Next(View{}, Input{Tool: ToolSetup, Objective: "o", InitialSteps: steps})
	if err != nil {
		t.Fatal(err)
	}
	steps[0].Title = "spoilt"
	before := says(p)
	v := p.clone()
	v.Steps[1].Title = "spoilt"
	title := "c"
	next, err := Next(p, Input{Tool: ToolUpdate, StepID: "S001", Title: &title})
	if err != nil {
		t.Fatal(err)
	}
	title = "spoilt"
	for range 3 { // where capacity is to spare, notes could be shared
		a, _ := Next(next, Input{Tool: ToolMark, StepID: "S001", Status: Done, Note: "one"})
		b, _ := Next(next, Input{Tool: ToolMark, StepID: "S001", Status: Done, Note: "two"})
		if notes := a.Steps[0].Notes; notes[len(notes)-1] != "one" {
			t.Errorf("%s and %s share notes", says(a), says(b))
		}
		next = a
	}
	a, _ := Next(next, Input{Tool: ToolAdd, Steps: []NewPlanStep{{Title: "one"}}})
	b, _ := Next(next, Input{Tool: ToolAdd, Steps: []NewPlanStep{{Title: "two"}}})
	if a.Steps[2].Title != "one" || b.Steps[2].Title != "two" {
		t.Errorf("%s and %s share steps", says(a), says(b))
	}
	if says(p) != before || strings.Contains(says(next), "spoilt") {
		t.Errorf("%s became %s, then %s", before, says(p), says(next))
	}
}

// A refused input gives the snapshot back that it came to.
func TestReducerRefusal(t *testing.T) {
	p := planned(t, 1).plan
	for _, in := range []Input{Input{Tool: ToolAdd}, Input{Tool: ToolUpdate, StepID: "S001"}, Input{Tool: ToolMark, StepID: "S002", Status: Done}, Input{Tool: ToolMark, StepID: "S001", Status: "x"}, Input{Tool: ToolSetup}} {
		if got, err := Next(p, in); err == nil || says(got) != says(p) {
			t.Errorf("%+v: %s, %v", in, says(got), err)
		}
	}
	if got, err := Next(View{}, Input{Tool: ToolClear}); err == nil || got.Exists() {
		t.Errorf("%s, %v", says(got), err)
	}
}

func ids(s *Session) string {
	var all []string
	for _, step := range s.plan.Steps {
		all = append(all, step.ID)
	}
	return strings.Join(all, " ")
}

func ExampleNext() {
	p, _ := Next(View{}, Input{Tool: ToolSetup, Objective: "Triage open bug reports", InitialSteps: []NewPlanStep{{Title: "List the reports"}}})
	next, err := Next(p, Input{Tool: ToolMark, StepID: "S001", Status: Done, Note: "12 reports"})
	fmt.Println(p.Status, next.Status, err)
	_, err = Next(next, Input{Tool: ToolAdd, Steps: []NewPlanStep{{Title: "Answer them"}}})
	fmt.Println(err)
	// Output:
	// active completed <nil>
	// planning_add_step: the plan is completed, and steps join an active plan only: open a step again with planning_mark_step, or begin the next plan with planning_setup_plan
}
