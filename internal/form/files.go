package form

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// Stored binds the items of an outline that was made of a stored plan to its tasks,
// in order.
func (o *Outline) Stored(tasks []*plan.Task) *Outline {
	for i, it := range o.All() {
		it.Task = tasks[i]
	}
	return o
}

// Match finds for each item the task that it is in a stored plan, which the form
// tells as was, a bound outline: by id where it has one, else by step_name, else by
// title, of which one with the same number is preferred.
func (o *Outline) Match(was *Outline) {
	free, used := map[string][]*Item{}, map[*Item]bool{}
	for _, it := range was.All() {
		if !it.Task.Doc.Readable || !plan.IsKebab(it.Task.ID) {
			continue
		}
		for _, key := range it.keys() {
			free[key] = append(free[key], it)
		}
	}
	for i := range 4 {
		for _, it := range o.All() {
			for key := it.keys()[i]; key != "" && it.Was == nil && (it.ID == "" || i == 0) && len(free[key]) > 0; free[key] = free[key][1:] {
				if same := free[key][0]; !used[same] {
					it.Was, it.Task, used[same] = same, same.Task, true
				}
			}
		}
	}
}

// keys gives what an item is known by.
func (it *Item) keys() (keys [4]string) {
	title, id := strings.TrimSpace(it.Title()), it.ID
	keys[2], keys[3] = "number\n"+it.Number+"\n"+title, "title\n"+title
	if it.Task != nil {
		id = it.Task.ID
	}
	if id != "" {
		keys[0] = "id\n" + id
	}
	if name := it.Get("step_name"); name != "" {
		keys[1] = "name\n" + name
	}
	return keys
}

// Name gives each item that has none its id, and each its path. An id that a task
// of the stored plan had, which may be nil, is not another's.
func (o *Outline) Name(onto *plan.Plan) {
	all, taken := o.All(), map[string]bool{}
	if onto != nil {
		for _, t := range onto.All() {
			taken[t.ID] = true
		}
	}
	for _, it := range all {
		if it.Task != nil {
			it.ID = it.Task.ID
		}
		taken[it.ID] = true
	}
	for _, it := range all {
		if it.ID == "" {
			it.ID = plan.NewID(it.Title(), "task", func(id string) bool { return taken[id] })
			taken[it.ID] = true
		}
	}
	o.Plan.Path = "plan.md"
	nameFiles("tasks", o.Items)
}

func nameFiles(dir string, items []*Item) {
	for _, it := range items {
		name := it.ID
		switch {
		case it.Task != nil:
			name = it.Task.Slug
		case !plan.IsKebab(name):
			name = cmp.Or(plan.Slug(name), "task")
		}
		stem := path.Join(dir, fmt.Sprintf("%02d-%s", Last(it.Number), name))
		it.Path = stem + ".md"
		nameFiles(stem, it.Children)
	}
}

// Files makes the files of a plan of an outline that was matched with what the form
// tells of the stored one, onto, which may be nil. What the stored plan says and
// the form does not stays, so does what both say alike, and the signals of tasks
// that are still there. What is not kept is told in losses, a phrase each.
func (o *Outline) Files(onto *plan.Plan) (files []plan.File, losses []string) {
	o.Name(onto)
	m := &maker{onto: onto, here: map[string]bool{}}
	all := o.All()
	for _, it := range all {
		m.here[it.ID] = true
	}
	m.ordered = onto != nil && inOrder(onto, all)
	if onto != nil && onto.Doc != nil && onto.Doc.Readable {
		m.planFile(&o.Plan)
	} else {
		m.compose(&o.Plan)
	}
	m.tasks(o.Items, nil)
	for _, it := range append([]*Item{&o.Plan}, all...) {
		files = append(files, it.Made)
	}
	if onto == nil {
		return files, m.losses
	}
	for _, s := range onto.Signals {
		if s.Task == "" || m.here[s.Task] {
			files = append(files, plan.File{Path: s.Doc.Path, Data: []byte(s.Doc.Source)})
		} else {
			m.lose("the signal %s, whose task is no more", s.ID)
		}
	}
	return files, m.losses
}

// inOrder reports whether stored tasks are still in their order: then they find
// the makers of their inputs where these were.
func inOrder(onto *plan.Plan, items []*Item) bool {
	var stored []*plan.Task
	for _, it := range items {
		if it.Task != nil {
			stored = append(stored, it.Task)
		}
	}
	for _, t := range onto.All() {
		if len(stored) > 0 && stored[0] == t {
			stored = stored[1:]
		}
	}
	return len(stored) == 0
}

// maker makes the files of one plan.
type maker struct {
	onto    *plan.Plan
	here    map[string]bool // the ids of the plan that is made
	ordered bool
	losses  []string
}

func (m *maker) lose(format string, args ...any) {
	m.losses = append(m.losses, fmt.Sprintf(format, args...))
}

func (m *maker) compose(it *Item) {
	if err := it.Compose(); err != nil {
		m.lose("%s: %v", it.Path, err)
	}
}

func (m *maker) planFile(it *Item) {
	b := &Builder{Doc: m.onto.Doc}
	b.fields(it)
	if it.Was != nil && it.Was.body() == strings.Trim(b.Doc.Body, "\n") {
		b.text(it) // else somebody wrote more
	}
	m.built(it, b)
}

// built takes the file that edits of a stored one made.
func (m *maker) built(it *Item, b *Builder) {
	it.Made = plan.File{Path: it.Path, Data: []byte(b.Doc.Source)}
	for _, why := range b.Refused {
		m.lose("%s, %s", it.Path, why)
	}
}

func (m *maker) tasks(items []*Item, above *Item) {
	for _, it := range items {
		if it.Task == nil {
			m.compose(it)
		} else {
			b := &Builder{Doc: it.Task.Doc}
			b.Item(it)
			m.needs(b, it, above)
			m.built(it, b)
		}
		m.tasks(it.Children, it)
	}
}

// needs brings what a stored task waits for to what the item says, unless the task
// says so already in its own way, by data flow say, and goes on to.
func (m *maker) needs(b *Builder, it, above *Item) {
	was := b.Doc.List("depends_on")
	if it.Silent {
		setList(b, "depends_on", was, m.heirs(it.Task, was))
		return
	}
	now := idsOf(it.Needs)
	var tells []string
	for _, to := range it.Was.Needs {
		tells = append(tells, to.Task.ID)
	}
	moved := it.Task.Parent != nil && (above == nil || above.Task != it.Task.Parent)
	has := b.Doc.Has("depends_on") == (it.Needs != nil) || len(now) > 0 && m.ordered
	if has && !moved && equalSets(tells, now) && !slices.ContainsFunc(was, func(id string) bool { return !m.here[id] }) {
		return
	}
	if it.Needs == nil {
		b.Drop("depends_on")
		return
	}
	b.Edit("depends_on", plan.Value(now))
}

func equalSets(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// heirs leads what a task waits for, where that is gone, to the nearest task above
// it that is still there.
func (m *maker) heirs(t *plan.Task, was []string) (now []string) {
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
	return now
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
