package specmap

import (
	"strings"

	"github.com/git-plan/git-plan/internal/foreign"
	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan"
)

// Spec is [FromPlan] for who does not ask what is lost.
func Spec(p *plan.Plan) *planspec.Plan { return specOf(p) }

// StepOf gives the step that a task is, without what is below it.
func StepOf(t *plan.Task) *planspec.Step {
	alone := *t
	s := stepsOf([]*plan.Task{&alone})[0]
	s.Children = nil
	return s
}

// TaskSource makes the text of the file of a new task with an id.
func TaskSource(id string, s *planspec.Step) ([]byte, error) {
	m := &maker{tasks: map[*planspec.Step]*plan.Task{}, ids: map[*planspec.Step]string{s: id}}
	f := m.taskFile("tasks/01-task.md", s)
	if len(m.errs) > 0 {
		return nil, m.errs[0].err
	}
	return f.Data, nil
}

// Redefined brings the file of a task, which says what was says, to what s says
// of what is to be done: type, name, description, detail, inputs and outputs.
func Redefined(t *plan.Task, was, s *planspec.Step) (*plan.Document, error) {
	b := &foreign.Builder{Doc: t.Doc}
	(&maker{}).words(b, s, was)
	setText(b, "kind", was.Type, s.Type)
	setText(b, "step_name", was.Name, s.Name)
	setList(b, "inputs", was.Inputs, s.Inputs)
	setList(b, "outputs", was.Outputs, s.Outputs)
	if len(b.Refused) > 0 {
		return nil, &plan.EditError{Path: t.Doc.Path, Key: "title", Reason: strings.Join(b.Refused, "; "), Hint: "edit the file by hand"}
	}
	return b.Doc, nil
}
