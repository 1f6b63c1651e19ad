// Package diff tells how plans differ, in the terms of plans: tasks added,
// dropped, moved and renamed, fields, lists by item, dependencies, prose by
// word. It does no I/O but to write what it was asked for.
//
// [Compare] makes a [Result], which encoding/json writes for programs; [Text],
// [Markdown] and [HTML] write it for people. The text of plans is made harmless
// there for whatever reads it next.
package diff

import (
	"cmp"
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// Change says what became of a plan or a task.
type Change string

// The changes. Moved is a task whose file alone changed its place; Archived
// and Restored are for plans.
const (
	Added    Change = "added"
	Removed  Change = "removed"
	Changed  Change = "changed"
	Moved    Change = "moved"
	Archived Change = "archived"
	Restored Change = "restored"
)

// Entry is a plan on one side of a comparison.
type Entry struct {
	// ID is what the plan is found by on the other side.
	ID       string
	Plan     *plan.Plan
	Archived bool
}

// State is one side of a comparison.
type State struct {
	// Name is what the side is called in the output.
	Name  string
	Plans []Entry
	// Files are the store's own, of a whole store.
	Files []File
}

// Result is how two states differ. Lists are never nil, but for the files.
type Result struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Plans are the plans that differ, by id.
	Plans []Plan `json:"plans"`
	// Files are those of the store's own files that differ, by path.
	Files []FileChange `json:"files,omitempty"`
}

// Plan is how a plan differs between two states. Of a plan that was added or
// removed, every task was.
type Plan struct {
	ID     string `json:"id"`
	Change Change `json:"change"`
	// Before and After are nil where there is no such plan.
	Before *plan.Plan `json:"-"`
	After  *plan.Plan `json:"-"`
	// Fields are those of the plan, and as `signals/<id>` each signal that was
	// opened, cleared or says something else.
	Fields []Field `json:"fields"`
	// Tasks are in the order of files: those there now, each with those that
	// went before it.
	Tasks []Task `json:"tasks"`
	Edges Edges  `json:"edges"`
	// Spelling are the files that read differently and mean the same.
	Spelling []string `json:"-"`
	Critical Critical `json:"-"`
}

// Task is how a task differs. The id is the one it has now.
type Task struct {
	ID     string     `json:"id"`
	Change Change     `json:"change"`
	Before *plan.Task `json:"-"`
	After  *plan.Task `json:"-"`
	Fields []Field    `json:"fields"`
	// KeptPlace says that the task stands where it stood among its siblings,
	// under the same name: a new path only follows from what happened to those
	// or to its container.
	KeptPlace bool `json:"-"`

	came, went []string // what it needs now, and what it does not any more
}

// Field is a field with other content. Old and New are plain values as of
// [plan.Document.Values], nil where it is not set. Besides those of
// frontmatter there are `body`, `path` and, where a task got another id, `id`.
type Field struct {
	Name string `json:"field"`
	Old  any    `json:"old"`
	New  any    `json:"new"`
}

// Edges are the dependencies that came and that went, in file order.
type Edges struct {
	Added   []Edge `json:"added"`
	Removed []Edge `json:"removed"`
}

// Edge is an entry of depends_on: a task and what it needs.
type Edge [2]string

// Compare pairs plans by id and tells how they differ. Swapping the states
// swaps what is old and what is new, and nothing else.
func Compare(from, to State) *Result {
	r := &Result{From: from.Name, To: to.Name, Plans: []Plan{}, Files: compareFiles(from.Files, to.Files)}
	old, now := from.byID(), to.byID()
	for _, id := range keysOf(old, now) {
		before, after := old[id], now[id]
		p := comparePlans(id, before.Plan, after.Plan)
		switch {
		case before.Plan == nil:
			p.Change = Added
		case after.Plan == nil:
			p.Change = Removed
		case after.Archived && !before.Archived:
			p.Change = Archived
		case before.Archived && !after.Archived:
			p.Change = Restored
		}
		if p.Change != Changed || !p.empty() {
			r.Plans = append(r.Plans, p)
		}
	}
	return r
}

// Empty reports whether there is no difference, not even of spelling.
func (r *Result) Empty() bool { return len(r.Plans)+len(r.Files) == 0 }

// byID gives a state's plans by id; one that is not archived counts more.
func (s State) byID() map[string]Entry {
	out := map[string]Entry{}
	for _, e := range s.Plans {
		if had, ok := out[e.ID]; !ok || had.Archived {
			out[e.ID] = e
		}
	}
	return out
}

// comparePlans compares two plans, of which either may be nil.
func comparePlans(id string, before, after *plan.Plan) Plan {
	p := Plan{ID: id, Change: Changed, Before: before, After: after, Tasks: []Task{}}
	if p.Fields = fields(planDoc(before), planDoc(after)); len(p.Fields) == 0 {
		p.respelled(planDoc(before), planDoc(after))
	}
	pairs := pairTasks(before, after)
	kept := pairs.keptPlaces()
	for _, pair := range pairs.list {
		t := pair.compare(pairs)
		if t.Change != "" {
			t.KeptPlace = kept[t.After] && t.Before.Slug == t.After.Slug
			p.Tasks = append(p.Tasks, t)
		}
		if len(t.Fields) == 0 {
			p.respelled(t.Before.Doc, t.After.Doc)
		}
	}
	p.signals()
	p.Edges = edges(before, after, pairs)
	p.wire()
	p.Critical = critical(before, after)
	return p
}

// wire gives each task its edges.
func (p *Plan) wire() {
	tasks := map[string]*Task{}
	for i := range p.Tasks {
		tasks[p.Tasks[i].ID] = &p.Tasks[i]
	}
	for _, e := range p.Edges.Added {
		if t := tasks[e[0]]; t != nil {
			t.came = append(t.came, e[1])
		}
	}
	for _, e := range p.Edges.Removed {
		if t := tasks[e[0]]; t != nil {
			t.went = append(t.went, e[1])
		}
	}
}

func (p *Plan) empty() bool { return len(p.Fields)+len(p.Tasks)+len(p.Spelling) == 0 }

func planDoc(p *plan.Plan) *plan.Document {
	if p == nil {
		return nil
	}
	return p.Doc
}

// now gives the plan as it is, or as it was where it is gone.
func (p *Plan) now() *plan.Plan { return cmp.Or(p.After, p.Before) }

// now gives the task as it is, or as it was where it is gone.
func (t *Task) now() *plan.Task { return cmp.Or(t.After, t.Before) }

// Field gives the change of a field by name, or nil.
func (t *Task) Field(name string) *Field {
	i := slices.IndexFunc(t.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Fields[i]
}
