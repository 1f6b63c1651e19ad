package planspec

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/internal/form"
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

// Validate judges a plan and gives what is wrong with it. A
// childless container is a warning, all else an error.
func Validate(o *form.Outline) []diag.Diagnostic {
	var found []diag.Diagnostic
	fail := func(it *form.Item, rule, hint, format string, args ...any) {
		d := diag.Diagnostic{Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint}
		if it != nil {
			d.Pos, d.Message = it.Pos, Label(it)+": "+d.Message
		}
		found = append(found, d)
	}
	all, first := o.All(), map[string]*form.Item{}
	if len(all) == 0 {
		fail(nil, RuleSteps, "write at least one, such as `1. [act] …`, below `## Steps`", "plan has no steps")
	}
	if o.Plan.Get("goal") == "" {
		fail(nil, RuleGoal, "write one sentence as `Goal: …`", "plan has no goal")
	}
	for _, it := range all {
		typ, name := it.Get("kind"), it.Get("step_name")
		if !slices.Contains(Types(), typ) {
			fail(it, RuleType, "write one of [reason], [act], [decide], [subtask] before the description", "invalid type '%s'", quoteShort(typ))
		}
		switch {
		case name == "":
		case first[name] == nil:
			first[name] = it
		default:
			fail(it, RuleName, "give it another name, or none", "duplicate name, first seen at step %s", quoteShort(first[name].Number))
		}
		switch below := len(it.Children) > 0; {
		case below && !IsContainer(typ):
			fail(it, RuleContainer, "make it a subtask or decide", "type '%s' cannot have children", quoteShort(typ))
		case !below && IsContainer(typ):
			fail(it, RuleChildren, "add its steps, or make it a reason or act", "type '%s' has no children", typ)
			found[len(found)-1].Severity = diag.Warning
		}
	}
	return found
}
