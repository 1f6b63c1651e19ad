package plancmd

import (
	"fmt"

	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
)

// ReplaceChildren puts steps below a task, in the place of what is there, and
// starts it. Where just these steps are below a task in progress already,
// nothing changes.
func ReplaceChildren(p *plan.Plan, t *plan.Task, steps []*planspec.Step, by plan.Move) error {
	a := &Applied{plan: p, by: by, touched: map[string]int{}}
	if err := mayHaveChildren(t, t.Kind); err != nil {
		return err
	}
	if err := freeNames(p, t, steps); err != nil {
		return err
	}
	now := planspec.Of(p)
	want := now.Clone()
	s := want.Find(t.Number())
	if t.Kind == "" {
		s.Type = planspec.Subtask
	}
	s.ReplaceChildren(steps)
	if planspec.Equal(now, want) {
		return nil
	}
	steps = s.Children // by their new numbers
	for _, c := range p.All() {
		a.touched[c.ID] = 0 // an id that a task had is not another's
	}
	if err := p.Clear(t, by); err != nil {
		return err
	}
	start := by
	start.To, start.Lease = plan.InProgress, 0 // it is worked on through what is below it
	if _, err := p.Transition(t, start); err != nil {
		return err
	}
	return a.insertAll(t, steps)
}

// insertAll makes tasks of steps, numbered in their order. Their statuses are
// those that the steps have, containers included.
func (a *Applied) insertAll(parent *plan.Task, steps []*planspec.Step) error {
	for i, s := range steps {
		t, err := a.insert(parent, i+1, s)
		if err != nil {
			return err
		}
		if err := a.insertAll(t, s.Children); err != nil {
			return err
		}
	}
	return nil
}

// freeNames fails if a step has the name of a task that stays.
func freeNames(p *plan.Plan, t *plan.Task, steps []*planspec.Step) error {
	taken := map[string]*plan.Task{}
	for _, u := range p.All() {
		if name := u.Doc.Text("step_name"); name != "" && !t.IsAncestorOf(u) {
			taken[name] = u
		}
	}
	var err error
	(&planspec.Plan{Steps: steps}).Walk(func(s *planspec.Step) {
		if u := taken[s.Name]; s.Name != "" && u != nil && err == nil {
			err = &planspec.StepError{ID: s.ID, Reason: fmt.Sprintf("step %s (%s): duplicate name, first seen at step %s of the plan", s.ID, short(s.Name), u.Number())}
		}
	})
	return err
}
