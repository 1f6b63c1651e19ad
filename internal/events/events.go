// Package events tells the history of plans as events, such as a program that
// follows along wants them: a step started, a plan replanned.
//
// [Of] gives the events of a revision. They come from comparing the files
// before and after, so they are right for commits made by hand too.
package events

import (
	"slices"

	"github.com/git-plan/git-plan/internal/form/rawko"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// The types of events.
const (
	PlanCreated   = "PLAN_CREATED"
	PlanReplanned = "PLAN_REPLANNED"
	PlanCompleted = "PLAN_COMPLETED"
	StepStarted   = "STEP_STARTED"
	StepCompleted = "STEP_COMPLETED"
	StepFailed    = "STEP_FAILED"
	StepSkipped   = "STEP_SKIPPED"
	SignalOpened  = "SIGNAL_OPENED"
	SignalCleared = "SIGNAL_CLEARED"
)

// Event is one event, as the line of JSON that programs read. Every key is
// always there, Signal aside.
type Event struct {
	Type string `json:"type"`
	Plan string `json:"plan"`
	// Task is the id of the task it concerns, or empty, and StepIndex that
	// task's place among those without others below them, from 0, or nil.
	Task      string `json:"task"`
	StepIndex *int   `json:"step_index"`
	Version   int    `json:"version"`
	Agent     string `json:"agent"`
	At        string `json:"at"`
	Commit    string `json:"commit"`
	// Output is a settled task's result, or a signal's message; Error is why a
	// task failed.
	Output string `json:"output"`
	Error  string `json:"error"`
	// Document is the whole plan as it began or was replanned, else nil.
	Document any `json:"document"`
	// Signal is the id of the signal, for events of signals.
	Signal string `json:"signal,omitempty"`
}

// typeOf gives the type that an event of our own has, or "".
func typeOf(e plan.Event) string {
	switch e {
	case plan.Created:
		return PlanCreated
	case plan.Replanned:
		return PlanReplanned
	case plan.Started:
		return StepStarted
	case plan.Completed:
		return StepCompleted
	case plan.TaskFailed:
		return StepFailed
	case plan.TaskSkipped, plan.TaskCancelled:
		return StepSkipped
	case plan.SignalOpened:
		return SignalOpened
	case plan.SignalCleared:
		return SignalCleared
	}
	return ""
}

// Of gives the events of a revision, by plan, in the order they are told.
func Of(rev store.Revision) []Event {
	var out []Event
	for _, o := range rev.Changes {
		if o.After != nil {
			out = append(out, ofPlan(rev, o.ID, o.Before, o.After)...)
		}
	}
	return out
}

// ofPlan compares a plan before and after a revision. One that was archived
// and not else changed has no events.
func ofPlan(rev store.Revision, id string, before, after *plan.Plan) []Event {
	var out []Event
	base := Event{
		Plan: id, Version: after.Version(), Agent: rev.Agent(), At: plan.FormatTime(rev.At()), Commit: rev.Commit.Name,
	}
	steps := rawko.Leaves(after)
	for _, o := range plan.Compare(before, after) {
		e := base
		if e.Type = typeOf(o.Event); e.Type == "" {
			continue
		}
		e.concern(o, before, after, steps)
		out = append(out, e)
	}
	if after.Status() == plan.Complete && (before == nil || before.Status() != plan.Complete) {
		base.Type = PlanCompleted
		out = append(out, base)
	}
	return out
}

// concern fills in what the event is about.
func (e *Event) concern(o plan.Occurrence, before, after *plan.Plan, steps []*plan.Task) {
	e.Task, e.Signal = o.Task, o.Signal
	if i := slices.IndexFunc(steps, func(t *plan.Task) bool { return t.ID == o.Task }); i >= 0 && o.Task != "" {
		e.StepIndex = &i
	}
	task := after.Task(o.Task)
	switch e.Type {
	case PlanCreated, PlanReplanned:
		e.Document = render.Plan(after, e.Commit)
	case StepCompleted, StepSkipped:
		e.Output = task.Doc.Text("result")
	case StepFailed:
		e.Error = task.Doc.Text("error")
	case SignalOpened:
		e.Output = after.Signal(o.Signal).Message()
	case SignalCleared:
		e.Output = before.Signal(o.Signal).Message()
	}
}

// Unseen leaves out the events of a merge that a reader has seen already who
// knows another parent: plans is what that parent has of each plan. What the
// merge did is new to both.
func Unseen(rev store.Revision, all []Event, plans map[string]*plan.Plan) []Event {
	known := map[Event]bool{}
	for _, o := range rev.Changes {
		if o.After == nil {
			continue
		}
		for _, e := range ofPlan(rev, o.ID, plans[o.ID], o.After) {
			known[e.key()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(e Event) bool { return !known[e.key()] })
}

// key is what makes two events the same.
func (e Event) key() Event {
	return Event{Type: e.Type, Plan: e.Plan, Task: e.Task, Signal: e.Signal}
}
