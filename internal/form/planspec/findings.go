package planspec

import (
	"fmt"

	"github.com/git-plan/git-plan/plan/diag"
)

// The ids of the rules that findings name.
const (
	// RuleSyntax: each line is part of a PlanSpec.
	RuleSyntax = "planspec-syntax"
	// RuleID: each step's number is there once, below that of its parent.
	RuleID = "planspec-id"
	// RuleLimits: no text has more than [MaxText] bytes or [MaxLines] lines.
	RuleLimits = "limits"
	// RuleEncoding: text is UTF-8.
	RuleEncoding = "encoding"
	// RuleJSON: JSON has the keys and types it should.
	RuleJSON = "planspec-json"
)

// maxFindings bounds what is said of a text that is something else.
const maxFindings = 1000

// findings are what is wrong with a text being read.
type findings struct {
	found []diag.Diagnostic
	more  int // those beyond maxFindings
}

func (f *findings) report(d diag.Diagnostic) {
	if len(f.found) >= maxFindings {
		f.more++
		return
	}
	f.found = append(f.found, d)
}

func (f *findings) fail(pos diag.Pos, rule, hint, format string, args ...any) {
	f.report(diag.Diagnostic{Pos: pos, Severity: diag.Error, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (f *findings) warn(pos diag.Pos, rule, hint, format string, args ...any) {
	f.report(diag.Diagnostic{Pos: pos, Severity: diag.Warning, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (f *findings) limit(size int) {
	f.fail(diag.Pos{Line: 1, Column: 1}, RuleLimits, "split the plan", "the text is %d bytes, over the limit of %d", size, MaxText)
}

// close tells, at the last line, of the findings that were left out.
func (f *findings) close(line int) {
	if f.more > 0 {
		f.found = append(f.found, diag.Diagnostic{Pos: diag.Pos{Line: line, Column: 1}, Severity: diag.Error, Rule: RuleSyntax,
			Message: fmt.Sprintf("%d more findings are left out", f.more), Hint: "check that the text is a plan"})
	}
}
