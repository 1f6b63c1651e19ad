package planloop

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/foreign"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Files makes the files of a plan of that id. Where it is stored already, onto,
// a task is known by its ref, else by its title; what the list does not say of
// it stays as it is stored, and so does plan.md, for which this form has no
// place. What our form cannot hold is told in losses.
func (p *Plan) Files(onto *plan.Plan, id string) (files []plan.File, losses []string) {
	m := &maker{plan: p, onto: onto, id: id}
	_ = foreign.Compose("", m.files()) // what it could find wrong, Parse has found
	for _, f := range m.made {
		files = append(files, m.kept(f))
	}
	return append(files, m.signals()...), m.losses
}

// Place gives where in the list a finding about a made file belongs.
func (p *Plan) Place(file, rule string) diag.Pos {
	if pos, ok := foreign.Place(p.files, file, rule); ok {
		return pos
	}
	return diag.Pos{Line: 1, Column: 1}
}

// maker makes the files of one plan.
type maker struct {
	plan   *Plan
	onto   *plan.Plan
	id     string
	made   []*foreign.File
	old    map[*foreign.File]*plan.Document
	losses []string
}

// files gives the files to make.
func (m *maker) files() []*foreign.File {
	m.old = map[*foreign.File]*plan.Document{}
	title := titleOf(m.id)
	top := &foreign.File{Path: "plan.md", Pos: diag.Pos{Line: 1, Column: 1}, Fields: []plan.Field{{Key: "title", Value: plan.Value(title)}}, Body: title}
	if m.onto != nil && m.onto.Doc != nil {
		top.Fields, top.Body = nil, ""
		m.old[top] = m.onto.Doc
	}
	m.made = []*foreign.File{top}
	tasks := m.match()
	ids := m.ids(tasks)
	paths := m.paths(tasks, ids)
	byNumber := map[string]string{}
	for i, t := range m.plan.tasks {
		byNumber[t.number] = ids[i]
	}
	for i, t := range m.plan.tasks {
		path := paths[t.number]
		if path == "" { // told by Parse, to which the file only shows what else is wrong
			path = fmt.Sprintf("tasks/01-aside-%d/01-task", i)
		}
		f := &foreign.File{Path: path + ".md", Pos: t.pos, Places: t.places, Body: cmp.Or(strings.TrimSpace(t.title), "task")}
		f.Fields = append(f.Fields, plan.Field{Key: "id", KeyPos: t.places["id"], Value: plan.Node{Kind: plan.String, Text: ids[i], Pos: t.places["id"]}})
		for _, g := range t.fields {
			if g.Key != "status" || g.Value.Text != string(plan.Pending) || tasks[i] != nil {
				f.Fields = append(f.Fields, g)
			}
		}
		if t.depends != nil {
			f.Fields = append(f.Fields, plan.Field{Key: "depends_on", KeyPos: t.depends.Pos, Value: needs(t, byNumber)})
		}
		if t.body != nil && strings.TrimSpace(*t.body) != "" {
			f.Body = *t.body
		}
		if tasks[i] != nil {
			m.old[f] = tasks[i].Doc
		} else {
			f.Fields = slices.DeleteFunc(f.Fields, isNothing)
		}
		m.made = append(m.made, f)
	}
	return m.made
}

// isNothing reports whether a field says what its absence says.
func isNothing(f plan.Field) bool {
	return f.Value.Kind == plan.String && f.Value.Text == "" || f.Value.Kind == plan.List && len(f.Value.Items) == 0
}

// match finds for each task the one that it is in a stored plan, or nil.
func (m *maker) match() []*plan.Task {
	out := make([]*plan.Task, len(m.plan.tasks))
	if m.onto == nil {
		return out
	}
	free := map[string][]*plan.Task{}
	taken := map[*plan.Task]bool{}
	for i, t := range m.plan.tasks {
		if was := m.onto.Task(t.ref); t.ref != "" && was != nil && was.Doc.Readable {
			out[i], taken[was] = was, true
		}
	}
	for _, was := range m.onto.All() {
		if !taken[was] && was.Doc.Readable {
			free[was.Title()] = append(free[was.Title()], was)
		}
	}
	for i, t := range m.plan.tasks {
		if same := free[strings.TrimSpace(t.title)]; t.ref == "" && len(same) > 0 {
			out[i], free[strings.TrimSpace(t.title)] = same[0], same[1:]
		}
	}
	return out
}

// ids gives every task its id.
func (m *maker) ids(tasks []*plan.Task) []string {
	out := make([]string, len(m.plan.tasks))
	for i, t := range m.plan.tasks {
		if out[i] = t.ref; tasks[i] != nil {
			out[i] = tasks[i].ID
		}
	}
	foreign.NewIDs(out, func(i int) string { return m.plan.tasks[i].title }, m.onto)
	return out
}

// paths gives the path of each task's file by its number, without .md: where
// the number says, named by the id.
func (m *maker) paths(tasks []*plan.Task, ids []string) map[string]string {
	slug := map[string]string{}
	for i, t := range m.plan.tasks {
		name := plan.Slug(ids[i])
		if tasks[i] != nil {
			name = tasks[i].Slug
		}
		if name == "" {
			name = "task"
		}
		last := t.number[strings.LastIndexByte(t.number, '.')+1:]
		slug[t.number] = fmt.Sprintf("%02s-%s", last, name)
	}
	out := map[string]string{}
	for _, t := range m.plan.tasks {
		parts := []string{}
		for n := t.number; n != ""; n = parentOf(n) {
			if slug[n] == "" {
				parts = nil
				break
			}
			parts = append(parts, slug[n])
		}
		if slices.Reverse(parts); len(parts) > 0 {
			out[t.number] = "tasks/" + strings.Join(parts, "/")
		}
	}
	return out
}

// needs gives the ids of the tasks that one depends on; ids are by number.
func needs(t *task, ids map[string]string) plan.Node {
	n := *t.depends
	n.Items = slices.Clone(n.Items)
	for i := range n.Items {
		if id := ids[n.Items[i].Text]; id != "" {
			n.Items[i].Kind, n.Items[i].Text = plan.String, id
		}
	}
	return n
}

// kept gives a file as it was composed, or the stored one with what the list
// says of it.
func (m *maker) kept(f *foreign.File) plan.File {
	was := m.old[f]
	if was == nil {
		return f.Made
	}
	b := &foreign.Builder{Doc: was}
	for _, g := range f.Fields {
		old := was.Field(g.Key)
		switch {
		case isNothing(g) && (old == nil || old.Value.Kind == plan.List && len(old.Value.Items) == 0):
		case isNothing(g):
			b.Drop(g.Key)
		case g.Key == "status" && old == nil && g.Value.Text == string(plan.Pending), g.Key == "title" && titled(was, g.Value.Text):
		default:
			b.Edit(g.Key, g.Value)
		}
	}
	m.stamps(b, f)
	t := f.Text()
	if f.Path != "plan.md" && f.Body != was.Prose() && f.Places["body"].Line > 0 {
		b.Body(t)
	}
	edited, lost := b.File(f.Path)
	m.losses = append(m.losses, lost...)
	return edited
}

// stamps lets go of what belongs to the status that a stored task had before, as
// far as the list does not say it anew.
func (m *maker) stamps(b *foreign.Builder, f *foreign.File) {
	was := m.onto.Task(b.Doc.Text("id"))
	if was == nil {
		return // plan.md
	}
	to := plan.Status(cmp.Or(b.Doc.Text("status"), string(plan.Pending)))
	if to == was.Status {
		return
	}
	var said []string
	for _, g := range f.Fields {
		said = append(said, g.Key)
	}
	b.Stamps(to, said...)
}

// titled reports whether a stored task has that title already, by its text say.
func titled(was *plan.Document, title string) bool {
	p, _ := plan.Read("p", "", []plan.File{{Path: was.Path, Data: []byte(was.Source)}})
	return len(p.All()) == 1 && p.All()[0].Title() == strings.TrimSpace(title)
}

// signals keeps those of the stored plan that still have their task.
func (m *maker) signals() []plan.File {
	kept, lost := foreign.Signals(m.onto, func(task string) bool {
		return slices.ContainsFunc(m.made, func(f *foreign.File) bool {
			return len(f.Fields) > 0 && f.Fields[0].Key == "id" && f.Fields[0].Value.Text == task
		})
	})
	m.losses = append(m.losses, lost...)
	return kept
}
