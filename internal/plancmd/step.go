package plancmd

import (
	"cmp"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
)

// insert makes a task of a step, without what is below it.
func (a *Applied) insert(parent *plan.Task, nn int, step *form.Item) (*plan.Task, error) {
	text := cmp.Or(step.Get("step_name"), step.Title(), "Step "+step.Number)
	id := plan.NewID(text, "task", func(id string) bool {
		_, used := a.touched[id]
		return used || a.plan.Task(id) != nil
	})
	source, err := planspec.TaskSource(id, step)
	if err != nil {
		return nil, err
	}
	return a.plan.Insert(parent, nn, id, source, a.by)
}

// unnamed gives the steps of tasks that are called by their numbers, as they
// have no description.
func (a *Applied) unnamed() map[*plan.Task]*form.Item {
	out := map[*plan.Task]*form.Item{}
	for _, t := range a.plan.All() {
		if !strings.HasPrefix(t.Title(), "Step ") {
			continue
		}
		if s := planspec.StepOf(t); s.Title() == "" {
			out[t] = s
		}
	}
	return out
}

// rename calls tasks by the numbers that they have now.
func (a *Applied) rename(tasks map[*plan.Task]*form.Item) error {
	for t, was := range tasks {
		if t.Number() == was.Number {
			continue
		}
		now := *was
		now.Number = t.Number()
		if err := a.redefine(t, was, &now); err != nil {
			return err
		}
	}
	return nil
}

func (a *Applied) redefine(t *plan.Task, was, now *form.Item) error {
	doc, err := planspec.Redefined(t, was, now)
	if err == nil {
		a.plan.Replace(t, doc)
	}
	return err
}
