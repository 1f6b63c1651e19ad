package validate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// made is what the tasks of a plan bring into being.
type made struct {
	plan  *plan.Plan
	paths []madePath              // sorted
	whole map[string]bool         // those of paths that end in a slash
	many  map[string]plan.TaskSet // what makers gave for paths that many make
	reach *plan.Reach
}

// madePath is an entry of a task's creates, clean but for a slash at the end
// of a folder that is made with all that is in it.
type madePath struct {
	path string
	task *plan.Task
}

func newMade(p *plan.Plan) *made {
	m := &made{plan: p, whole: map[string]bool{}, many: map[string]plan.TaskSet{}}
	for _, t := range p.All() {
		for _, name := range t.Doc.List("creates") {
			clean := path.Clean(name)
			if strings.HasSuffix(name, "/") {
				clean += "/"
				m.whole[clean] = true
			}
			m.paths = append(m.paths, madePath{clean, t})
		}
	}
	slices.SortStableFunc(m.paths, func(a, b madePath) int { return cmp.Compare(a.path, b.path) })
	return m
}

// makers gives the tasks that make a clean path: as such, with a folder it is
// in, or by making something below it. It is nil where none does.
func (m *made) makers(p string) plan.TaskSet {
	if set := m.many[p]; set != nil {
		return set
	}
	tasks := m.with(p, func(s string) bool { return s == p })
	for i := range len(p) {
		if p[i] == '/' && m.whole[p[:i+1]] {
			tasks = append(tasks, m.with(p[:i+1], func(s string) bool { return s == p[:i+1] })...)
		}
	}
	tasks = append(tasks, m.with(p+"/", func(s string) bool { return strings.HasPrefix(s, p+"/") })...)
	if len(tasks) == 0 {
		return nil
	}
	set := m.plan.TaskSet(tasks)
	if len(tasks) > 64 {
		m.many[p] = set
	}
	return set
}

// with gives the tasks that make the paths from one on which are wanted; those
// stand together.
func (m *made) with(from string, want func(string) bool) []*plan.Task {
	at, _ := slices.BinarySearchFunc(m.paths, from, func(a madePath, s string) int { return cmp.Compare(a.path, s) })
	var out []*plan.Task
	for ; at < len(m.paths) && want(m.paths[at].path); at++ {
		out = append(out, m.paths[at].task)
	}
	return out
}

// isMade reports whether the task, one below it or one that it waits for makes
// the path.
func (c *Context) isMade(t *plan.Task, p string) bool {
	if c.made == nil {
		c.made = newMade(c.Plan)
	}
	makers := c.made.makers(p)
	if makers == nil {
		return false
	}
	if c.made.reach == nil {
		c.made.reach = c.Plan.Graph().Reach()
	}
	return c.made.reach.Relies(t, makers)
}
