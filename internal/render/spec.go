package render

import (
	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan"
)

// Spec gives a plan of ours as the PlanSpec that a model is shown: a task
// without a kind acts, or is a subtask where others are below it.
func Spec(p *plan.Plan) *planspec.Plan {
	sheet := NewSheet(p)
	spec := sheet.Steps
	spec.Title, spec.Goal, spec.GoalDetail, spec.Constraints = flat(p.Title()), flat(p.Goal()), sheet.GoalDetail, sheet.Constraints
	spec.Walk(func(s *planspec.Step) {
		s.Name = sheet.tasks[s].Doc.Text("step_name")
		switch {
		case s.Type != "":
		case len(s.Children) > 0:
			s.Type = planspec.Subtask
		default:
			s.Type = planspec.Act
		}
	})
	return spec
}
