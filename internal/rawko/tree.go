package rawko

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// place decides where each step's file is. A stored tree, which this form does
// not show, stays as long as the steps are its leaves in their order; steps
// that follow come after it, at the top.
func (m *maker) place() {
	above := m.above()
	m.kept = len(above) > 0 && m.sameLeaves()
	if len(above) > 0 && !m.kept {
		m.lose("the tree of the stored plan: %s with others below, as the steps are not those of the tree in their order", words.Count(len(above), "task"))
	}
	last := 0
	if m.kept {
		last = m.onto.Tasks[len(m.onto.Tasks)-1].NN
	}
	for i := range m.from.Steps {
		if m.kept && m.tasks[i] != nil {
			m.paths = append(m.paths, m.tasks[i].Doc.Path)
			continue
		}
		last++
		m.paths = append(m.paths, fmt.Sprintf("tasks/%02d-%s.md", last, m.slug(i)))
	}
	m.from.pos.files = m.paths
}

// above gives the stored tasks that have others below them.
func (m *maker) above() []*plan.Task {
	if m.onto == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.onto.All()), func(t *plan.Task) bool { return len(t.Children) == 0 })
}

// sameLeaves reports whether the first steps are the stored leaves, all of them,
// and the others are new.
func (m *maker) sameLeaves() bool {
	leaves := Leaves(m.onto)
	if len(leaves) > len(m.tasks) || !slices.Equal(leaves, m.tasks[:len(leaves)]) {
		return false
	}
	for i, t := range leaves {
		if t.ID != m.ids[i] || !t.Doc.Readable {
			return false
		}
	}
	return true
}

// inOrder reports whether stored tasks are still in their order: then they find
// the makers of their inputs where these were.
func (m *maker) inOrder() bool {
	last := -1
	leaves := Leaves(m.onto)
	for _, t := range m.tasks {
		if t == nil {
			continue
		}
		at := slices.Index(leaves, t)
		if at < last {
			return false
		}
		last = at
	}
	return true
}

// treeFiles gives the files of the tasks above, if they are kept.
func (m *maker) treeFiles() []plan.File {
	if !m.kept {
		return nil
	}
	var out []plan.File
	for _, t := range m.above() {
		out = append(out, plan.File{Path: t.Doc.Path, Data: []byte(t.Doc.Source)})
	}
	return out
}

// has reports whether the plan that is made has a task of that id.
func (m *maker) has(id string) bool {
	return slices.Contains(m.ids, id) || m.kept && slices.ContainsFunc(m.above(), func(t *plan.Task) bool { return t.ID == id })
}
