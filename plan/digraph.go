package plan

// arc leads from one node to another; nodes are numbers from 0.
type arc struct{ from, to int32 }

// digraph keeps arcs by the node they lead from: those of node v are
// to[first[v]:first[v+1]].
type digraph struct {
	first, to []int32
}

func newDigraph(nodes int, arcs ...[]arc) digraph {
	d := digraph{first: make([]int32, nodes+1)}
	for _, list := range arcs {
		for _, a := range list {
			d.first[a.from+1]++
		}
	}
	for v := range nodes {
		d.first[v+1] += d.first[v]
	}
	d.to = make([]int32, d.first[nodes])
	at := make([]int32, nodes)
	for _, list := range arcs {
		for _, a := range list {
			d.to[d.first[a.from]+at[a.from]] = a.to
			at[a.from]++
		}
	}
	return d
}

func (d digraph) len() int { return len(d.first) - 1 }

// of gives the nodes that v leads to.
func (d digraph) of(v int) []int32 { return d.to[d.first[v]:d.first[v+1]] }

func (d digraph) reversed() digraph {
	arcs := make([]arc, 0, len(d.to))
	for v := range d.len() {
		for _, w := range d.of(v) {
			arcs = append(arcs, arc{w, int32(v)})
		}
	}
	return newDigraph(d.len(), arcs)
}

// reach tells of every node whether v leads to it, at any distance but none.
func (d digraph) reach(v int) []bool {
	seen := make([]bool, d.len())
	queue := []int32{int32(v)}
	for len(queue) > 0 {
		v, queue = int(queue[len(queue)-1]), queue[:len(queue)-1]
		for _, w := range d.of(v) {
			if !seen[w] {
				seen[w] = true
				queue = append(queue, w)
			}
		}
	}
	return seen
}

// components numbers the strongly connected components (Tarjan's algorithm,
// with a stack of our own: a chain of thousands of tasks must not be deep).
// A component is numbered after all that it leads to.
func (d digraph) components() []int {
	n := d.len()
	t := tarjan{next: d, index: make([]int, n), low: make([]int, n), comp: make([]int, n)}
	for v := range n {
		if t.index[v] == 0 {
			t.visit(v)
		}
	}
	return t.comp
}

type tarjan struct {
	next             digraph
	index, low, comp []int // index 0: not visited; comp 0: still on the stack
	stack            []int
	count, found     int
}

func (t *tarjan) visit(root int) {
	type frame struct{ v, edge int }
	t.enter(root)
	frames := []frame{{root, 0}}
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if f.edge < len(t.next.of(f.v)) {
			w := int(t.next.of(f.v)[f.edge])
			f.edge++
			if t.index[w] == 0 {
				t.enter(w)
				frames = append(frames, frame{w, 0})
			} else if t.comp[w] == 0 {
				t.low[f.v] = min(t.low[f.v], t.index[w])
			}
			continue
		}
		v := f.v
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			up := frames[len(frames)-1].v
			t.low[up] = min(t.low[up], t.low[v])
		}
		t.leave(v)
	}
}

func (t *tarjan) enter(v int) {
	t.count++
	t.index[v], t.low[v] = t.count, t.count
	t.stack = append(t.stack, v)
}

func (t *tarjan) leave(v int) {
	if t.low[v] != t.index[v] {
		return
	}
	t.found++
	for {
		w := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.comp[w] = t.found
		if w == v {
			return
		}
	}
}
