package diff

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// pairing says which task of one plan is which of the other.
type pairing struct {
	before, after *plan.Plan
	// list is in file order: tasks that are there now, each preceded by those
	// that stood before it and went.
	list []pair
	// newID has the tasks that got another id, by the one they had; isNew has
	// those ids.
	newID map[string]string
	isNew map[string]bool
}

// pair is one task on both sides; either may be nil.
type pair struct{ before, after *plan.Task }

// pairTasks pairs tasks by id. What is then left over is the same task under
// another id where the file kept its place and most of its words, or has
// another place and the same title and body.
func pairTasks(before, after *plan.Plan) *pairing {
	ps := &pairing{before: before, after: after, newID: map[string]string{}, isNew: map[string]bool{}}
	old, now := tasksByKey(before), tasksByKey(after)
	partner := map[*plan.Task]*plan.Task{}
	for k, b := range old {
		if a := now[k]; a != nil {
			partner[a], partner[b] = b, a
		}
	}
	ps.findRenamed(partner)
	ps.merge(partner)
	return ps
}

// key is what a task is paired by: its id, or its path where it has none or
// shares it.
func key(p *plan.Plan, t *plan.Task) string {
	if t.ID == "" || p.Task(t.ID) != t {
		return t.Doc.Path
	}
	return t.ID
}

func tasksByKey(p *plan.Plan) map[string]*plan.Task {
	out := map[string]*plan.Task{}
	for _, t := range allTasks(p) {
		out[key(p, t)] = t
	}
	return out
}

func allTasks(p *plan.Plan) []*plan.Task {
	if p == nil {
		return nil
	}
	return p.All()
}

// findRenamed pairs tasks whose id changed. Each name under which a task may
// be found again must be its alone on both sides.
func (ps *pairing) findRenamed(partner map[*plan.Task]*plan.Task) {
	if ps.before == nil || ps.after == nil {
		return
	}
	forms := []func(*plan.Task) string{func(t *plan.Task) string { return t.Doc.Path }, ownWords}
	for i, form := range forms {
		old, now := unpaired(ps.before, partner, form), unpaired(ps.after, partner, form)
		for _, b := range ps.before.All() {
			a := now[form(b)]
			if partner[b] != nil || a == nil || form(b) == "" || old[form(b)] != b || i == 0 && !alike(b, a) {
				continue
			}
			partner[a], partner[b] = b, a
			from, to := key(ps.before, b), key(ps.after, a)
			ps.newID[from], ps.isNew[to] = to, true
		}
	}
}

// ownWords gives a task's title and text, or "" where they are too few to know
// the task by.
func ownWords(t *plan.Task) string {
	title, text := t.Doc.Text("title"), t.Doc.Prose()
	if title == "" && len(text) < 40 {
		return ""
	}
	return title + "\n" + text
}

// unpaired gives the tasks without a partner by a name; those that share one
// are nil.
func unpaired(p *plan.Plan, partner map[*plan.Task]*plan.Task, name func(*plan.Task) string) map[string]*plan.Task {
	out := map[string]*plan.Task{}
	for _, t := range p.All() {
		if partner[t] != nil {
			continue
		}
		if _, taken := out[name(t)]; taken {
			out[name(t)] = nil
		} else {
			out[name(t)] = t
		}
	}
	return out
}

// alike reports whether two tasks have most of their words in common.
func alike(a, b *plan.Task) bool {
	return similarity(tokens(a.Title()+"\n"+a.Doc.Prose()), tokens(b.Title()+"\n"+b.Doc.Prose())) >= 0.5
}

// merge puts the tasks of both sides into one order: as the files are sorted,
// what went before what is there.
func (ps *pairing) merge(partner map[*plan.Task]*plan.Task) {
	var gone []*plan.Task
	for _, b := range allTasks(ps.before) {
		if partner[b] == nil {
			gone = append(gone, b)
		}
	}
	for _, a := range allTasks(ps.after) {
		for len(gone) > 0 && byPlace(gone[0], a) <= 0 {
			ps.list, gone = append(ps.list, pair{gone[0], nil}), gone[1:]
		}
		ps.list = append(ps.list, pair{partner[a], a})
	}
	for _, b := range gone {
		ps.list = append(ps.list, pair{b, nil})
	}
}

// byPlace orders tasks as their numbers do, a container before its children.
func byPlace(a, b *plan.Task) int {
	return slices.Compare(place(a), place(b))
}

func place(t *plan.Task) []int {
	var out []int
	for ; t != nil; t = t.Parent {
		out = append(out, t.NN)
	}
	slices.Reverse(out)
	return out
}

// compare tells how a task differs. Its change is empty where it does not.
func (p pair) compare(ps *pairing) Task {
	t := Task{Before: p.before, After: p.after}
	switch {
	case p.before == nil:
		t.ID, t.Change = key(ps.after, p.after), Added
		t.Fields = wholeTask(nil, p.after)
	case p.after == nil:
		t.ID, t.Change = key(ps.before, p.before), Removed
		t.Fields = wholeTask(p.before, nil)
	default:
		t.ID = key(ps.after, p.after)
		t.Fields = slices.DeleteFunc(taskFields(p.before, p.after), func(f Field) bool { return ps.follows(f) })
		if len(t.Fields) > 0 {
			t.Change = Changed
		}
		if len(t.Fields) == 1 && t.Fields[0].Name == "path" {
			t.Change = Moved
		}
	}
	return t
}

// wholeTask gives every field of a task that came or went, but for its id.
func wholeTask(before, after *plan.Task) []Field {
	return slices.DeleteFunc(taskFields(before, after), func(f Field) bool { return f.Name == "id" })
}

func taskFields(before, after *plan.Task) []Field {
	var old, now *plan.Document
	oldPath, newPath := "", ""
	if before != nil {
		old, oldPath = before.Doc, before.Doc.Path
	}
	if after != nil {
		now, newPath = after.Doc, after.Doc.Path
	}
	return append(differ("path", oldPath, newPath), fields(old, now)...)
}

// was gives an id of before a name that is the same before and after where the
// task is: one that got another id has a name that no other can have, as the id
// it got may have been that of another task.
func (ps *pairing) was(id string) string {
	if to, ok := ps.newID[id]; ok {
		return renamedMark + to
	}
	return id
}

// is does that for an id of after.
func (ps *pairing) is(id string) string {
	if ps.isNew[id] {
		return renamedMark + id
	}
	return id
}

const renamedMark = "\x00"

// follows reports whether a field only follows the new id of another task.
func (ps *pairing) follows(f Field) bool {
	if f.Name != "depends_on" || len(ps.newID) == 0 {
		return false
	}
	old, now := items(f.Old), items(f.New)
	for i := range old {
		old[i] = ps.was(old[i])
	}
	for i := range now {
		now[i] = ps.is(now[i])
	}
	return slices.Equal(old, now)
}

// items gives the items of a list as text.
func items(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, it := range list {
		out = append(out, valueText(it))
	}
	return out
}

// sameItems reports whether two lists hold the same in another order.
func sameItems(a, b any) bool {
	x, y := slices.Sorted(slices.Values(items(a))), slices.Sorted(slices.Values(items(b)))
	return cmp.Compare(len(x), len(y)) == 0 && reflect.DeepEqual(x, y)
}
