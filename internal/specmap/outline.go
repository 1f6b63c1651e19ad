package specmap

import (
	"cmp"

	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan"
)

// Outline completes a plan that was read from a form with no place for title,
// goal, constraints, detail and progress, such as a HopSpec, by what the stored
// plan says of them. A goal that was given stays. Without a stored plan it gives
// the plan as it is.
func Outline(p *planspec.Plan, onto *plan.Plan) *planspec.Plan {
	if onto == nil {
		return p
	}
	p = p.Clone()
	was := specOf(onto)
	p.Title, p.GoalDetail, p.Constraints = was.Title, was.GoalDetail, was.Constraints
	p.Goal = cmp.Or(p.Goal, was.Goal)
	m := newMaker(p, onto)
	p.Walk(func(s *planspec.Step) {
		old := m.was[m.tasks[s]]
		if old == nil {
			return
		}
		if len(s.Detail) == 0 {
			s.Detail = old.Detail
		}
		s.Result, s.Status = old.Result, old.Status
		s.DoneCount, s.TotalCount = old.DoneCount, old.TotalCount
	})
	return p
}
