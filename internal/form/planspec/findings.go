package planspec

import (
	"fmt"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// The ids of the rules that findings name, but for those that plans of ours have,
// too.
const (
	// RuleSyntax: each line is part of a PlanSpec.
	RuleSyntax = "planspec-syntax"
	// RuleID: each step's number is there once, below that of its parent.
	RuleID = "planspec-id"
	// RuleJSON: JSON has the keys and types it should.
	RuleJSON = "planspec-json"
)

// findings are what is wrong with a text being read.
type findings struct {
	found []diag.Diagnostic
}

func (f *findings) fail(pos diag.Pos, rule, hint, format string, args ...any) {
	f.found = append(f.found, diag.Diagnostic{Pos: pos, Severity: diag.Error, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// warn is fail for what does not prevent that the text is read.
func (f *findings) warn(pos diag.Pos, rule, hint, format string, args ...any) {
	f.fail(pos, rule, hint, format, args...)
	f.found[len(f.found)-1].Severity = diag.Warning
}

func (f *findings) limit(size int) {
	f.fail(diag.Pos{Line: 1, Column: 1}, plan.RuleLimits, "split the plan", "the text is %d bytes, over the limit of %d", size, MaxText)
}
