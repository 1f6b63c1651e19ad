package specmap

import (
	"strings"

	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan"
)

// FromPlan gives the PlanSpec of a plan. What it cannot hold is told in losses,
// a phrase each.
func FromPlan(p *plan.Plan) (spec *planspec.Plan, losses []string) {
	spec = specOf(p)
	return spec, lost(p, spec)
}

func specOf(p *plan.Plan) *planspec.Plan {
	spec := &planspec.Plan{}
	if p.Doc != nil {
		spec.Title, spec.Goal = oneLine(p.Title()), oneLine(p.Doc.Text("goal"))
		if spec.Goal == "" {
			spec.Title, spec.Goal = "", spec.Title
		}
		for _, text := range p.Doc.List("goal_detail") {
			spec.GoalDetail = append(spec.GoalDetail, orEmpty(splitLines(text))...)
		}
		for _, text := range p.Doc.List("constraints") {
			spec.Constraints = append(spec.Constraints, oneLine(text))
		}
	}
	spec.Steps = stepsOf(p.Tasks)
	named := map[string]bool{}
	spec.Walk(func(s *planspec.Step) {
		if named[s.Name] {
			s.Name = ""
		}
		named[s.Name] = s.Name != ""
	})
	return spec
}

// orEmpty makes one empty line of none.
func orEmpty(lines []string) []string {
	if len(lines) == 0 {
		return []string{""}
	}
	return lines
}

func stepsOf(tasks []*plan.Task) []*planspec.Step {
	var out []*planspec.Step
	for _, t := range tasks {
		s := stepOf(t)
		s.Type = t.Kind
		switch {
		case s.Type != "":
		case len(t.Children) > 0:
			s.Type = planspec.Subtask
		default:
			s.Type = planspec.Act
		}
		s.Children = stepsOf(t.Children)
		out = append(out, s)
	}
	return out
}

// stepOf reads what a task's file says.
func stepOf(t *plan.Task) *planspec.Step {
	d, title := t.Doc, oneLine(t.Title())
	s := &planspec.Step{
		ID: t.Number(), Name: nameOf(d.Text("step_name")), Description: title, Result: oneLine(d.Text("result")), Status: specStatus(t.Status),
		Inputs: namesOf(d.List("inputs")), Outputs: namesOf(d.List("outputs")), Detail: detailOf(d.Body, title),
	}
	if title == stepTitle(s.ID) && d.Text(keyDescription) != title {
		s.Description = ""
	}
	if kept := d.List(keyDetail); len(kept) > 0 && bodyOf(kept, title) == strings.Join(trimLines(splitLines(d.Body)), "\n") {
		s.Detail = kept
	}
	if f := d.Field("progress"); f != nil {
		readProgress(s, f.Value.Text)
	}
	return s
}
