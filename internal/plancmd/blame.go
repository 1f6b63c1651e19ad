package plancmd

import (
	"path"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// Blame finds the command that a finding of the gate is about: the last that
// named the task in whose file it is. It gives its index, or -1.
func (a *Applied) Blame(d diag.Diagnostic) int {
	for _, t := range a.plan.All() {
		if i, ok := a.touched[t.ID]; ok && (d.Path == path.Join(a.plan.Prefix, t.Doc.Path) || strings.Contains(d.Message, "`"+t.ID+"`")) {
			return i
		}
	}
	return -1
}
