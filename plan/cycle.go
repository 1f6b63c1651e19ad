package plan

import (
	"slices"
	"strings"
)

// Cycle is a deadlock: the tasks in waiting order, the first one repeated at
// the end, and the edge of the last file that closes it.
type Cycle struct {
	Tasks []*Task
	At    Edge
}

// String prints the cycle whole, "a -> b -> a".
func (c Cycle) String() string {
	ids := make([]string, len(c.Tasks))
	for i, t := range c.Tasks {
		ids[i] = t.ID
	}
	return strings.Join(ids, " -> ")
}

const maxCycles = 20

// Cycles finds the deadlocks of the plan, one for each edge that must go, at
// most 20. The edge is always one of depends_on: data flow and file order only
// point back in the file. An entry that names an ancestor of its own task is
// not counted: that is a fault of its own.
func (g *Graph) Cycles() []Cycle {
	// The order of the file is one to work in as long as no entry leads forward.
	forward := func(e Edge) bool { return e.To.index >= e.From.index }
	if !slices.ContainsFunc(g.written, func(list []Edge) bool { return slices.ContainsFunc(list, forward) }) {
		return nil
	}
	n := newNet(g, func(e Edge) bool { return !e.To.IsAncestorOf(e.From) })
	var out []Cycle
	for len(out) < maxCycles {
		c, ok := n.cycle()
		if !ok {
			break
		}
		out = append(out, c)
		n.drop(c.At)
	}
	return out
}

// cycle finds a shortest cycle through the last written edge, in file order,
// that lies on one. Where it passes a task twice it hangs on a shorter cycle:
// that one is looked at instead.
func (n *net) cycle() (Cycle, bool) {
	comp := n.next.components()
	last := func(on func(Edge) bool) int {
		return lastIndex(n.written, func(e Edge) bool { return comp[begin(e.From)] == comp[end(e.To)] && on(e) })
	}
	i := last(func(Edge) bool { return true })
	for i >= 0 {
		e := n.written[i]
		nodes := n.path(end(e.To), begin(e.From))
		inner := n.shortcut(nodes)
		if len(inner) == len(nodes) {
			return Cycle{Tasks: n.tasks(nodes), At: e}, true
		}
		// Every cycle has a written edge, and this one is shorter than the last.
		i = last(func(e Edge) bool { return follows(inner, begin(e.From), end(e.To)) })
	}
	return Cycle{}, false
}

func lastIndex(edges []Edge, want func(Edge) bool) int {
	for i, e := range slices.Backward(edges) {
		if want(e) {
			return i
		}
	}
	return -1
}

// shortcut gives the part of a cycle from a task's beginning to its end, which
// is a cycle by itself, if those two stand in it apart; else the whole cycle.
// The cycle's first node follows its last.
func (n *net) shortcut(nodes []int) []int {
	at := map[int]int{}
	for i, v := range nodes {
		at[v] = i
	}
	best := nodes
	for i, v := range nodes {
		j, both := at[v+1]
		if v%2 != 0 || !both || !n.isTask(v) {
			continue
		}
		if size := (j-i+len(nodes))%len(nodes) + 1; size < len(best) {
			best = slices.Concat(nodes, nodes)[i : i+size]
		}
	}
	return best
}

// follows reports whether w comes after v in a cycle.
func follows(nodes []int, v, w int) bool {
	i := slices.Index(nodes, v)
	return i >= 0 && nodes[(i+1)%len(nodes)] == w
}

// tasks turns a path of nodes into the tasks passed, beginning with the first
// in file order and ending with it again.
func (n *net) tasks(nodes []int) []*Task {
	var ids []int
	for _, v := range nodes {
		if n.isTask(v) && (len(ids) == 0 || ids[len(ids)-1] != v/2) {
			ids = append(ids, v/2)
		}
	}
	if len(ids) > 1 && ids[0] == ids[len(ids)-1] {
		ids = ids[1:]
	}
	at := slices.Index(ids, slices.Min(ids))
	ids = append(slices.Clone(ids[at:]), ids[:at]...)
	var out []*Task
	for _, i := range append(ids, ids[0]) {
		out = append(out, n.g.plan.all[i])
	}
	return out
}
