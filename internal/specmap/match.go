package specmap

import (
	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan"
)

// match finds for steps the tasks that they are in a stored plan: by name, then
// by title, of which one with the same number is preferred.
func match(p *planspec.Plan, onto *plan.Plan) map[*planspec.Step]*plan.Task {
	out := map[*planspec.Step]*plan.Task{}
	if onto == nil {
		return out
	}
	m := matcher{tasks: out, used: map[*plan.Task]bool{}, known: map[string][]*plan.Task{}}
	for _, t := range onto.All() {
		if name := t.Doc.Text("step_name"); name != "" {
			m.add("name\n"+name, t)
		}
		m.add("number\n"+t.Number()+"\n"+oneLine(t.Title()), t)
		m.add("title\n"+oneLine(t.Title()), t)
	}
	for _, key := range []func(s *planspec.Step) string{
		func(s *planspec.Step) string { return "name\n" + s.Name },
		func(s *planspec.Step) string { return "number\n" + s.ID + "\n" + titleOf(s) },
		func(s *planspec.Step) string { return "title\n" + titleOf(s) },
	} {
		p.Walk(func(s *planspec.Step) { m.find(s, key(s)) })
	}
	return out
}

type matcher struct {
	tasks map[*planspec.Step]*plan.Task
	used  map[*plan.Task]bool
	known map[string][]*plan.Task
}

func (m *matcher) add(key string, t *plan.Task) {
	if plan.IsKebab(t.ID) && t.Doc.Readable {
		m.known[key] = append(m.known[key], t)
	}
}

func (m *matcher) find(s *planspec.Step, key string) {
	for m.tasks[s] == nil && len(m.known[key]) > 0 {
		t := m.known[key][0]
		m.known[key] = m.known[key][1:]
		if !m.used[t] {
			m.tasks[s], m.used[t] = t, true
		}
	}
}
