package plan

import (
	"cmp"
	"fmt"
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
// states of the plan that others know, those that most know first: of two tasks
// the one that an earlier base has there keeps its number, then the one that the
// other waits for, then the one whose id comes first. The others get the next
// numbers that are free, and so do the siblings behind them that wait for them,
// in the order that they had. No other file is touched, unless no number is left
// behind: then all siblings are counted anew, or it is a *[CrowdedError].
func (p *Plan) Renumber(bases ...*Plan) (Renumbering, error) {
	r := renumberer{plan: p, bases: bases, at: map[string]*Task{}, taken: p.otherNumbers(), to: map[*Task]int{}}
	groups := map[string][]*Task{}
	for _, t := range p.all {
		r.at[t.Doc.Path] = t
		groups[t.Dir] = append(groups[t.Dir], t)
	}
	for _, t := range p.all {
		if siblings := groups[t.Dir]; siblings[0] == t {
			if err := r.group(siblings); err != nil {
				return Renumbering{}, err
			}
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

// group renumbers the tasks of one folder.
func (r *renumberer) group(siblings []*Task) error {
	order, later := r.order(siblings)
	if len(later) == 0 {
		return nil
	}
	moved := r.waiting(order, later)
	if r.behind(order, moved) {
		return nil
	}
	return r.anew(order)
}

// order puts siblings of one number into the order that they are to have, and
// gives those that cannot keep it.
func (r *renumberer) order(siblings []*Task) (order, later []*Task) {
	siblings = slices.Clone(siblings)
	slices.SortStableFunc(siblings, func(a, b *Task) int { return a.NN - b.NN })
	for len(siblings) > 0 {
		n := 1
		for n < len(siblings) && siblings[n].NN == siblings[0].NN {
			n++
		}
		same := r.rank(siblings[:n])
		order, later = append(order, same...), append(later, same[1:]...)
		siblings = siblings[n:]
	}
	return order, later
}

// rank puts tasks of one number into order: what a base knows first, and no task
// before one that it waits for, as far as that can be.
func (r *renumberer) rank(same []*Task) []*Task {
	if len(same) == 1 {
		return same
	}
	left := slices.Clone(same)
	slices.SortStableFunc(left, func(a, b *Task) int {
		return cmp.Or(r.knownBy(a)-r.knownBy(b), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Doc.Path, b.Doc.Path))
	})
	behind := map[*Task]map[*Task]bool{}
	for _, t := range left {
		behind[t] = r.behindOf(t)
	}
	var out []*Task
	for len(left) > 0 {
		first := slices.IndexFunc(left, func(t *Task) bool {
			return r.knownBy(t) == r.knownBy(left[0]) && !slices.ContainsFunc(left, func(u *Task) bool {
				return u != t && r.knownBy(u) == r.knownBy(t) && behind[u][t]
			})
		})
		first = max(first, 0) // they wait for each other
		out = append(out, left[first])
		left = slices.Delete(left, first, first+1)
	}
	return out
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

// behindOf gives the tasks that have to wait for t or for one below it, with
// their ancestors.
func (r *renumberer) behindOf(t *Task) map[*Task]bool {
	out := map[*Task]bool{}
	t.walk(func(u *Task) {
		for _, w := range r.plan.Graph().Downstream(u) {
			for ; w != nil && !out[w]; w = w.Parent {
				out[w] = true
			}
		}
	})
	return out
}

// waiting gives, in their order, the tasks that are to move: those that cannot
// keep their number, and the ones behind that wait for them.
func (r *renumberer) waiting(order, later []*Task) []*Task {
	move := map[*Task]bool{}
	for _, t := range later {
		move[t] = true
		for w := range r.behindOf(t) {
			if w.Dir == t.Dir && w.NN > t.NN {
				move[w] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(order), func(t *Task) bool { return !move[t] })
}

// behind gives those that move the next free numbers. It changes nothing and is
// false if there are too few.
func (r *renumberer) behind(order, moved []*Task) bool {
	taken := map[int]bool{}
	for nn := range r.taken[order[0].Dir] {
		taken[nn] = true
	}
	for _, t := range order {
		taken[t.NN] = taken[t.NN] || !slices.Contains(moved, t)
	}
	last := -1
	to := make([]int, len(moved))
	for i, t := range moved {
		n := max(t.NN, last+1)
		for taken[n] {
			n++
		}
		if n > MaxSiblings {
			return false
		}
		last, to[i] = n, n
	}
	for i, t := range moved {
		r.put(t, to[i])
	}
	return true
}

// anew counts all of a folder's tasks from 1 on.
func (r *renumberer) anew(order []*Task) error {
	dir, n := order[0].Dir, 0
	to := make([]int, len(order))
	for i := range order {
		for n++; r.taken[dir][n]; {
			n++
		}
		to[i] = n
	}
	if n > MaxSiblings {
		return &CrowdedError{dir, len(order)}
	}
	for i, t := range order {
		r.put(t, to[i])
	}
	return nil
}

func (r *renumberer) put(t *Task, nn int) {
	if nn != t.NN {
		r.to[t] = nn
	}
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
