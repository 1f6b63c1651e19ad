package brief

import "github.com/git-plan/git-plan/plan"

// Replan is what is told of a plan whose round is over.
type Replan struct {
	Converged bool `json:"converged"`
	// PlanState is the folded plan, a PlanSpec.
	PlanState string   `json:"plan_state"`
	Choices   []Choice `json:"choices"`

	plan *plan.Plan
}

// NewReplan gathers what is told of a plan.
func NewReplan(p *plan.Plan, state string) *Replan {
	return &Replan{p.Converged(), state, []Choice{
		{"ADD", "a step is missing", formAdd},
		{"REVISE", "a step must say something else", formRevise},
		{"REPLAN", "the steps below a subtask or a decision are to be planned anew, or with ALL the whole plan", formReplan},
	}, p}
}

// Text writes it for a model.
func (r *Replan) Text() string {
	var w writer
	w.line("# Plan anew: %s", flat(r.plan.Title()))
	w.line("\nThe round is over and the plan has %s. Change its structure where that brings it to its goal.", map[bool]string{true: "converged", false: "not converged"}[r.Converged])
	w.state(r.PlanState)
	w.choices("Commands", r.Choices)
	w.line("  `%s`", formAll)
	w.line("\nWrite one command a line; other text is ignored. %s", bodyRule)
	return w.String()
}
