package loop

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// Reason is why an agent is told what it is told.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	SyncInstructions Reason = "sync_instructions"
	WaitingOnSignal  Reason = "waiting_on_signal"
	ReadyForTask     Reason = "ready_for_task"
	ReplanRequired   Reason = "replan_required"
	WaitingOnTasks   Reason = "waiting_on_tasks"
	PlanCompleted    Reason = "plan_completed"
)

// Decision is what is to be done now.
type Decision struct {
	Reason Reason
	// Task is the task to work on, of [ReadyForTask].
	Task *plan.Task
	// Signal is the blocker that stops the work, of [WaitingOnSignal].
	Signal *plan.Signal
	// Tasks are those that failed, or that others wait for.
	Tasks []*plan.Task
}

// Decide finds what an agent is to do now, the first that holds: clear a
// blocker on the plan or on what it works on, go on with that, begin what is
// ready or whose holder is gone, clear a blocker on what is left, replan what
// failed, wait for others, sum up. An agent without name has nothing in
// progress. On a plan that is put away there is nothing to do.
func (v View) Decide() Decision {
	p := v.Plan
	if v.Archived {
		return Decision{Reason: PlanCompleted}
	}
	mine := slices.DeleteFunc(p.ClaimsOf(v.Agent), func(*plan.Task) bool { return p.IsAbandoned() })
	for _, t := range append(mine, nil) {
		if b := p.Blockers(t); len(b) > 0 {
			return Decision{Reason: WaitingOnSignal, Signal: b[0]}
		}
	}
	if t := p.NextFor(v.Agent, false, v.At); t != nil && !p.IsAbandoned() {
		return Decision{Reason: ReadyForTask, Task: t}
	}
	return decideRest(p)
}

// decideRest finds what there is to say where there is nothing to work on.
func decideRest(p *plan.Plan) Decision {
	left := slices.DeleteFunc(slices.Clone(p.All()), func(t *plan.Task) bool { return len(t.Children) > 0 || t.Status.Settled() })
	if p.IsAbandoned() || len(left) == 0 && len(p.All()) > 0 {
		return Decision{Reason: PlanCompleted}
	}
	for _, t := range left {
		if b := p.Blockers(t); len(b) > 0 {
			return Decision{Reason: WaitingOnSignal, Signal: b[0]}
		}
	}
	if failed := p.Failed(); len(failed) > 0 {
		return Decision{Reason: ReplanRequired, Tasks: failed}
	}
	return Decision{Reason: WaitingOnTasks, Tasks: left}
}
