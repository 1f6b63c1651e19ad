package plan

import (
	"iter"
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
		for _, name := range t.Doc.List("outputs") {
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
	if to := g.after[t.index]; to != nil {
		out = append(out, Edge{t, to, FileOrder, 0})
	}
	out = append(out, g.written[t.index]...)
	for _, u := range g.uses[t.index] {
		for _, s := range u.spans(t) {
			for _, to := range u.made.by[s.start:s.end] {
				out = append(out, Edge{t, to, DataFlow, u.item})
			}
		}
	}
	return out
}

// eachFrom visits the tasks that the edges of t lead to.
func (g *Graph) eachFrom(t *Task, visit func(*Task)) {
	if to := g.after[t.index]; to != nil {
		visit(to)
	}
	for _, e := range g.written[t.index] {
		visit(e.To)
	}
	for _, u := range g.uses[t.index] {
		for _, s := range u.spans(t) {
			for _, to := range u.made.by[s.start:s.end] {
				visit(to)
			}
		}
	}
}

// Written gives the edges of t that its depends_on makes.
func (g *Graph) Written(t *Task) []Edge { return g.written[t.index] }

// Upstream gives in file order every task that t waits for, at any distance:
// through its own edges and those of its ancestors, and through what stands
// below a container it waits for.
func (g *Graph) Upstream(t *Task) []*Task {
	reached := g.net().next.reach(begin(t))
	return g.pick(func(u *Task) bool { return reached[end(u)] })
}

// Downstream gives in file order every task that waits for t, at any distance:
// those that have t in their [Graph.Upstream].
func (g *Graph) Downstream(t *Task) []*Task {
	if g.back.first == nil {
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
