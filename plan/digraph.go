package plan

// digraph gives by node, a number from 0, the nodes that it leads to.
type digraph [][]int32

func (d digraph) reversed() digraph {
	out := make(digraph, len(d))
	for v, list := range d {
		for _, w := range list {
			out[w] = append(out[w], int32(v))
		}
	}
	return out
}

// reach tells of every node whether v leads to it, at any distance but none.
func (d digraph) reach(v int) []bool {
	seen := make([]bool, len(d))
	queue := []int32{int32(v)}
	for len(queue) > 0 {
		v, queue = int(queue[len(queue)-1]), queue[:len(queue)-1]
		for _, w := range d[v] {
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
	n := len(d)
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
		if f.edge < len(t.next[f.v]) {
			w := int(t.next[f.v][f.edge])
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
