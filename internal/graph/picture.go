package graph

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// Changes say how a plan came from an earlier one, so that one picture shows
// both.
type Changes struct {
	// Before is the earlier plan.
	Before *plan.Plan
	// Now gives what became of its tasks; those that are gone are not in it.
	Now map[*plan.Task]*plan.Task
	// Mark says whether a task that is on both sides was changed or moved.
	Mark func(now *plan.Task) Change
}

// Change says what became of a task or a dependency.
type Change string

// The changes that a picture marks. Same is for what did not change.
const (
	Same    Change = ""
	Added   Change = "added"
	Removed Change = "removed"
	Changed Change = "changed"
	Moved   Change = "moved"
)

// node is a task in a picture.
type node struct {
	task    *plan.Task
	parent  int // -1 at the top
	frame   bool
	ready   bool
	chain   bool // on the critical path
	mark    Change
	signals []*plan.Signal
	// done of all leaves below are settled.
	done, all int
}

// wire is a dependency in a picture: to waits for from.
type wire struct {
	from, to int
	kind     plan.EdgeKind
	item     string // what flows
	chain    bool
	back     bool // of a cycle, the line that closes it
	mark     Change
}

// picture is what is drawn: one plan, or what two plans have together.
type picture struct {
	plan  *plan.Plan
	nodes []node
	wires []wire
	// loops are the tasks that wait for themselves or for what is around or
	// below them, which no line shows.
	loops []int
	// tasks is how many there are where not all are drawn, else 0.
	tasks int
	more  bool // not all wires are there
	// chain is the critical path, estimated whether it is measured by time.
	chain     []*plan.Task
	estimated bool
}

// maxTasks bounds how many tasks are drawn.
const maxTasks = 5_000

// maxFocus is the number of tasks up to which a picture of changes shows all; of
// more, those that changed and what is next to them.
const maxFocus = 100

// newPicture makes the picture of a plan, with what changed if c is not nil.
func newPicture(p *plan.Plan, c *Changes) *picture {
	x := &picture{plan: p}
	b := &pictured{picture: x, index: map[*plan.Task]int{}, wired: map[[2]int]int{}, changes: c}
	if c != nil {
		b.was = map[*plan.Task]*plan.Task{}
		for before, now := range c.Now {
			b.was[now] = before
		}
	}
	b.add(p.Tasks, -1)
	b.bound()
	b.wire(p, Same)
	b.closeCycles()
	if c != nil {
		b.wire(c.Before, Removed)
		b.cameAndWent()
	}
	x.estimated = Estimated(p)
	x.chain = Critical(p, x.estimated)
	b.state()
	if c != nil && len(x.nodes) > maxFocus {
		x.keep(x.focus())
	}
	x.reduce()
	return x
}

// pictured is a picture that is being made.
type pictured struct {
	*picture
	index   map[*plan.Task]int // of tasks on both sides
	wired   map[[2]int]int
	changes *Changes
	was     map[*plan.Task]*plan.Task
}

// add puts tasks into the picture, each followed by those below it and by the
// ones that were below it before.
func (b *pictured) add(tasks []*plan.Task, parent int) {
	for _, t := range tasks {
		i := b.addNode(t, parent)
		before := b.was[t]
		if b.changes != nil {
			switch {
			case before == nil:
				b.nodes[i].mark = Added
			case b.changes.Mark != nil:
				b.nodes[i].mark = b.changes.Mark(t)
			}
		}
		b.add(t.Children, i)
		if before != nil {
			b.index[before] = i
			b.addGone(before.Children, i)
		}
	}
	if parent < 0 && b.changes != nil {
		b.addGone(b.changes.Before.Tasks, -1)
	}
}

// addGone puts those of earlier tasks that are gone into the picture. What was
// below them and is still there stands where it is now.
func (b *pictured) addGone(tasks []*plan.Task, parent int) {
	for _, t := range tasks {
		if _, ok := b.changes.Now[t]; ok {
			continue
		}
		i := b.addNode(t, parent)
		b.nodes[i].mark = Removed
		b.addGone(t.Children, i)
	}
}

func (b *pictured) addNode(t *plan.Task, parent int) int {
	i := len(b.nodes)
	b.nodes = append(b.nodes, node{task: t, parent: parent})
	b.index[t] = i
	if parent >= 0 {
		b.nodes[parent].frame = true
	}
	return i
}

// bound leaves tasks out that are too many.
func (b *pictured) bound() {
	if len(b.nodes) <= maxTasks {
		return
	}
	b.tasks = len(b.nodes)
	b.nodes = b.nodes[:maxTasks]
	for t, i := range b.index {
		if i >= maxTasks {
			delete(b.index, t)
		}
	}
	for i := range b.nodes {
		b.nodes[i].frame = false
	}
	for _, n := range b.nodes {
		if n.parent >= 0 {
			b.nodes[n.parent].frame = true
		}
	}
}

// wire draws the dependencies of a plan, of which no more than [maxEdges].
func (b *pictured) wire(p *plan.Plan, mark Change) {
	looped := map[int]bool{}
	for e := range p.Graph().Edges() {
		to, ok := b.index[e.From]
		from, known := b.index[e.To]
		if !ok || !known {
			continue
		}
		if len(b.wires) == maxEdges {
			b.more = true
			return
		}
		if b.nested(from, to) {
			if !looped[to] && mark == Same {
				b.loops = append(b.loops, to)
			}
			looped[to] = true
			continue
		}
		if i, had := b.wired[[2]int{from, to}]; had {
			if b.wires[i].mark == Removed || mark == Same {
				continue
			}
			b.wires[i].mark = Changed // there before, too
			continue
		}
		b.wired[[2]int{from, to}] = len(b.wires)
		w := wire{from: from, to: to, kind: e.Kind, mark: mark}
		if e.Kind == plan.DataFlow {
			w.item = e.From.Doc.List("inputs")[e.Item]
		}
		b.wires = append(b.wires, w)
	}
}

// closeCycles marks the wires that close cycles.
func (b *pictured) closeCycles() {
	for _, c := range b.plan.Graph().Cycles() {
		if i, ok := b.wired[[2]int{b.index[c.At.To], b.index[c.At.From]}]; ok {
			b.wires[i].back = true
		}
	}
}

// cameAndWent marks wires by the sides they are on.
func (b *pictured) cameAndWent() {
	for i := range b.wires {
		switch w := &b.wires[i]; w.mark {
		case Same:
			w.mark = Added
		case Changed:
			w.mark = Same
		}
	}
}

// nested reports whether one of two nodes is the other or in it.
func (x *picture) nested(a, b int) bool { return x.within(a, b) || x.within(b, a) }

func (x *picture) within(i, frame int) bool {
	for i >= 0 && i != frame {
		i = x.nodes[i].parent
	}
	return i == frame
}

// state notes how tasks stand.
func (b *pictured) state() {
	for _, t := range b.plan.Ready() {
		if i, ok := b.index[t]; ok {
			b.nodes[i].ready = true
		}
	}
	for _, s := range b.plan.Signals {
		if i, ok := b.index[b.plan.Task(s.Task)]; ok && s.Task != "" {
			b.nodes[i].signals = append(b.nodes[i].signals, s)
		}
	}
	for i, n := range b.nodes {
		if n.frame {
			continue
		}
		for p := n.parent; p >= 0; p = b.nodes[p].parent {
			b.nodes[p].all++
			if n.task.Status.Settled() {
				b.nodes[p].done++
			}
		}
		b.nodes[i].all = 1
	}
	b.follow()
}

// follow marks the critical path, unless that is a single task.
func (b *pictured) follow() {
	if len(b.chain) < 2 {
		return
	}
	var path []int
	for _, t := range b.chain {
		if i, ok := b.index[t]; ok {
			b.nodes[i].chain = true
			path = append(path, i)
		}
	}
	step := map[[2]int]bool{}
	for n := 1; n < len(path); n++ {
		for from := path[n-1]; from >= 0; from = b.nodes[from].parent {
			for to := path[n]; to >= 0; to = b.nodes[to].parent {
				step[[2]int{from, to}] = true
			}
		}
	}
	for i, w := range b.wires {
		b.wires[i].chain = step[[2]int{w.from, w.to}] && w.mark != Removed
	}
}

// focus chooses what changed, what is next to it, and what is around those.
func (x *picture) focus() []bool {
	hot := make([]bool, len(x.nodes))
	for i, n := range x.nodes {
		hot[i] = n.mark != Same && n.mark != Moved
	}
	for _, w := range x.wires {
		if w.mark != Same {
			hot[w.to] = true
		}
	}
	keep := slices.Clone(hot)
	for _, w := range x.wires {
		keep[w.from] = keep[w.from] || hot[w.to]
		keep[w.to] = keep[w.to] || hot[w.from]
	}
	for i := range x.nodes {
		for p := x.nodes[i].parent; keep[i] && p >= 0; p = x.nodes[p].parent {
			keep[p] = true
		}
	}
	return keep
}

// keep leaves out what is not wanted, unless that is everything.
func (x *picture) keep(wanted []bool) {
	if !slices.Contains(wanted, true) || !slices.Contains(wanted, false) {
		return
	}
	number := make([]int, len(x.nodes))
	var nodes []node
	x.tasks = max(x.tasks, len(x.nodes))
	for i, n := range x.nodes {
		number[i] = -1
		if wanted[i] {
			number[i] = len(nodes)
			if n.parent >= 0 {
				n.parent = number[n.parent]
			}
			nodes = append(nodes, n)
		}
	}
	for i := range nodes {
		nodes[i].frame = false
	}
	for _, n := range nodes {
		if n.parent >= 0 {
			nodes[n.parent].frame = true
		}
	}
	var wires []wire
	for _, w := range x.wires {
		if w.from, w.to = number[w.from], number[w.to]; w.from >= 0 && w.to >= 0 {
			wires = append(wires, w)
		}
	}
	var loops []int
	for _, i := range x.loops {
		if number[i] >= 0 {
			loops = append(loops, number[i])
		}
	}
	x.nodes, x.wires, x.loops = nodes, wires, loops
}
