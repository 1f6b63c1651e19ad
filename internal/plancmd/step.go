package plancmd

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan"
)

// title is what a step without a description is called by its number.
func title(s *planspec.Step) string {
	if text := strings.TrimSpace(s.Description); text != "" {
		return text
	}
	return "Step " + s.ID
}

// bodyOf is the body of a step's task: its detail, else its title.
func bodyOf(s *planspec.Step) string {
	if text := strings.Join(s.Detail, "\n"); strings.TrimSpace(text) != "" {
		return text
	}
	return title(s)
}

// hasDetail reports whether a task's body says more than its title.
func hasDetail(t *plan.Task) bool {
	return strings.TrimSpace(strings.TrimLeft(t.Doc.Body, "# \n")) != strings.TrimSpace(t.Title())
}

// insert makes a task of a step, without what is below it.
func (a *Applied) insert(parent *plan.Task, nn int, s *planspec.Step) (*plan.Task, error) {
	id := plan.NewID(slugText(s), "task", func(id string) bool {
		_, used := a.touched[id]
		return used || a.plan.Task(id) != nil
	})
	fields := map[string]any{"id": id, "title": title(s)}
	for name, text := range map[string]string{
		"kind": s.Type, "step_name": s.Name, "result": s.Result, "progress": progress(s), "status": string(status(s.Status)),
	} {
		if text != "" {
			fields[name] = text
		}
	}
	for name, items := range map[string][]string{"inputs": s.Inputs, "outputs": s.Outputs} {
		if len(items) > 0 {
			fields[name] = items
		}
	}
	return a.plan.Insert(parent, nn, id, fields, bodyOf(s), a.by)
}

// slugText is what a step's id is made of.
func slugText(s *planspec.Step) string {
	if s.Name != "" {
		return s.Name
	}
	return title(s)
}

// status is that of a task, empty for one that need not be written.
func status(s planspec.Status) plan.Status {
	switch s {
	case planspec.Active:
		return plan.InProgress
	case planspec.Done:
		return plan.Done
	case planspec.Blocked:
		return plan.Blocked
	case planspec.Skipped:
		return plan.Skipped
	}
	return ""
}

// progress writes how many iterations are done, and of how many.
func progress(s *planspec.Step) string {
	switch {
	case s.TotalCount != nil:
		return fmt.Sprintf("%d/%d", s.DoneCount, *s.TotalCount)
	case s.DoneCount != 0:
		return fmt.Sprint(s.DoneCount)
	}
	return ""
}
