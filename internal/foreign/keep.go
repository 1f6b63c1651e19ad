package foreign

import "github.com/git-plan/git-plan/plan"

// Signals gives those of a stored plan that are on the plan or on a task that is
// still there, and tells of the others. Onto is nil where nothing is stored.
func Signals(onto *plan.Plan, has func(task string) bool) (kept []plan.File, lost []string) {
	if onto == nil {
		return nil, nil
	}
	for _, s := range onto.Signals {
		if s.Task == "" || has(s.Task) {
			kept = append(kept, plan.File{Path: s.Doc.Path, Data: []byte(s.Doc.Source)})
		} else {
			lost = append(lost, "the signal "+s.ID+", whose task is no more")
		}
	}
	return kept, lost
}

// NewIDs gives an id to each task that has none yet, made of its title. An id that
// a task of the stored plan had, which may be nil, is not another's.
func NewIDs(ids []string, title func(i int) string, onto *plan.Plan) {
	taken := map[string]bool{}
	for _, id := range ids {
		taken[id] = true
	}
	if onto != nil {
		for _, t := range onto.All() {
			taken[t.ID] = true
		}
	}
	for i, id := range ids {
		if id == "" {
			ids[i] = plan.NewID(title(i), "task", func(id string) bool { return taken[id] })
			taken[ids[i]] = true
		}
	}
}
