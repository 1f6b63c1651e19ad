package planspec

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/plan/diag"
)

// The ids of the rules that [Validate] holds a plan to.
const (
	RuleSteps     = "planspec-steps"     // there is a step
	RuleType      = "planspec-type"      // each type is known
	RuleName      = "planspec-name"      // no two steps have one name
	RuleContainer = "planspec-container" // only decide and subtask have children
	RuleGoal      = "planspec-goal"      // there is a goal
	RuleChildren  = "planspec-children"  // decide and subtask have children
)

// Validate judges a plan and gives what is wrong with it, rule by rule. A
// childless container is a warning, all else an error.
func Validate(p *Plan) []diag.Diagnostic {
	j := &judge{names: map[string]*Step{}}
	if len(p.Steps) == 0 {
		j.fail(nil, RuleSteps, "write at least one, such as `1. [act] …`, below `## Steps`", "plan has no steps")
	}
	p.Walk(j.typ)
	p.Walk(j.name)
	p.Walk(j.container)
	if p.Goal == "" {
		j.fail(nil, RuleGoal, "write one sentence as `Goal: …`", "plan has no goal")
	}
	p.Walk(j.children)
	return j.found
}

type judge struct {
	found []diag.Diagnostic
	names map[string]*Step // the first of each name
}

// fail reports an error of a step, or of the plan.
func (j *judge) fail(s *Step, rule, hint, format string, args ...any) {
	pos := diag.Pos{Line: 1, Column: 1}
	if s != nil {
		pos = s.Pos
	}
	j.found = append(j.found, diag.Diagnostic{Pos: pos, Severity: diag.Error, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (j *judge) typ(s *Step) {
	if !slices.Contains(Types(), s.Type) {
		j.fail(s, RuleType, "write one of [reason], [act], [decide], [subtask] before the description", "%s: invalid type '%s'", s.Label(), quoteShort(s.Type))
	}
}

func (j *judge) name(s *Step) {
	first := j.names[s.Name]
	switch {
	case s.Name == "":
	case first == nil:
		j.names[s.Name] = s
	default:
		j.fail(s, RuleName, "give it another name, or none", "%s: duplicate name, first seen at step %s", s.Label(), quoteShort(first.ID))
	}
}

func (j *judge) container(s *Step) {
	if len(s.Children) > 0 && !IsContainer(s.Type) {
		j.fail(s, RuleContainer, "make it a subtask or decide", "%s: type '%s' cannot have children", s.Label(), quoteShort(s.Type))
	}
}

func (j *judge) children(s *Step) {
	if len(s.Children) == 0 && IsContainer(s.Type) {
		j.fail(s, RuleChildren, "add its steps, or make it a reason or act", "%s: type '%s' has no children", s.Label(), s.Type)
		j.found[len(j.found)-1].Severity = diag.Warning
	}
}
