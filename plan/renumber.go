package plan

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Renumbering is how a plan's files are to be named so that no two siblings
// have one number.
type Renumbering struct {
	// Shifts are to be made one after the other: what lies deeper comes first,
	// and none takes a name that another one has yet to leave.
	Shifts []Shift
	// Renames are what the shifts come to: each task file that ends up
	// elsewhere, in file order, those below a container included.
	Renames []Rename
}

// Shift gives a task's file another number. The folder with its children, if
// there is one, goes along.
type Shift struct {
	Task *Task
	NN   int
}

// From gives the file's path before the shift.
func (s Shift) From() string { return s.Task.Doc.Path }

// To gives the file's path after it. The folder is called as it was: those above
// get their numbers later.
func (s Shift) To() string { return path.Join(s.Task.Dir, fileName(s.NN, s.Task.Slug)) }

// Rename is a file that gets another path.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// CrowdedError is returned where siblings are so many that the two digits of a
// file's name do not suffice.
type CrowdedError struct {
	Dir   string
	Tasks int
}

func (e *CrowdedError) Error() string {
	return fmt.Sprintf("%s holds %d tasks, and numbers go up to %d: group some of them below a task", e.Dir, e.Tasks, MaxSiblings)
}

func fileName(nn int, slug string) string { return fmt.Sprintf("%02d-%s.md", nn, slug) }

// Renumber says how to tell siblings apart that have one number. The bases are
// states of the plan that others know, those that most know first: a task keeps the
// number that a base has it at. The others get the next numbers that are free, in
// the order that they had; without such a number it is a *[CrowdedError].
func (p *Plan) Renumber(bases ...*Plan) (Renumbering, error) {
	r := renumberer{plan: p, bases: bases, at: map[string]*Task{}, taken: p.otherNumbers(), to: map[*Task]int{}}
	groups := map[string][]*Task{}
	for _, t := range p.all {
		r.at[t.Doc.Path] = t
		groups[t.Dir] = append(groups[t.Dir], t)
	}
	for _, t := range p.all {
		if siblings := groups[t.Dir]; siblings[0] == t && !r.group(siblings) {
			return Renumbering{}, &CrowdedError{t.Dir, len(siblings)}
		}
	}
	return Renumbering{r.shifts(), r.renames()}, nil
}

// otherNumbers gives by folder the numbers that files have which are no tasks
// of the plan but look like some, and folders whose task is missing: who took
// one would get children that are not its own.
func (p *Plan) otherNumbers() map[string]map[int]bool {
	out := map[string]map[int]bool{}
	add := func(name string) {
		digits, _, ok := strings.Cut(path.Base(name), "-")
		nn, err := strconv.Atoi(digits)
		if !ok || err != nil {
			return
		}
		dir := path.Dir(name)
		if out[dir] == nil {
			out[dir] = map[int]bool{}
		}
		out[dir][nn] = true
	}
	for _, d := range p.Aside {
		add(d.Path)
	}
	for _, t := range p.all {
		if t.Parent == nil && t.Dir != "tasks" {
			add(t.Dir)
		}
	}
	return out
}

type renumberer struct {
	plan  *Plan
	bases []*Plan
	at    map[string]*Task // by path
	taken map[string]map[int]bool
	to    map[*Task]int // those that get another number
}

// group renumbers the tasks of one folder; it is false if numbers run out.
func (r *renumberer) group(siblings []*Task) bool {
	order := slices.Clone(siblings)
	slices.SortFunc(order, func(a, b *Task) int {
		return cmp.Or(a.NN-b.NN, r.knownBy(a)-r.knownBy(b), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Doc.Path, b.Doc.Path))
	})
	taken, kept, double := map[int]bool{}, map[*Task]bool{}, false
	maps.Copy(taken, r.taken[order[0].Dir])
	for i, t := range order {
		again := i > 0 && order[i-1].NN == t.NN
		double = double || again
		if !again && r.knownBy(t) < len(r.bases) {
			taken[t.NN], kept[t] = true, true
		}
	}
	if !double {
		return true
	}
	last := -1
	for _, t := range order {
		if kept[t] {
			continue
		}
		for last = max(t.NN, last+1); taken[last]; {
			last++
		}
		if last != t.NN {
			r.to[t] = last
		}
	}
	return last <= MaxSiblings
}

// knownBy gives the index of the first base that has the task at this place.
func (r *renumberer) knownBy(t *Task) int {
	for i, base := range r.bases {
		if base == nil || t.ID == "" {
			continue
		}
		if b := base.Task(t.ID); b != nil && b.NN == t.NN && parentID(b) == parentID(t) {
			return i
		}
	}
	return len(r.bases)
}

func parentID(t *Task) string {
	if t.Parent == nil {
		return ""
	}
	return t.Parent.ID
}

// shifts puts them into an order in which they can be made. There is one: tasks
// whose files differ in nothing but the number keep their order.
func (r *renumberer) shifts() []Shift {
	var left, out []Shift
	for _, t := range r.plan.all {
		if nn, ok := r.to[t]; ok {
			left = append(left, Shift{t, nn})
		}
	}
	slices.SortStableFunc(left, func(a, b Shift) int {
		return strings.Count(b.Task.Dir, "/") - strings.Count(a.Task.Dir, "/")
	})
	held := map[string]bool{}
	for _, s := range left {
		held[s.From()] = true
	}
	for len(left) > 0 {
		free := max(0, slices.IndexFunc(left, func(s Shift) bool { return !held[s.To()] }))
		delete(held, left[free].From())
		out = append(out, left[free])
		left = slices.Delete(left, free, free+1)
	}
	return out
}

func (r *renumberer) renames() []Rename {
	var out []Rename
	for _, t := range r.plan.all {
		if to := r.path(t); to != t.Doc.Path {
			out = append(out, Rename{t.Doc.Path, to})
		}
	}
	return out
}

// path is where a task's file ends up.
func (r *renumberer) path(t *Task) string {
	nn := t.NN
	if to, ok := r.to[t]; ok {
		nn = to
	}
	return path.Join(r.dir(t.Dir), fileName(nn, t.Slug))
}

// dir is where a folder ends up, whether it is a task's or not.
func (r *renumberer) dir(dir string) string {
	if t := r.at[dir+".md"]; t != nil {
		return strings.TrimSuffix(r.path(t), ".md")
	}
	if up := path.Dir(dir); up != "." {
		return path.Join(r.dir(up), path.Base(dir))
	}
	return dir
}
