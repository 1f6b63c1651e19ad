package plancmd

import (
	"path"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Blame finds the command that a finding of the gate is about: the last that
// named the task in whose file it is, else a task above that one, else a task
// that its message names. It gives its index, or -1.
func (a *Applied) Blame(d diag.Diagnostic) int {
	named := -1
	for _, t := range a.plan.All() {
		if d.Path == path.Join(a.plan.Prefix, t.Doc.Path) {
			if i := a.above(t); i >= 0 {
				return i
			}
		}
		if i, ok := a.touched[t.ID]; ok && strings.Contains(d.Message, "`"+t.ID+"`") {
			named = max(named, i)
		}
	}
	return named
}

// above gives the command that named a task or the nearest task above it.
func (a *Applied) above(t *plan.Task) int {
	for ; t != nil; t = t.Parent {
		if i, ok := a.touched[t.ID]; ok {
			return i
		}
	}
	return -1
}
