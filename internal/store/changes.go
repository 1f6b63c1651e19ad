package store

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// fileChanges gives what must change in the stored folder. A folder that
// holds more than its plan is written anew as a whole.
func fileChanges(before *Stored, folder string, after *plan.Plan, whole bool) []gitstore.FileChange {
	old := map[string][]byte{}
	var out []gitstore.FileChange
	if before != nil {
		folder, old = before.Path, before.Plan.Files()
		if whole && len(Strays(before.Plan, before.Found)) > 0 {
			out, old = append(out, gitstore.FileChange{Path: folder, Delete: true}), nil
		}
	}
	now := after.Files()
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if _, ok := now[name]; !ok {
			out = append(out, gitstore.FileChange{Path: path.Join(folder, name), Delete: true})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if data, ok := old[name]; !ok || string(data) != string(now[name]) {
			out = append(out, gitstore.FileChange{Path: path.Join(folder, name), Data: now[name]})
		}
	}
	return out
}

// Strays picks the findings about entries that are no files of the plan, by
// name or mode, or were not read for their size: what a look at the plan's
// files alone would not find.
func Strays(p *plan.Plan, found []diag.Diagnostic) []diag.Diagnostic {
	files := p.Files()
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool {
		_, own := files[strings.TrimPrefix(d.Path, p.Prefix+"/")]
		return own && d.Rule != plan.RuleLimits && d.Rule != plan.RuleFileMode
	})
}
