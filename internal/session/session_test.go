package session

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// Session integration tests ensuring that each invocation stores what the
// reducer makes, and a refused one or reading stores nothing.

func TestSessionStoresOneSnapshotPerInvocation(t *testing.T) {
	var s Session
	if s.plan.Exists() {
		t.Error("a new session has a plan")
	}
	for _, in := range []Input{
		{Tool: ToolSetup, Objective: "o", InitialSteps: []NewPlanStep{{Title: "a"}, {Title: "b"}}},
		{Tool: ToolAdd, Steps: []NewPlanStep{{Title: "c"}, {Title: "d"}, {Title: "e"}}},
		{Tool: ToolUpdate, StepID: "S001", Title: new("x"), Details: new("y")},
		{Tool: ToolMark, StepID: "S001", Status: Done, Note: "n"},
		{Tool: ToolMark, StepID: "S001", Status: Done},
		{Tool: ToolClear},
	} {
		want, err := Next(s.plan, in)
		if err != nil {
			t.Fatal(err)
		}
		call(t, &s, in.Tool, says(in))
		equal(t, "latest", says(s.plan), says(want))
		equal(t, "read", says(call(t, &s, ToolRead, "").Plan), says(want))
		refuses(t, &s, ToolAdd, `{"steps":[]}`, "steps: empty: give at least one step")
	}
}

// What a session gives out is no way into it.
func TestSessionSharesNothing(t *testing.T) {
	s := planned(t, 2)
	do(t, s, Input{Tool: ToolMark, StepID: "S001", Status: InProgress, Note: "n"})
	before := says(s.plan)
	spoil(*call(t, s, ToolRead, "").Plan)
	equal(t, "plan", says(s.plan), before)
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
	do(t, a, Input{Tool: ToolClear})
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
				if _, err := s.Call(context.Background(), ToolAdd, []byte(`{"steps":[{"title":"x"},{"title":"y"}]}`)); err != nil {
					t.Error(err)
				}
				if _, err := s.Call(context.Background(), ToolRead, nil); err != nil {
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
}

// End-to-end test showing plan setup, updates, marking, and clearing.

func TestEndToEnd(t *testing.T) {
	var s Session
	var log strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(endToEnd), "\n") {
		tool, arguments, _ := strings.Cut(line, " ")
		fmt.Fprintf(&log, "> %s\n", line)
		r, err := s.Call(context.Background(), tool, []byte(arguments))
		if err != nil {
			fmt.Fprintf(&log, "error: %v\n\n", err)
			continue
		}
		fmt.Fprintln(&log, r.Message)
		if r.Plan != nil {
			fmt.Fprintln(&log, says(r.Plan))
		}
		fmt.Fprintln(&log)
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
