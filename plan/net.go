package plan

import "slices"

// net is the graph of beginnings and ends. Each task has two nodes: what must
// hold before it begins (2i) and before it counts as settled (2i+1). A task
// begins after what it waits for ended; a child begins after its container
// began; a container ends after its children.
//
// The nodes from 2n on stand for data flow: each for some tasks that make one
// name, linked to the node for all of them but the last. So there are about
// as many arcs as entries of inputs and outputs, not as many as pairs.
type net struct {
	g       *Graph
	written []Edge
	chains  map[link][]int32 // by length, beginning with 1
	next    digraph
}

// link names a chain: the tasks that make a name, from one of them on.
type link struct {
	made  *made
	start int
}

func begin(t *Task) int { return 2 * t.index }
func end(t *Task) int   { return 2*t.index + 1 }

// isTask reports whether the node is a task's.
func (n *net) isTask(v int) bool { return v < 2*len(n.g.plan.all) }

// newNet makes the net of a graph, with those written edges that are wanted.
func newNet(g *Graph, want func(Edge) bool) *net {
	n := &net{g: g, chains: map[link][]int32{}, next: make(digraph, 2*len(g.plan.all))}
	for _, t := range g.plan.all {
		n.add(end(t), begin(t))
		for _, c := range t.Children {
			n.add(end(t), end(c))
			n.add(begin(c), begin(t))
		}
		if to := g.after[t.index]; to != nil {
			n.add(begin(t), end(to))
		}
		for _, u := range g.uses[t.index] {
			for _, s := range u.spans(t) {
				n.add(begin(t), n.chain(u.made, s))
			}
		}
	}
	for _, edges := range g.written {
		for _, e := range edges {
			if want(e) {
				n.written = append(n.written, e)
				n.add(begin(e.From), end(e.To))
			}
		}
	}
	return n
}

func (n *net) add(v, w int) { n.next[v] = append(n.next[v], int32(w)) }

// drop takes away a written edge.
func (n *net) drop(e Edge) {
	n.written = slices.DeleteFunc(n.written, func(f Edge) bool { return f == e })
	v := begin(e.From)
	at := slices.Index(n.next[v], int32(end(e.To)))
	n.next[v] = slices.Delete(n.next[v], at, at+1)
}

// chain gives the node for a range of the tasks that make a name. A range
// begins with the first of them or after an ancestor of who takes it, so each
// task is in no more chains than it has ancestors.
func (n *net) chain(m *made, s span) int {
	key := link{m, s.start}
	nodes := n.chains[key]
	for len(nodes) < s.end-s.start {
		v := len(n.next)
		n.next = append(n.next, nil)
		if len(nodes) > 0 {
			n.add(v, int(nodes[len(nodes)-1]))
		}
		n.add(v, end(m.by[s.start+len(nodes)]))
		nodes = append(nodes, int32(v))
	}
	n.chains[key] = nodes
	return int(nodes[s.end-s.start-1])
}

// path is a shortest path between two nodes of one component. Steps along the
// nodes of data flow count nothing: between two tasks they are one edge.
func (n *net) path(from, to int) []int {
	const unseen = -1
	parent := make([]int32, len(n.next))
	for i := range parent {
		parent[i] = unseen
	}
	parent[from] = int32(from)
	near := []int32{int32(from)}
	for len(near) > 0 && parent[to] == unseen {
		for i := 0; i < len(near); i++ {
			if !n.isTask(int(near[i])) {
				near = n.step(near, near[i], parent)
			}
		}
		var far []int32
		for _, v := range near {
			if n.isTask(int(v)) {
				far = n.step(far, v, parent)
			}
		}
		near = far
	}
	var out []int
	for v := to; v != from; v = int(parent[v]) {
		out = append(out, v)
	}
	out = append(out, from)
	slices.Reverse(out)
	return out
}

// step adds to a list the nodes that v leads to and that have no parent yet.
func (n *net) step(list []int32, v int32, parent []int32) []int32 {
	for _, w := range n.next[v] {
		if parent[w] < 0 {
			parent[w] = v
			list = append(list, w)
		}
	}
	return list
}
