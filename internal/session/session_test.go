package session

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// Session integration tests ensuring the reducer stores exactly one plan
// snapshot per invocation.

func TestSessionStoresOneSnapshotPerInvocation(t *testing.T) {
	var s Session
	if s.Plan().Exists() || s.Revision() != 0 {
		t.Error("a new session has a plan")
	}
	for i, in := range []Input{
		SetupPlan{Objective: "o", InitialSteps: []NewPlanStep{{Title: "a"}, {Title: "b"}}},
		AddStep{Steps: []NewPlanStep{{Title: "c"}, {Title: "d"}, {Title: "e"}}},
		UpdateStep{StepID: "S001", Title: new("x"), Details: new("y")},
		MarkStep{StepID: "S001", Status: Done, Note: "n"},
		MarkStep{StepID: "S001", Status: Done},
		ClearPlan{},
	} {
		want, err := Next(s.Plan(), in)
		if err != nil {
			t.Fatal(err)
		}
		do(t, &s, in)
		if s.Revision() != i+1 {
			t.Errorf("%T stored %d snapshots", in, s.Revision()-i)
		}
		equal(t, "latest", says(s.Plan()), says(want))
		do(t, &s, ReadPlan{})
		if _, err := s.Do(AddStep{}); err == nil || s.Revision() != i+1 {
			t.Errorf("reading or a refusal stored a snapshot: %v", err)
		}
	}
}

// What a session gives out is no way into it.
func TestSessionSharesNothing(t *testing.T) {
	s := planned(t, 2)
	do(t, s, MarkStep{StepID: "S001", Status: InProgress, Note: "n"})
	before, kept := says(s.Plan()), s.Plan()
	spoil(do(t, s, ReadPlan{}).Value.(View))
	spoil(s.Plan())
	equal(t, "plan", says(s.Plan()), before)

	in := SetupPlan{Objective: "o", InitialSteps: []NewPlanStep{{Title: "a"}}}
	out := do(t, s, in).Value.(SetupPlan)
	in.InitialSteps[0].Title, out.InitialSteps[0].Title = "spoilt", "spoilt"
	equal(t, "plan", says(s.Plan()), `{"objective":"o","status":"active","steps":[{"step_id":"S001","title":"a","details":null,"status":"pending","notes":[]}]}`)
	equal(t, "snapshot taken before", says(kept), before)
}

func spoil(v View) {
	for i := range v.Steps {
		v.Steps[i].Title = "spoilt"
		for j := range v.Steps[i].Notes {
			v.Steps[i].Notes[j] = "spoilt"
		}
	}
}

// Sessions know nothing of each other.
func TestSessionsAreApart(t *testing.T) {
	a, b := planned(t, 1), planned(t, 2)
	do(t, a, ClearPlan{})
	equal(t, "ids", ids(b), "S001 S002")
}

// Calls of many at once happen one after the other: no step is lost, none has
// the id of another.
func TestSessionManyAtOnce(t *testing.T) {
	s := planned(t, 0)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 25 {
				if _, err := s.Call(ToolAdd, []byte(`{"steps":[{"title":"x"},{"title":"y"}]}`)); err != nil {
					t.Error(err)
				}
				if _, err := s.Call(ToolRead, nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	var want []string
	for n := range 1000 {
		want = append(want, idOf(n+1))
	}
	equal(t, "ids", ids(s), strings.Join(want, " "))
	if s.Revision() != 501 {
		t.Errorf("%d snapshots", s.Revision())
	}
}

// End-to-end test showing plan setup, updates, marking, and clearing.

func TestEndToEnd(t *testing.T) {
	var s Session
	var log strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(endToEnd), "\n") {
		tool, arguments, _ := strings.Cut(line, " ")
		fmt.Fprintf(&log, "> %s\n", line)
		r, err := s.Call(tool, []byte(arguments))
		if err != nil {
			fmt.Fprintf(&log, "error: %v\n\n", err)
			continue
		}
		fmt.Fprintf(&log, "%s\n%s\n\n", r.Message, says(r.Value))
	}
	snapshot(t, "end_to_end.txt", log.String())
}

const endToEnd = `
planning_read_plan
planning_setup_plan {"objective": "Triage open bug reports", "initial_steps": [{"title": "List the reports"}, {"title": "Sort them by area", "details": "Use the labels that exist."}]}
planning_add_step {"steps": [{"title": "Answer the ten oldest"}]}
planning_read_plan
planning_mark_step {"step_id": "S001", "status": "in_progress"}
planning_mark_step {"step_id": "S001", "status": "done", "note": "37 reports"}
planning_update_step {"step_id": "S003", "title": "Answer the five oldest", "details": "Two need a developer."}
planning_mark_step {"step_id": "S002", "status": "blocked", "note": "The tracker is down."}
planning_update_step {"step_id": "S002", "details": ""}
planning_update_step {"step_id": "S002"}
planning_mark_step {"step_id": "S002", "status": "done"}
planning_mark_step {"step_id": "S003", "status": "done"}
planning_read_plan
planning_add_step {"steps": [{"title": "Write a summary"}]}
planning_mark_step {"step_id": "S003", "status": "pending", "note": "One came back."}
planning_add_step {"steps": [{"title": "Write a summary"}]}
planning_clear_plan
planning_read_plan
planning_mark_step {"step_id": "S003", "status": "done"}
planning_setup_plan {"objective": "Write the summary after all"}
planning_read_plan
`
