package plan

import (
	"cmp"
	"iter"
	"slices"
)

// EdgeKind says why a task waits for another.
type EdgeKind int

// The kinds of edges.
const (
	DependsOn EdgeKind = iota // an entry of depends_on
	DataFlow                  // an input that an earlier task's output names
	FileOrder                 // the order of children of a kind: subtask
)

// Edge says that From waits for To, as do the tasks below From.
type Edge struct {
	From, To *Task
	Kind     EdgeKind
	// Item is the index of the entry in depends_on or inputs.
	Item int
}

// Graph is what waits for what in a plan.
type Graph struct {
	plan *Plan
	// By task index: the edges that depends_on makes, the sibling before a
	// child of a subtask, and the inputs that earlier tasks make. Data flow has
	// an edge for each task that takes and each that makes, too many to keep.
	written [][]Edge
	after   []*Task
	uses    [][]use
	whole   *net    // made at its first use
	back    digraph // whole the other way, made at its first use
}

// Graph gives the plan's dependencies: depends_on, data flow and the order of
// a subtask's children. Entries that name no task are left out.
func (p *Plan) Graph() *Graph {
	if p.graph == nil {
		p.graph = newGraph(p)
	}
	return p.graph
}

func newGraph(p *Plan) *Graph {
	n := len(p.all)
	g := &Graph{plan: p, written: make([][]Edge, n), after: make([]*Task, n), uses: make([][]use, n)}
	flow := map[string]*made{}
	for _, t := range p.all {
		for i, id := range t.Doc.Texts("depends_on") {
			if to := p.Task(id); to != nil {
				g.written[t.index] = append(g.written[t.index], Edge{t, to, DependsOn, i})
			}
		}
		for i, name := range t.Doc.Texts("inputs") {
			if m := flow[name]; m != nil {
				g.uses[t.index] = append(g.uses[t.index], use{i, m, len(m.by)})
			}
		}
		if t.Kind == "subtask" {
			for i := 1; i < len(t.Children); i++ {
				g.after[t.Children[i].index] = t.Children[i-1]
			}
		}
		for _, name := range t.Doc.Texts("outputs") {
			if flow[name] == nil {
				flow[name] = &made{}
			}
			flow[name].add(t)
		}
	}
	return g
}

// Edges gives every edge, in file order of From. Where many tasks make what
// many take, there are as many edges as pairs of them.
func (g *Graph) Edges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for _, t := range g.plan.all {
			for _, e := range g.From(t) {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// From gives the edges of t itself, those of its ancestors not included.
func (g *Graph) From(t *Task) []Edge {
	var out []Edge
	g.eachFrom(t, func(e Edge) { out = append(out, e) })
	return out
}

func (g *Graph) eachFrom(t *Task, visit func(Edge)) {
	if to := g.after[t.index]; to != nil {
		visit(Edge{t, to, FileOrder, 0})
	}
	for _, e := range g.written[t.index] {
		visit(e)
	}
	for _, u := range g.uses[t.index] {
		for _, s := range u.spans(t) {
			for _, to := range u.made.by[s.start:s.end] {
				visit(Edge{t, to, DataFlow, u.item})
			}
		}
	}
}

// Written gives the edges of t that its depends_on makes.
func (g *Graph) Written(t *Task) []Edge { return g.written[t.index] }

// Downstream gives in file order every task that waits for t, at any distance:
// through its own edges and those of its ancestors, and through what stands below
// a container that it waits for.
func (g *Graph) Downstream(t *Task) []*Task {
	if g.back == nil {
		g.back = g.net().next.reversed()
	}
	reached := g.back.reach(end(t))
	return g.pick(func(u *Task) bool { return reached[begin(u)] })
}

func (g *Graph) pick(want func(*Task) bool) []*Task {
	var out []*Task
	for _, t := range g.plan.all {
		if want(t) {
			out = append(out, t)
		}
	}
	return out
}

// net gives the net of all edges, also of those that name an ancestor.
func (g *Graph) net() *net {
	if g.whole == nil {
		g.whole = newNet(g, func(Edge) bool { return true })
	}
	return g.whole
}

// made is one name of data flow: the tasks whose outputs name it, in file
// order.
type made struct{ by []*Task }

func (m *made) add(t *Task) {
	if n := len(m.by); n == 0 || m.by[n-1] != t {
		m.by = append(m.by, t)
	}
}

func (m *made) find(t *Task) (int, bool) {
	return slices.BinarySearchFunc(m.by, t, func(a, b *Task) int { return cmp.Compare(a.index, b.index) })
}

// use is an entry of a task's inputs that names what earlier tasks make: the
// first n of made.by.
type use struct {
	item int
	made *made
	n    int
}

// spans gives the tasks that t waits for as ranges of made.by, in order: all
// before it but its ancestors. Ancestors are few, so the ranges are.
func (u use) spans(t *Task) []span {
	var out []span
	last := u.n
	for a := t.Parent; a != nil; a = a.Parent { // the nearest one comes last in the file
		if i, ok := u.made.find(a); ok {
			if i+1 < last {
				out = append(out, span{i + 1, last})
			}
			last = i
		}
	}
	if last > 0 {
		out = append(out, span{0, last})
	}
	slices.Reverse(out)
	return out
}
