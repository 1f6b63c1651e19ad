package plan

import (
	"slices"
	"strings"
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
	// Edges are in file order of From.
	Edges []Edge
	from  [][]Edge // by task index
}

// Graph gives the plan's dependencies: depends_on, data flow and the order of
// a subtask's children. Entries that name no task are left out.
func (p *Plan) Graph() *Graph {
	if p.graph != nil {
		return p.graph
	}
	g := &Graph{plan: p, from: make([][]Edge, len(p.all))}
	ids := map[string]*Task{}
	for _, t := range slices.Backward(p.all) {
		ids[t.ID] = t
	}
	producers := map[string][]*Task{}
	for _, t := range p.all {
		for i, id := range t.Doc.List("depends_on") {
			if to := ids[id]; to != nil && id != "" {
				g.add(Edge{t, to, DependsOn, i})
			}
		}
		for i, name := range t.Doc.List("inputs") {
			for _, to := range producers[name] {
				if !to.IsAncestorOf(t) {
					g.add(Edge{t, to, DataFlow, i})
				}
			}
		}
		if t.Kind == "subtask" {
			for i := 1; i < len(t.Children); i++ {
				g.add(Edge{t.Children[i], t.Children[i-1], FileOrder, 0})
			}
		}
		for _, name := range t.Doc.List("outputs") {
			producers[name] = append(producers[name], t)
		}
	}
	p.graph = g
	return g
}

func (g *Graph) add(e Edge) {
	g.Edges = append(g.Edges, e)
	g.from[e.From.index] = append(g.from[e.From.index], e)
}

// From gives the edges of t itself, those of its ancestors not included.
func (g *Graph) From(t *Task) []Edge { return g.from[t.index] }

// Upstream gives every task that t waits for, at any distance: through its
// own edges and those of its ancestors, and through what stands below a
// container it waits for.
func (g *Graph) Upstream(t *Task) []*Task {
	seen := make([]bool, len(g.plan.all))
	var out []*Task
	var visit func(u *Task)
	visit = func(u *Task) {
		for a := u; a != nil; a = a.Parent {
			for _, e := range g.From(a) {
				e.To.walk(func(v *Task) {
					if !seen[v.index] {
						seen[v.index] = true
						out = append(out, v)
						visit(v)
					}
				})
			}
		}
	}
	visit(t)
	return out
}

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
// most 20. An entry that names an ancestor of its own task is not counted:
// that is a fault of its own.
func (g *Graph) Cycles() []Cycle {
	n := newNet(g)
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

// net is the graph of beginnings and ends. Each task has two nodes: what must
// hold before it begins (2i) and before it counts as settled (2i+1). A task
// begins after what it waits for ended; a child begins after its container
// began; a container ends after its children.
type net struct {
	g     *Graph
	edges []Edge
	next  [][]int
}

func newNet(g *Graph) *net {
	n := &net{g: g}
	for _, e := range g.Edges {
		if !e.To.IsAncestorOf(e.From) {
			n.edges = append(n.edges, e)
		}
	}
	n.build()
	return n
}

func (n *net) build() {
	tasks := n.g.plan.all
	n.next = make([][]int, 2*len(tasks))
	for i, t := range tasks {
		n.next[2*i+1] = append(n.next[2*i+1], 2*i)
		for _, c := range t.Children {
			n.next[2*i+1] = append(n.next[2*i+1], 2*c.index+1)
			n.next[2*c.index] = append(n.next[2*c.index], 2*i)
		}
	}
	for _, e := range n.edges {
		n.next[2*e.From.index] = append(n.next[2*e.From.index], 2*e.To.index+1)
	}
}

func (n *net) drop(e Edge) {
	n.edges = slices.DeleteFunc(n.edges, func(f Edge) bool { return f == e })
	n.build()
}

// cycle finds the shortest cycle through the last edge, in file order, that
// lies on one; edges written by a person go before implied ones. An edge whose
// cycle passes a container twice is passed over: it hangs on a shorter cycle.
func (n *net) cycle() (Cycle, bool) {
	component := n.components()
	var implied, written []Edge
	for _, e := range n.edges {
		switch {
		case component[2*e.From.index] != component[2*e.To.index+1]:
		case e.Kind == DependsOn:
			written = append(written, e)
		default:
			implied = append(implied, e)
		}
	}
	for _, e := range slices.Backward(append(implied, written...)) {
		if tasks := n.tasks(n.path(2*e.To.index+1, 2*e.From.index)); !repeats(tasks[1:]) {
			return Cycle{Tasks: tasks, At: e}, true
		}
	}
	return Cycle{}, false
}

func repeats(tasks []*Task) bool {
	seen := map[*Task]bool{}
	for _, t := range tasks {
		if seen[t] {
			return true
		}
		seen[t] = true
	}
	return false
}

// tasks turns a path of nodes into the tasks passed, beginning with the first
// in file order and ending with it again.
func (n *net) tasks(nodes []int) []*Task {
	var ids []int
	for _, v := range nodes {
		if len(ids) == 0 || ids[len(ids)-1] != v/2 {
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

// path is a shortest path between two nodes of one component.
func (n *net) path(from, to int) []int {
	parent := make([]int, len(n.next))
	for i := range parent {
		parent[i] = -1
	}
	parent[from] = from
	for queue := []int{from}; len(queue) > 0 && parent[to] < 0; queue = queue[1:] {
		for _, w := range n.next[queue[0]] {
			if parent[w] < 0 {
				parent[w] = queue[0]
				queue = append(queue, w)
			}
		}
	}
	var out []int
	for v := to; v != from && v >= 0; v = parent[v] {
		out = append(out, v)
	}
	out = append(out, from)
	slices.Reverse(out)
	return out
}

// components numbers the strongly connected components (Tarjan's algorithm,
// with a stack of our own: a chain of thousands of tasks must not be deep).
func (n *net) components() []int {
	t := tarjan{next: n.next, index: make([]int, len(n.next)), low: make([]int, len(n.next)), comp: make([]int, len(n.next))}
	for v := range n.next {
		if t.index[v] == 0 {
			t.visit(v)
		}
	}
	return t.comp
}

type tarjan struct {
	next             [][]int
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
			w := t.next[f.v][f.edge]
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
