package merge

import (
	"maps"
	"slices"
	"strconv"

	"github.com/git-plan/git-plan/plan"
)

// renameClashes gives our new tasks another id where they made a different task of
// that id, and what depends on them follows.
func (m *merger) renameClashes() {
	mine, others := m.ours, m.theirs
	renamed := map[string]string{}
	for _, t := range mine.All() {
		clash := others.Task(t.ID)
		if t.ID == "" || mine.Task(t.ID) != t || clash == nil || m.base.Task(t.ID) != nil || !plan.TaskChanged(others, t) {
			continue
		}
		taken := func(id string) bool {
			return mine.Task(id) != nil || others.Task(id) != nil || m.base.Task(id) != nil || slices.Contains(slices.Collect(maps.Values(renamed)), id)
		}
		renamed[t.ID] = another(t.ID, taken)
	}
	if len(renamed) == 0 {
		return
	}
	p, err := rename(m.base, mine, renamed)
	if err != nil {
		m.stuck(Conflict{Field: "id", Message: err.Error()})
		return
	}
	for _, t := range mine.All() {
		if to := renamed[t.ID]; to != "" {
			m.note("task %s: the id is taken, it is %s now", t.ID, to)
		}
	}
	m.ours, m.renamed = p, renamed
}

// another gives the first of id-2, id-3 … that is free.
func another(id string, taken func(string) bool) string {
	for n := 2; ; n++ {
		if next := id + "-" + strconv.Itoa(n); !taken(next) {
			return next
		}
	}
}

// rename gives a plan with other ids for tasks, followed by what names them. A
// file that named such an id in base already means another task.
func rename(base, p *plan.Plan, ids map[string]string) (*plan.Plan, error) {
	files, before := map[string][]byte{}, map[string]*plan.Document{}
	for _, d := range base.Documents() {
		before[d.Path] = d
	}
	for _, d := range p.Documents() {
		old, err := before[d.Path], error(nil)
		for _, key := range []string{"id", "task"} {
			if to := ids[d.Text(key)]; to != "" && old.Text(key) != d.Text(key) {
				if d, err = d.Set(key, plan.Value(to)); err != nil {
					return nil, err
				}
			}
		}
		needs := slices.Clone(d.List("depends_on"))
		for i, id := range needs {
			if to := ids[id]; to != "" && !slices.Contains(old.List("depends_on"), id) {
				needs[i] = to
			}
		}
		if !slices.Equal(needs, d.List("depends_on")) {
			if d, err = d.Set("depends_on", plan.Value(needs)); err != nil {
				return nil, err
			}
		}
		files[d.Path] = []byte(d.Source)
	}
	return read(p.ID, p.Prefix, files), nil
}

// RenameTasks gives a plan in which tasks have other ids, by the old ones, with what
// names them.
func RenameTasks(p *plan.Plan, ids map[string]string) (*plan.Plan, error) {
	if p == nil || len(ids) == 0 {
		return p, nil
	}
	return rename(read(p.ID, "", nil), p, ids)
}
