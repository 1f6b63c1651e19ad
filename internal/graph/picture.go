package graph

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// Changes say how a plan came from an earlier one, so that one picture shows
// both.
type Changes struct {
	// Before is the earlier plan, nil where there was none.
	Before *plan.Plan
	// Now gives what became of its tasks; those that are gone are not in it.
	Now map[*plan.Task]*plan.Task
	// Marks has the tasks on both sides that were changed or moved, as they are now.
	Marks map[*plan.Task]Change
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

const (
	// maxEdges bounds a drawing: data flow between thousands of tasks would make
	// millions of lines.
	maxEdges = 5_000
	// maxTasks bounds how many tasks a picture shows.
	maxTasks = 5_000
)

// node is a task in a picture. Those of a frame follow it.
type node struct {
	task, before *plan.Task // before is the task as it was, nil where it is new
	parent       int        // -1 at the top
	frame        bool
	ready        bool
	chain        bool // on the critical path
	mark         Change
	signals      []*plan.Signal
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
	loop     bool // a task waits for itself, or for what is around or in it
	mark     Change
}

// picture is what is drawn: one plan, or what two plans have together.
type picture struct {
	plan  *plan.Plan
	nodes []node
	wires []wire
	index map[*plan.Task]int // of tasks on both sides
	tasks int                // how many there are where not all are drawn, else 0
	more  bool               // not all wires are there
	// changed says that it shows what changed.
	changed bool
}

// newPicture makes the picture of a plan, with what changed if c is not nil.
func newPicture(p *plan.Plan, c *Changes) *picture {
	x := &picture{plan: p, index: map[*plan.Task]int{}, changed: c != nil}
	x.add(p.Tasks, -1, c)
	x.wires = x.between(p)
	closing := map[[2]int]bool{}
	for _, c := range p.Graph().Cycles() {
		closing[[2]int{x.index[c.At.To], x.index[c.At.From]}] = true
	}
	for i := range x.wires {
		x.wires[i].back = closing[x.wires[i].ends()]
	}
	if c != nil {
		x.compare(c.Before)
	}
	x.state()
	return x
}

// add puts tasks into the picture, each followed by those below it and by the
// ones that were below it before.
func (x *picture) add(tasks []*plan.Task, parent int, c *Changes) {
	was := map[*plan.Task]*plan.Task{}
	if c != nil {
		for before, now := range c.Now {
			was[now] = before
		}
	}
	var add, addGone func([]*plan.Task, int)
	put := func(t *plan.Task, parent int) int {
		i := len(x.nodes)
		x.nodes, x.index[t] = append(x.nodes, node{task: t, before: was[t], parent: parent}), i
		return i
	}
	// What was below a task that is gone, and is still there, stands where it is now.
	addGone = func(tasks []*plan.Task, parent int) {
		for _, t := range tasks {
			if c.Now[t] == nil {
				i := put(t, parent)
				x.nodes[i].mark = Removed
				addGone(t.Children, i)
			}
		}
	}
	add = func(tasks []*plan.Task, parent int) {
		for _, t := range tasks {
			i, before := put(t, parent), was[t]
			switch {
			case c == nil:
			case before == nil:
				x.nodes[i].mark = Added
			default:
				x.nodes[i].mark = c.Marks[t]
			}
			add(t.Children, i)
			if before != nil {
				x.index[before] = i
				addGone(before.Children, i)
			}
		}
	}
	add(tasks, parent)
	if c != nil && c.Before != nil {
		addGone(c.Before.Tasks, -1)
	}
	x.frames()
}

// class is how a node looks: by its status, or in a picture of changes by those.
func (x *picture) class(n node) string {
	switch {
	case !x.changed:
		return lookOf(n.task.Status).class
	case n.mark != Same:
		return string(n.mark)
	}
	return "plain"
}

// has reports whether a task changed in that way.
func (x *picture) has(c Change) bool {
	return slices.ContainsFunc(x.nodes, func(n node) bool { return n.mark == c })
}

// frames notes which nodes have others in them.
func (x *picture) frames() {
	for i := range x.nodes {
		x.nodes[i].frame = false
		if p := x.nodes[i].parent; p >= 0 {
			x.nodes[p].frame = true
		}
	}
}

func (w wire) ends() [2]int { return [2]int{w.from, w.to} }

// between gives the dependencies of a plan, of which no more than [maxEdges].
func (x *picture) between(p *plan.Plan) []wire {
	var out []wire
	seen := map[[2]int]bool{}
	for e := range p.Graph().Edges() {
		w := wire{from: x.index[e.To], to: x.index[e.From], kind: e.Kind}
		if seen[w.ends()] {
			continue
		}
		if len(out) == maxEdges {
			x.more = true
			break
		}
		seen[w.ends()] = true
		w.loop = x.within(w.from, w.to) || x.within(w.to, w.from)
		if e.Kind == plan.DataFlow {
			w.item = e.From.Doc.List("inputs")[e.Item]
		}
		out = append(out, w)
	}
	return out
}

// compare marks the wires that came, and draws those that went.
func (x *picture) compare(before *plan.Plan) {
	var old []wire
	if before != nil {
		old = x.between(before)
	}
	was, is := map[[2]int]bool{}, map[[2]int]bool{}
	for _, w := range old {
		was[w.ends()] = true
	}
	for i, w := range x.wires {
		is[w.ends()] = true
		if !was[w.ends()] {
			x.wires[i].mark = Added
		}
	}
	for _, w := range old {
		if w.mark = Removed; !is[w.ends()] && len(x.wires) < maxEdges {
			x.wires = append(x.wires, w)
		}
	}
}

// within reports whether a node is the other or in it.
func (x *picture) within(i, frame int) bool {
	for i >= 0 && i != frame {
		i = x.nodes[i].parent
	}
	return i == frame
}

// state notes how tasks stand.
func (x *picture) state() {
	for _, t := range x.plan.Ready() {
		x.nodes[x.index[t]].ready = true
	}
	for _, s := range x.plan.Signals {
		if i, ok := x.index[x.plan.Task(s.Task)]; ok && s.Task != "" {
			x.nodes[i].signals = append(x.nodes[i].signals, s)
		}
	}
	for i, n := range x.nodes {
		if n.frame {
			continue
		}
		for p := n.parent; p >= 0; p = x.nodes[p].parent {
			x.nodes[p].all++
			if n.task.Status.Settled() {
				x.nodes[p].done++
			}
		}
		x.nodes[i].all = 1
	}
}

// follow marks the critical path, unless that is a single task.
func (x *picture) follow(chain []*plan.Task) {
	step := map[[2]int]bool{}
	for n := 1; n < len(chain); n++ {
		a, b := x.index[chain[n-1]], x.index[chain[n]]
		x.nodes[a].chain, x.nodes[b].chain = true, true
		for from := a; from >= 0; from = x.nodes[from].parent {
			for to := b; to >= 0; to = x.nodes[to].parent {
				step[[2]int{from, to}] = true
			}
		}
	}
	for i, w := range x.wires {
		x.wires[i].chain = step[w.ends()] && w.mark != Removed
	}
}

// focus leaves tasks out of a picture of more than a number of them: of changes,
// what neither changed nor is next to what did, and of more than most, the last.
func (x *picture) focus(shown, most int) {
	if len(x.nodes) <= shown {
		return
	}
	near := make([]int, len(x.nodes)) // 2 for what changed, 1 for what is next to that
	for i, n := range x.nodes {
		if n.mark != Same && n.mark != Moved {
			near[i] = 2
		}
	}
	for _, w := range x.wires {
		if w.mark != Same {
			near[w.to] = 2
		}
	}
	for _, w := range x.wires {
		if near[w.from] == 2 || near[w.to] == 2 {
			near[w.from], near[w.to] = max(near[w.from], 1), max(near[w.to], 1)
		}
	}
	least := 1
	if !slices.Contains(near, 2) {
		least = 0
	}
	keep, room := make([]bool, len(x.nodes)), most
	for level := 2; level >= least; level-- {
		for i := range x.nodes {
			if near[i] == level && room > 0 {
				room--
				for p := i; p >= 0; p = x.nodes[p].parent {
					keep[p] = true
				}
			}
		}
	}
	x.keep(keep)
}

// keep leaves out what is not wanted.
func (x *picture) keep(wanted []bool) {
	if !slices.Contains(wanted, false) {
		return
	}
	number := make([]int, len(x.nodes))
	var nodes []node
	x.tasks = len(x.nodes)
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
	var wires []wire
	for _, w := range x.wires {
		if w.from, w.to = number[w.from], number[w.to]; w.from >= 0 && w.to >= 0 {
			wires = append(wires, w)
		}
	}
	x.nodes, x.wires, x.index = nodes, wires, nil
	x.frames()
}
