package merge

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// view is one state's tasks by key: the id, or the path of a file that has
// none of its own.
type view struct {
	tasks map[string]*plan.Task
	keys  map[*plan.Task]string
	order []string
}

// newView names the tasks of a plan. A file that cannot be read is the task
// that the others have at its path.
func newView(p *plan.Plan, others ...*plan.Plan) view {
	v := view{tasks: map[string]*plan.Task{}, keys: map[*plan.Task]string{}}
	for _, t := range p.All() {
		key := t.ID
		if !t.Doc.Readable {
			key = idAt(t.Doc.Path, others)
		}
		if key == "" || v.tasks[key] != nil || p.Task(key) != nil && p.Task(key) != t {
			key = "file " + t.Doc.Path
		}
		v.tasks[key], v.keys[t] = t, key
		v.order = append(v.order, key)
	}
	return v
}

func idAt(file string, plans []*plan.Plan) string {
	for _, p := range plans {
		for _, t := range p.All() {
			if t.Doc.Path == file && t.ID != "" {
				return t.ID
			}
		}
	}
	return ""
}

// parent names what a task is below: the key of its container, nothing at the
// top, the folder where it has no container.
func (v view) parent(t *plan.Task) string {
	switch {
	case t.Parent != nil:
		return v.keys[t.Parent]
	case t.Dir == "tasks":
		return ""
	}
	return "folder " + t.Dir
}

// place is where a task's file stands.
type place struct {
	parent string
	nn     int
	slug   string
}

func (v view) place(key string) *place {
	t := v.tasks[key]
	if t == nil {
		return nil
	}
	return &place{v.parent(t), t.NN, t.Slug}
}

// merged is a task of the result.
type merged struct {
	place
	key string
	doc *plan.Document
	// own says that we alone put it where it stands.
	own bool
}

// taskMerge is the merge of all tasks.
type taskMerge struct {
	*merger
	b, o, t view
	tasks   map[string]*merged
	order   []string
}

func (m *merger) newTaskMerge() *taskMerge {
	t := &taskMerge{merger: m, tasks: map[string]*merged{}}
	t.b = newView(m.base)
	t.o = newView(m.ours, m.base, m.theirs)
	t.t = newView(m.theirs, m.base, m.ours)
	return t
}

func (t *taskMerge) on(s Side) view {
	if s == Ours {
		return t.o
	}
	return t.t
}

// run adds the merged tasks' files.
func (t *taskMerge) run(files map[string][]byte) {
	for _, key := range append(slices.Clone(t.t.order), t.o.order...) {
		if t.tasks[key] == nil && !slices.Contains(t.order, key) {
			t.order = append(t.order, key)
			t.one(key)
		}
	}
	t.keepContainers()
	t.untangle()
	t.renumber()
	t.write(files)
}

// one merges one task.
func (t *taskMerge) one(key string) {
	b, o, th := t.b.tasks[key], t.o.tasks[key], t.t.tasks[key]
	switch {
	case o != nil && th != nil:
		t.both(key, b, o, th)
	case b == nil && o != nil:
		t.add(key, Ours)
	case b == nil:
		t.add(key, Theirs)
	case o != nil:
		t.removed(key, Theirs)
	default:
		t.removed(key, Ours)
	}
}

// add takes a task from one side as it is.
func (t *taskMerge) add(key string, from Side) {
	v := t.on(from)
	t.tasks[key] = &merged{place: *v.place(key), key: key, doc: v.tasks[key].Doc, own: from == Ours}
}

// removed merges a task that one side removed. That other tasks came or went
// beside it, and gave it another number, is no change of it.
func (t *taskMerge) removed(key string, gone Side) {
	v := t.on(gone.other())
	was, is := t.b.place(key), v.place(key)
	if t.b.tasks[key].Doc.Source == v.tasks[key].Doc.Source && was.parent == is.parent && was.slug == is.slug {
		return
	}
	if !t.removal(Conflict{Task: key, Field: "task", Message: removedAndChanged}, gone) {
		t.add(key, gone.other())
	}
}

func (t *taskMerge) both(key string, b, o, th *plan.Task) {
	d := &docMerge{merger: t.merger, task: key, ours: o.Doc, theirs: th.Doc}
	d.container = len(o.Children) > 0 || len(th.Children) > 0
	switch {
	case b != nil:
		d.base = b.Doc
	case !plan.TaskChanged(t.theirs, o) && o.ID == key: // one task, made once
		d.base = o.Doc.Unrecorded()
	}
	r := &merged{key: key, doc: d.run()}
	r.place, r.own = t.placeOf(key)
	t.tasks[key] = r
}

// placeOf merges where a task stands. A number given two ways is theirs; two
// parents or two names are a conflict.
func (t *taskMerge) placeOf(key string) (p place, own bool) {
	b, o, th := t.b.place(key), t.o.place(key), t.t.place(key)
	switch {
	case b == nil, *o == *th, *b == *o:
		return *th, false
	case *b == *th:
		return *o, true
	}
	p = *th
	if th.parent == b.parent && o.parent != b.parent {
		p, own = *o, true
	}
	if th.slug == b.slug {
		p.slug = o.slug
	} else if o.slug == b.slug {
		p.slug = th.slug
	}
	clash := th.parent != o.parent && th.parent != b.parent && o.parent != b.parent ||
		th.slug != o.slug && th.slug != b.slug && o.slug != b.slug
	if clash {
		if t.settle(Conflict{Task: key, Field: "path", Ours: pathOf(t.o, key), Theirs: pathOf(t.t, key)}) == Ours {
			return *o, true
		}
		return *th, false
	}
	switch {
	case p.parent == b.parent && th.nn == b.nn:
		p.nn, own = o.nn, o.nn != b.nn
	case o.nn != th.nn && o.nn != b.nn && th.nn != b.nn:
		t.note("task %s: moved to %d here and to %d there: it has %d now", key, o.nn, th.nn, p.nn)
	}
	return p, own
}

// keepContainers brings back the containers of tasks that one side added or
// kept below what the other one removed.
func (t *taskMerge) keepContainers() {
	for i := 0; i < len(t.order); i++ {
		r := t.tasks[t.order[i]]
		if r == nil || r.parent == "" || t.tasks[r.parent] != nil || strings.HasPrefix(r.parent, "folder ") {
			continue
		}
		from := Ours
		if t.o.tasks[r.parent] == nil {
			from = Theirs
		}
		c := Conflict{Task: r.parent, Field: "task", Message: fmt.Sprintf("removed by one side, while the other has `%s` below it", r.key)}
		if t.removal(c, from.other()) {
			t.tasks[r.key] = nil
			i = -1 // what is below it goes, too
			continue
		}
		t.add(r.parent, from)
		if !slices.Contains(t.order, r.parent) {
			t.order = append(t.order, r.parent)
		}
		i = -1
	}
}

// untangle finds tasks that came to stand below themselves, each side having
// moved one below the other, and puts them where one side has them.
func (t *taskMerge) untangle() {
	for _, key := range t.order {
		if t.tasks[key] == nil || !t.loops(key) {
			continue
		}
		side := t.settle(Conflict{Task: key, Field: "path", Message: "it would stand below itself", Ours: pathOf(t.o, key), Theirs: pathOf(t.t, key)})
		for k := range t.tasks {
			if p := t.on(side).place(k); t.tasks[k] != nil && p != nil {
				t.tasks[k].place, t.tasks[k].own = *p, side == Ours
			}
		}
		for _, k := range t.order {
			if t.tasks[k] != nil && t.loops(k) {
				t.tasks[k].parent = ""
			}
		}
	}
}

func pathOf(v view, key string) string {
	if t := v.tasks[key]; t != nil {
		return t.Doc.Path
	}
	return ""
}

func (t *taskMerge) loops(key string) bool {
	at := t.tasks[key].parent
	for range t.order {
		if at == key {
			return true
		}
		if t.tasks[at] == nil {
			return false
		}
		at = t.tasks[at].parent
	}
	return t.tasks[at] != nil
}

// renumber gives those tasks another number that we put where the result has one
// already. They keep their order.
func (t *taskMerge) renumber() {
	own, taken := map[string][]*merged{}, map[string]map[int]bool{}
	for _, key := range t.order {
		r := t.tasks[key]
		switch {
		case r == nil:
		case r.own:
			own[r.parent] = append(own[r.parent], r)
		default:
			if taken[r.parent] == nil {
				taken[r.parent] = map[int]bool{}
			}
			taken[r.parent][r.nn] = true
		}
	}
	for _, key := range append([]string{""}, t.order...) {
		t.renumberBelow(own[key], taken[key])
		delete(own, key)
	}
}

func (t *taskMerge) renumberBelow(own []*merged, taken map[int]bool) {
	if !slices.ContainsFunc(own, func(r *merged) bool { return taken[r.nn] }) {
		return
	}
	slices.SortStableFunc(own, func(a, b *merged) int { return a.nn - b.nn })
	last := -1
	for _, r := range own {
		n := r.nn
		for taken[n] || n <= last {
			n++
		}
		last = n
		if n == r.nn {
			continue
		}
		if n > plan.MaxSiblings {
			t.stuck(Conflict{Task: r.key, Field: "path", Message: "no number is left for it"})
			continue
		}
		t.note("task %s: number %d is taken, it has %d now", r.key, r.nn, n)
		r.nn = n
	}
}

// write adds the files. Two tasks that would have one path are a conflict.
func (t *taskMerge) write(files map[string][]byte) {
	for _, key := range t.order {
		r := t.tasks[key]
		if r == nil {
			continue
		}
		file := t.path(r)
		if _, ok := files[file]; ok {
			t.stuck(Conflict{Task: key, Field: "path", Ours: pathOf(t.o, key), Theirs: pathOf(t.t, key), Message: "two tasks would have the file " + file})
			continue
		}
		files[file] = []byte(r.doc.Source)
	}
}

func (t *taskMerge) path(r *merged) string {
	name := fmt.Sprintf("%02d-%s.md", r.nn, r.slug)
	switch folder, ok := strings.CutPrefix(r.parent, "folder "); {
	case ok:
		return path.Join(folder, name)
	case r.parent == "":
		return path.Join("tasks", name)
	}
	return path.Join(strings.TrimSuffix(t.path(t.tasks[r.parent]), ".md"), name)
}
