package merge

import (
	"path"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// Untangle makes a state that native git put on top of what is published, by a
// rebase say, one that can be merged with it: where a new task has the number or
// the id of a published one, that one is taken out of base and ours, so that it
// counts as what the published side made meanwhile. A published task that ours
// has changed stays.
func Untangle(base, ours, theirs *plan.Plan) (b, o *plan.Plan) {
	if base == nil || ours == nil || theirs == nil {
		return base, ours
	}
	before, mine, there := base.Files(), ours.Files(), theirs.Files()
	fresh := map[string]bool{}
	for _, t := range ours.All() {
		if _, old := before[t.Doc.Path]; !old {
			fresh[number(t)], fresh["id "+t.ID] = true, true
		}
	}
	clash := false
	for _, t := range ours.All() {
		if _, old := before[t.Doc.Path]; !old || !fresh[number(t)] && !fresh["id "+t.ID] {
			continue
		}
		if files := below(mine, t); unchanged(files, mine, before, there) {
			clash = true
			for _, name := range files {
				delete(before, name)
				delete(mine, name)
			}
		}
	}
	if !clash {
		return base, ours
	}
	return read(base.ID, base.Prefix, before), read(ours.ID, ours.Prefix, mine)
}

// number tells the place that no two tasks may share.
func number(t *plan.Task) string {
	folder, name := path.Split(t.Doc.Path)
	return folder + name[:min(2, len(name))]
}

// below gives a task's files: its own and those of its descendants.
func below(files map[string][]byte, t *plan.Task) []string {
	folder := strings.TrimSuffix(t.Doc.Path, ".md") + "/"
	var out []string
	for name := range files {
		if name == t.Doc.Path || strings.HasPrefix(name, folder) {
			out = append(out, name)
		}
	}
	return out
}

// unchanged reports whether states have some files alike.
func unchanged(names []string, first map[string][]byte, others ...map[string][]byte) bool {
	for _, name := range names {
		for _, o := range others {
			if data, there := o[name]; !there || string(data) != string(first[name]) {
				return false
			}
		}
	}
	return true
}
