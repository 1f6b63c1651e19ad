package plancmd

import (
	"strings"

	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
)

// insert makes a task of a step, without what is below it.
func (a *Applied) insert(parent *plan.Task, nn int, s *planspec.Step) (*plan.Task, error) {
	text := "Step " + s.ID
	for _, better := range []string{s.Description, s.Name} {
		if better != "" {
			text = better
		}
	}
	id := plan.NewID(text, "task", func(id string) bool {
		_, used := a.touched[id]
		return used || a.plan.Task(id) != nil
	})
	source, err := planspec.TaskSource(id, s)
	if err != nil {
		return nil, err
	}
	return a.plan.Insert(parent, nn, id, source, a.by)
}

// unnamed gives the steps of tasks that are called by their numbers, as they
// have no description.
func (a *Applied) unnamed() map[*plan.Task]*planspec.Step {
	out := map[*plan.Task]*planspec.Step{}
	for _, t := range a.plan.All() {
		if !strings.HasPrefix(t.Title(), "Step ") {
			continue
		}
		if s := planspec.StepOf(t); s.Description == "" {
			out[t] = s
		}
	}
	return out
}

// rename calls tasks by the numbers that they have now.
func (a *Applied) rename(tasks map[*plan.Task]*planspec.Step) error {
	for t, was := range tasks {
		if t.Number() == was.ID {
			continue
		}
		s := *was
		s.ID = t.Number()
		if err := a.redefine(t, was, &s); err != nil {
			return err
		}
	}
	return nil
}

func (a *Applied) redefine(t *plan.Task, was, s *planspec.Step) error {
	doc, err := planspec.Redefined(t, was, s)
	if err == nil {
		a.plan.Replace(t, doc)
	}
	return err
}
