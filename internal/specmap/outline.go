package specmap

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan"
)

// Outline completes a plan that was read from a form with no place for title,
// goal, constraints, numbers, detail and progress, such as a HopSpec, by what the
// stored plan says of them. A goal that was given stays. Without a stored plan it
// gives the plan as it is.
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
	m.renumber(p.Steps, nil, "")
	return p
}

// renumber gives the steps below one the numbers that they have where the plan
// is stored, if they are in that order; a step between them gets the next one.
func (m *maker) renumber(steps []*planspec.Step, above *planspec.Step, id string) {
	numbers, last := make([]int, len(steps)), -1
	for i, s := range steps {
		n := max(last+1, 1)
		if t := m.tasks[s]; t != nil && t.Parent == m.tasks[above] {
			n = t.NN
		}
		if n <= last || n > plan.MaxSiblings { // they changed places, or there is no room
			numbers = nil
			break
		}
		numbers[i], last = n, n
	}
	for i, s := range steps {
		n := i + 1
		if numbers != nil {
			n = numbers[i]
		}
		s.ID = strings.TrimPrefix(id+"."+strconv.Itoa(n), ".")
		m.renumber(s.Children, s, s.ID)
	}
}
