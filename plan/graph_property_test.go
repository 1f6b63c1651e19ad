package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// naive is the graph of a plan as its definition reads, an edge for each pair
// of tasks.
type naive struct {
	p     *Plan
	edges []Edge
}

func newNaive(p *Plan) *naive {
	g := &naive{p: p}
	for _, t := range p.all {
		if q := t.Parent; q != nil && q.Kind == "subtask" {
			if i := slices.Index(q.Children, t); i > 0 {
				g.edges = append(g.edges, Edge{t, q.Children[i-1], FileOrder, 0})
			}
		}
		for i, id := range t.Doc.List("depends_on") {
			if j := slices.IndexFunc(p.all, func(u *Task) bool { return u.ID == id }); j >= 0 {
				g.edges = append(g.edges, Edge{t, p.all[j], DependsOn, i})
			}
		}
		for i, name := range t.Doc.List("inputs") {
			for _, u := range p.all[:t.index] {
				if slices.Contains(u.Doc.List("outputs"), name) && !u.IsAncestorOf(t) {
					g.edges = append(g.edges, Edge{t, u, DataFlow, i})
				}
			}
		}
	}
	return g
}

// waiting gives what t or an ancestor waits for at once.
func (g *naive) waiting(t *Task) []*Task {
	var out []*Task
	for _, e := range g.edges {
		if e.From == t || e.From.IsAncestorOf(t) {
			out = append(out, e.To)
		}
	}
	return out
}

func (g *naive) upstream(t *Task) map[*Task]bool {
	seen := map[*Task]bool{}
	var visit func(*Task)
	visit = func(u *Task) {
		for _, to := range g.waiting(u) {
			to.walk(func(v *Task) {
				if !seen[v] {
					seen[v] = true
					visit(v)
				}
			})
		}
	}
	visit(t)
	return seen
}

func (g *naive) ready(t *Task) bool {
	if len(t.Children) > 0 || t.Status != Pending || len(g.p.Blockers(t)) > 0 {
		return false
	}
	for a := t; a != nil; a = a.Parent {
		if a.Parent != nil && a.Parent.Kind == "decide" && slices.ContainsFunc(a.Parent.Children, func(c *Task) bool { return c != a && c.Status == Done }) {
			return false
		}
	}
	return !slices.ContainsFunc(g.waiting(t), func(u *Task) bool { return !u.Settled() })
}

// steps gives the arcs of beginnings and ends, as a set, without some edges.
func (g *naive) steps(without []Edge) map[[2]int]bool {
	out := map[[2]int]bool{}
	for _, t := range g.p.all {
		out[[2]int{end(t), begin(t)}] = true
		for _, c := range t.Children {
			out[[2]int{end(t), end(c)}] = true
			out[[2]int{begin(c), begin(t)}] = true
		}
	}
	for _, e := range g.edges {
		if !e.To.IsAncestorOf(e.From) && !slices.Contains(without, e) {
			out[[2]int{begin(e.From), end(e.To)}] = true
		}
	}
	return out
}

// distances gives the least number of steps between any two nodes, a large
// number where there is no way.
func distances(nodes int, steps map[[2]int]bool) [][]int {
	d := make([][]int, nodes)
	for v := range d {
		d[v] = slices.Repeat([]int{1 << 20}, nodes)
		for w := range d[v] {
			if steps[[2]int{v, w}] {
				d[v][w] = 1
			}
		}
	}
	for k := range d {
		for v := range d {
			for w := range d {
				d[v][w] = min(d[v][w], d[v][k]+d[k][w])
			}
		}
	}
	return d
}

// tangle writes a plan with everything a graph is made of.
func tangle(r *rand.Rand) []string {
	pairs := []string{}
	names := func(prefix string, n, most int) string {
		var out []string
		for range r.IntN(most + 1) {
			out = append(out, fmt.Sprintf("%s%d", prefix, r.IntN(n)))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	count, size := 0, 4+r.IntN(10)
	var level func(dir string, depth int)
	level = func(dir string, depth int) {
		for i := range 1 + r.IntN(4) {
			if count == size {
				return
			}
			name := fmt.Sprintf("%s%02d-t", dir, i)
			front := fmt.Sprintf("id: t%d\nstatus: %s\ninputs: %s\noutputs: %s", count, Statuses()[r.IntN(7)*r.IntN(2)], names("n", 3, 2), names("n", 3, 2))
			if kind := []string{"", "", "subtask", "decide"}[r.IntN(4)]; kind != "" {
				front += "\nkind: " + kind
			}
			if r.IntN(3) == 0 {
				front += "\ndepends_on: " + names("t", size, 2)
			}
			count++
			pairs = append(pairs, name, front)
			if depth < 3 && r.IntN(2) == 0 {
				level(name+"/", depth+1)
			}
		}
	}
	for top := 0; count < size; top++ {
		level(fmt.Sprintf("%02d-top/", top), 1)
		pairs = append(pairs, fmt.Sprintf("%02d-top", top), fmt.Sprintf("id: top%d\ninputs: %s\noutputs: %s", top, names("n", 3, 1), names("n", 3, 1)))
	}
	if r.IntN(3) == 0 {
		pairs = append(pairs, "signals/s.md", signal("blocker", fmt.Sprintf("t%d", r.IntN(size))))
	}
	return pairs
}

// checkGraph holds a plan's graph against its definition.
func checkGraph(t *testing.T, p *Plan) {
	t.Helper()
	g, want := p.Graph(), newNaive(p)
	if got := slices.Collect(g.Edges()); !slices.Equal(got, want.edges) {
		t.Fatalf("edges %v, want %v", got, want.edges)
	}
	var ready, cascade []*Task
	reach := g.Reach()
	for _, u := range p.all {
		up := want.upstream(u)
		waits := func(v *Task) bool { return slices.Contains(g.Downstream(v), u) }
		equal(t, "upstream of "+u.ID, ids(g.pick(waits)), ids(g.pick(func(v *Task) bool { return up[v] })))
		for _, v := range p.all {
			if want := up[v] || u == v || u.IsAncestorOf(v); reach.Relies(u, p.TaskSet([]*Task{v})) != want {
				t.Errorf("%s relies on %s: %v", u.ID, v.ID, !want)
			}
		}
		if want.ready(u) {
			ready = append(ready, u)
		}
		if v := p.all[0]; u != v && !u.Status.Settled() && !u.IsAncestorOf(v) && up[v] {
			cascade = append(cascade, u)
		}
		waiting := want.waiting(u)
		equal(t, u.ID+" waits for", ids(p.WaitsFor(u)), ids(g.pick(func(v *Task) bool { return slices.Contains(waiting, v) && !v.Settled() })))
	}
	equal(t, "ready", ids(p.Ready()), ids(ready))
	equal(t, "cascade", ids(p.Cascade(p.all[0])), ids(cascade))
	checkCycles(t, p, want)
}

// checkCycles requires that there is a cycle where there should be, each the
// shortest through its edge when it was found, and none once their edges are gone.
func checkCycles(t *testing.T, p *Plan, want *naive) {
	t.Helper()
	var gone []Edge
	nodes := 2 * len(p.all)
	for _, c := range p.Graph().Cycles() {
		d := distances(nodes, want.steps(gone))
		if c.At.Kind != DependsOn || !slices.Contains(want.edges, c.At) {
			t.Fatalf("%s is at no entry of depends_on", c)
		}
		if n := len(c.Tasks) - 1; c.Tasks[0] != c.Tasks[n] || repeats(c.Tasks[1:]) {
			t.Fatalf("%s is no cycle", c)
		}
		way := d[end(c.At.To)][begin(c.At.From)] + 1
		if way >= 1<<20 || len(c.Tasks)-1 > way {
			t.Fatalf("%s passes %d tasks, and the cycle at its edge has %d steps", c, len(c.Tasks)-1, way)
		}
		gone = append(gone, c.At)
	}
	d := distances(nodes, want.steps(gone))
	for v := range d {
		if d[v][v] < 1<<20 && len(gone) < maxCycles {
			t.Fatalf("a cycle through %s was not found", p.all[v/2].ID)
		}
	}
}

func repeats(tasks []*Task) bool {
	for i, t := range tasks {
		if slices.Contains(tasks[:i], t) {
			return true
		}
	}
	return false
}

func TestGraphIsAsDefined(t *testing.T) {
	for seed := range uint64(1500) {
		p := build(t, tangle(rand.New(rand.NewPCG(seed, 3)))...)
		checkGraph(t, p)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzGraph(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, a, b uint64) { checkGraph(t, build(t, tangle(rand.New(rand.NewPCG(a, b)))...)) })
}

// crowd writes n tasks, each of which makes and takes the same name.
func crowd(n int, more string) []string {
	var pairs []string
	for i := range n {
		dir := fmt.Sprintf("%02d-d", i/90)
		if i%90 == 0 {
			pairs = append(pairs, dir, fmt.Sprintf("id: box-%d\ninputs: [all]\noutputs: [all]%s", i/90, more))
		}
		pairs = append(pairs, fmt.Sprintf("%s/%02d-t", dir, i%90), fmt.Sprintf("id: t-%d\ninputs: [all]\noutputs: [all]%s", i, more))
	}
	return pairs
}

// Data flow between all pairs of many tasks must cost no more than its
// entries.
func TestGraphOfManyIsQuick(t *testing.T) {
	for _, tangled := range []bool{false, true} {
		gittest.Linear(t, fmt.Sprintf("tangled %v", tangled), 8900, func(n int) func() {
			more, name := "", fmt.Sprintf("t-%d", n-1)
			if tangled {
				more = "\ndepends_on: [" + name + "]"
			}
			p := build(t, crowd(n, more)...)
			return func() { askMany(t, p, tangled) }
		})
	}
}

// askMany asks a plan that [crowd] wrote all that a graph is asked.
func askMany(t *testing.T, p *Plan, tangled bool) {
	t.Helper()
	last := p.All()[len(p.All())-1]
	p.Graph()
	ready := p.Ready()
	p.WaitsFor(last)
	cycles := p.Graph().Cycles()
	if len(p.Cascade(p.Task("t-0"))) == 0 {
		t.Error("nothing waits")
	}
	if _, err := p.Transition(last, Move{To: Done, At: at(1)}); err != nil {
		t.Error(err)
	}
	if tangled != (len(cycles) > 0) || tangled != (len(ready) != 1) {
		t.Errorf("tangled %v: %d cycles, %d ready", tangled, len(cycles), len(ready))
	}
}

// An edge that only hangs on a cycle must not cost a search of its own.
func TestCyclesWithManyThatHangOnOne(t *testing.T) {
	gittest.Linear(t, "cycles", 4000, func(n int) func() {
		pairs := []string{"00-y", "id: y\ndepends_on: [c]", "01-c", "id: c\ndepends_on: [y]"}
		for i, p := range chain(n, "") {
			if i%2 == 0 {
				p = "01-c/" + p
			}
			pairs = append(pairs, p)
		}
		p := build(t, pairs...)
		return func() {
			if found := p.Graph().Cycles(); len(found) != 1 || found[0].String() != "y -> c -> y" {
				t.Errorf("%d cycles", len(found))
			}
		}
	})
}
