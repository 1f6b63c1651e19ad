package specmap

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/foreign"
	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Check gives what of a PlanSpec no plan of ours can hold, at the places of its
// steps.
func Check(p *planspec.Plan) []diag.Diagnostic {
	c := &checker{}
	c.steps(p.Steps)
	if len(c.found) > 0 {
		return c.found
	}
	m := newMaker(p, nil)
	m.add(m.planFile())
	m.steps("tasks", p.Steps)
	for _, e := range m.errs {
		c.refused(e)
	}
	return c.found
}

type checker struct {
	found []diag.Diagnostic
	deep  bool // a step that is too deep was reported
}

func (c *checker) limit(s *planspec.Step, hint, message string) {
	c.found = append(c.found, diag.Diagnostic{Pos: s.Pos, Severity: diag.Error, Rule: plan.RuleLimits, Message: message, Hint: hint})
}

// steps checks siblings, and reports the first of them that is too many.
func (c *checker) steps(steps []*planspec.Step) {
	for i, s := range steps {
		if i == plan.MaxSiblings || number(s) > plan.MaxSiblings {
			c.limit(s, "put some of them below a subtask", fmt.Sprintf("step %s: at most %d steps can be stored beside each other, numbered up to %d", foreign.Short(s.ID), plan.MaxSiblings, plan.MaxSiblings))
			break
		}
	}
	for _, s := range steps {
		if strings.Count(s.ID, ".") >= plan.MaxDepth && !c.deep {
			c.deep = true
			c.limit(s, "move the steps up", fmt.Sprintf("step %s is deeper than the %d levels of tasks that can be stored", foreign.Short(s.ID), plan.MaxDepth))
			return
		}
		c.steps(s.Children)
	}
}

// refused reports a file that cannot be made.
func (c *checker) refused(e stepError) {
	d := diag.Diagnostic{Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: plan.RuleEncoding, Message: e.err.Error(), Hint: "leave it out"}
	var edit *plan.EditError
	if errors.As(e.err, &edit) {
		d.Message, d.Hint = edit.Reason, cmp.Or(edit.Hint, d.Hint)
	}
	if e.step != nil {
		d.Pos, d.Message = e.step.Pos, e.step.Label()+": "+d.Message
	}
	c.found = append(c.found, d)
}
