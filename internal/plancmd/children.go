package plancmd

import (
	"fmt"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
)

// ReplaceChildren puts steps below a task, in the place of what is there, and
// starts it. Where just these steps are below a task in progress already,
// nothing changes.
func ReplaceChildren(p *plan.Plan, t *plan.Task, steps []*form.Item, by plan.Move) error {
	a := &Applied{plan: p, by: by, touched: map[string]int{}}
	if err := mayHaveChildren(t, t.Kind); err != nil {
		return err
	}
	if err := freeNames(p, t, steps); err != nil {
		return err
	}
	steps = numbered(steps, t.Number(), true)
	if t.Status == plan.InProgress {
		there, errThere := planspec.Serialize(&form.Outline{Items: planspec.Of(p).Find(t.Number()).Children})
		asked, errAsked := planspec.Serialize(&form.Outline{Items: steps})
		if there == asked && errThere == nil && errAsked == nil {
			return nil
		}
	}
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

// numbered gives copies of steps that are numbered below another: anew in their
// order, or each with the number that it has among its siblings.
func numbered(steps []*form.Item, above string, anew bool) []*form.Item {
	steps = form.CloneItems(steps)
	for i, s := range steps {
		n := form.Last(s.Number)
		if anew {
			n = i + 1
		}
		s.Number = form.Below(above, n)
		s.Children = numbered(s.Children, s.Number, false)
	}
	return steps
}

// insertAll makes tasks of steps, numbered in their order. Their statuses are
// those that the steps have, containers included.
func (a *Applied) insertAll(parent *plan.Task, steps []*form.Item) error {
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
func freeNames(p *plan.Plan, t *plan.Task, steps []*form.Item) error {
	taken := map[string]*plan.Task{}
	for _, u := range p.All() {
		if name := u.Doc.Text("step_name"); name != "" && !t.IsAncestorOf(u) {
			taken[name] = u
		}
	}
	for _, s := range (&form.Outline{Items: steps}).All() {
		if name := s.Get("step_name"); name != "" && taken[name] != nil {
			return &planspec.StepError{ID: s.Number, Reason: fmt.Sprintf("step %s (%s): duplicate name, first seen at step %s of the plan", s.Number, short(name), taken[name].Number())}
		}
	}
	return nil
}
