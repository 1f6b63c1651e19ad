package specmap

import (
	"slices"

	"github.com/git-plan/git-plan/internal/foreign"
	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan"
)

// odd gives what must be kept beside title and body, or nothing.
func odd(s *planspec.Step) (description string, detail []string) {
	if s.Description == stepTitle(s.ID) {
		description = s.Description
	}
	title := titleOf(s)
	if !slices.Equal(detailOf(bodyOf(s.Detail, title), title), s.Detail) {
		detail = s.Detail
	}
	return description, detail
}

func (m *maker) taskFile(name string, s *planspec.Step) plan.File {
	if t := m.tasks[s]; t != nil {
		return m.built(name, m.edited(s, t))
	}
	fields := []plan.Field{}
	add := func(key string, value any) { fields = append(fields, plan.Field{Key: key, Value: plan.Value(value)}) }
	text := func(key, value string) {
		if value != "" {
			add(key, value)
		}
	}
	list := func(key string, value []string) {
		if len(value) > 0 {
			add(key, value)
		}
	}
	add("id", m.ids[s])
	add("title", titleOf(s))
	text("kind", s.Type)
	text("step_name", s.Name)
	if status := taskStatus(s.Status); status != plan.Pending {
		add("status", string(status))
	}
	list("inputs", s.Inputs)
	list("outputs", s.Outputs)
	text("progress", progressOf(s))
	text("result", s.Result)
	description, detail := odd(s)
	text(keyDescription, description)
	list(keyDetail, detail)
	f, err := plan.Compose(name, fields, "\n"+bodyOf(s.Detail, titleOf(s))+"\n")
	m.check(s, err)
	return f
}

// edited brings a stored task to what its step says.
func (m *maker) edited(s *planspec.Step, t *plan.Task) *foreign.Builder {
	was := m.was[t]
	b := &foreign.Builder{Doc: t.Doc}
	m.words(b, s, was)
	setText(b, "kind", was.Type, s.Type)
	setText(b, "step_name", was.Name, s.Name)
	setList(b, "inputs", was.Inputs, s.Inputs)
	setList(b, "outputs", was.Outputs, s.Outputs)
	setText(b, "progress", progressOf(was), progressOf(s))
	setText(b, "result", was.Result, s.Result)
	if was.Status != s.Status { // else ours says more
		stamp(b, taskStatus(s.Status))
	}
	m.needs(b, t)
	return b
}

// words brings title and body to what they are to say.
func (m *maker) words(b *foreign.Builder, s, was *planspec.Step) {
	title, old := titleOf(s), titleOf(was)
	description, detail := odd(s)
	if title != old {
		b.Set("title", &title)
	}
	setText(b, keyDescription, b.Doc.Text(keyDescription), description)
	if !slices.Equal(was.Detail, s.Detail) || title != old && len(trimLines(s.Detail)) == 0 {
		b.Body("\n" + bodyOf(s.Detail, title) + "\n")
	}
	setList(b, keyDetail, b.Doc.List(keyDetail), detail)
}

// stamp writes a status, and takes out what is not true of it any more.
func stamp(b *foreign.Builder, to plan.Status) {
	status := string(to)
	b.Set("status", &status)
	b.Stamps(to)
}

// needs leads what a task waits for, where that is gone, to the nearest task
// above it that is still there.
func (m *maker) needs(b *foreign.Builder, t *plan.Task) {
	was := t.Doc.List("depends_on")
	var now []string
	for _, id := range was {
		heir := m.heir(t, id)
		switch {
		case heir == id:
		case heir == "":
			m.lose("that `%s` depends on `%s`, which is gone", t.ID, id)
			continue
		default:
			m.lose("that `%s` depends on `%s`, which is gone: it waits for `%s`", t.ID, id, heir)
		}
		if !slices.Contains(now, heir) {
			now = append(now, heir)
		}
	}
	setList(b, "depends_on", was, now)
}

// heir gives the id of what t waits for instead of the task with that id, or
// "".
func (m *maker) heir(t *plan.Task, id string) string {
	u := m.onto.Task(id)
	if u == nil || m.here[id] {
		return id
	}
	for a := u.Parent; a != nil; a = a.Parent {
		if m.here[a.ID] && a != t && !a.IsAncestorOf(t) {
			return a.ID
		}
	}
	return ""
}
