package layout

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// random makes a graph of frames in frames, most of whose edges lead on. Some
// have cycles.
func random(r *rand.Rand, nodes, edges int, cycles bool) Graph {
	var g Graph
	for i := range nodes {
		n := Node{Width: 60 + r.IntN(120), Height: 30 + r.IntN(40), Head: 20 + r.IntN(20), Parent: -1}
		if i > 0 && r.IntN(3) > 0 {
			p := r.IntN(i)
			if r.IntN(2) == 0 {
				p = g.Nodes[i-1].Parent
			}
			if p >= 0 && depth(g, p) < 4 {
				n.Parent = p
			}
		}
		g.Nodes = append(g.Nodes, n)
	}
	for range edges {
		a, b := r.IntN(nodes), r.IntN(nodes)
		if a > b && !(cycles && r.IntN(8) == 0) {
			a, b = b, a
		}
		g.Edges = append(g.Edges, Edge{From: a, To: b, Weight: 1 + r.IntN(3), Yields: r.IntN(9) == 0})
	}
	return g
}

func depth(g Graph, i int) (n int) {
	for ; i >= 0; i = g.Nodes[i].Parent {
		n++
	}
	return n
}

// nested reports whether one of two nodes is the other or in it.
func nested(g Graph, i, j int) bool {
	outer, inner := min(i, j), max(i, j) // a frame stands before what it holds
	for inner > outer {
		inner = g.Nodes[inner].Parent
	}
	return inner == outer
}

func both() []Options {
	return []Options{{Gap: 30, Space: 20, Pad: 12}, {Sideways: true, Gap: 30, Space: 20, Pad: 12}}
}

// check holds a layout to all that is promised of it.
func check(t *testing.T, g Graph, o Options, l *Layout) {
	t.Helper()
	tr := newDrawing(g, o)
	for i, b := range l.Boxes {
		if b.X < 0 || b.Y < 0 || b.X+b.Width > l.Width || b.Y+b.Height > l.Height {
			t.Errorf("box %d %v is outside of %dx%d", i, b, l.Width, l.Height)
		}
		if !tr.isFrame(i) && (b.Width != g.Nodes[i].Width || b.Height != g.Nodes[i].Height) {
			t.Errorf("box %d is %dx%d", i, b.Width, b.Height)
		}
		if p := g.Nodes[i].Parent; p >= 0 && !inside(b, l.Boxes[p], o.Pad, g.Nodes[p].Head) {
			t.Errorf("box %d %v is not inside of frame %d %v", i, b, p, l.Boxes[p])
		}
		for j := range i {
			if !nested(g, i, j) && overlap(b, l.Boxes[j]) {
				t.Errorf("boxes %d %v and %d %v overlap", i, b, j, l.Boxes[j])
			}
		}
	}
	for i, r := range l.Routes {
		checkRoute(t, tr, o, l, i, r)
	}
}

func inside(b, frame Box, pad, head int) bool {
	return b.X >= frame.X+pad && b.Y >= frame.Y+pad+head && b.X+b.Width <= frame.X+frame.Width-pad && b.Y+b.Height <= frame.Y+frame.Height-pad
}

func overlap(a, b Box) bool {
	return a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
}

// checkRoute holds a line to its ends, its direction, and to what it passes.
func checkRoute(t *testing.T, tr *drawing, o Options, l *Layout, i int, r []Point) {
	t.Helper()
	e := tr.Edges[i]
	if nested(tr.Graph, e.From, e.To) {
		if len(r) > 0 {
			t.Errorf("edge %d from %d to %d is drawn", i, e.From, e.To)
		}
		return
	}
	if len(r) < 2 {
		t.Fatalf("edge %d has no line", i)
	}
	from, to := l.Boxes[e.From], l.Boxes[e.To]
	first, last := r[0], r[len(r)-1]
	if !touches(from, first) || !touches(to, last) {
		t.Errorf("edge %d runs from %v to %v, its boxes are %v and %v", i, first, last, from, to)
	}
	along := func(p Point) int {
		if o.Sideways {
			return p.X
		}
		return p.Y
	}
	if separate(o, from, to) && along(first) > along(last) {
		t.Errorf("edge %d runs against the direction: %v", i, r)
	}
	for n := 1; n < len(r); n++ {
		for j, b := range l.Boxes {
			if !tr.isFrame(j) && j != e.From && j != e.To && !nested(tr.Graph, j, e.From) && !nested(tr.Graph, j, e.To) && crosses(b, r[n-1], r[n]) {
				t.Errorf("edge %d from %d to %d runs through box %d %v: %v", i, e.From, e.To, j, b, r)
			}
		}
	}
}

// separate reports whether the first box ends before the other begins.
func separate(o Options, from, to Box) bool {
	if o.Sideways {
		return from.X+from.Width < to.X
	}
	return from.Y+from.Height < to.Y
}

func touches(b Box, p Point) bool {
	return p.X >= b.X && p.X <= b.X+b.Width && p.Y >= b.Y && p.Y <= b.Y+b.Height
}

// crosses reports whether what is between two points, as a box, overlaps one.
func crosses(b Box, p, q Point) bool {
	return overlap(b, Box{min(p.X, q.X), min(p.Y, q.Y), max(1, max(p.X, q.X)-min(p.X, q.X)), max(1, max(p.Y, q.Y)-min(p.Y, q.Y))})
}

func TestRandom(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(40)
		g := random(r, n, r.IntN(2*n), false)
		for _, o := range both() {
			t.Run(fmt.Sprint(seed, o.Sideways), func(t *testing.T) {
				l := Lay(g, o)
				check(t, g, o, l)
				if again := Lay(g, o); !reflect.DeepEqual(l, again) {
					t.Error("the same graph is laid out differently")
				}
			})
		}
	}
}

// What is in a cycle is laid out, too.
func TestRandomCycles(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := 2 + r.IntN(30)
		g := random(r, n, r.IntN(3*n), true)
		for _, o := range both() {
			t.Run(fmt.Sprint(seed, o.Sideways), func(t *testing.T) { check(t, g, o, Lay(g, o)) })
		}
	}
}

func FuzzLay(f *testing.F) {
	f.Add(uint64(1), uint8(5), uint8(9), true)
	f.Add(uint64(2), uint8(60), uint8(90), false)
	f.Fuzz(func(t *testing.T, seed uint64, nodes, edges uint8, cycles bool) {
		g := random(rand.New(rand.NewPCG(seed, 3)), 1+int(nodes%80), int(edges), cycles)
		for _, o := range both() {
			check(t, g, o, Lay(g, o))
		}
	})
}

func TestEmpty(t *testing.T) {
	if l := Lay(Graph{}, both()[0]); l.Width != 0 || l.Height != 0 {
		t.Errorf("nothing takes %dx%d", l.Width, l.Height)
	}
}

// boxes makes that many nodes of the same size.
func boxes(n int) Graph {
	var g Graph
	for range n {
		g.Nodes = append(g.Nodes, Node{Width: 100, Height: 40, Parent: -1})
	}
	return g
}

func (g *Graph) join(pairs ...int) {
	for i := 0; i < len(pairs); i += 2 {
		g.Edges = append(g.Edges, Edge{From: pairs[i], To: pairs[i+1], Weight: 1})
	}
}

// A chain is straight, and what forks stands in the middle.
func TestStraight(t *testing.T) {
	g := boxes(6)
	g.join(0, 1, 1, 2, 2, 3, 2, 4, 3, 5, 4, 5)
	l := Lay(g, both()[0])
	check(t, g, both()[0], l)
	if l.Boxes[0].X != l.Boxes[2].X || l.Crossings != 0 {
		t.Errorf("boxes %v, %d crossings", l.Boxes, l.Crossings)
	}
	if middle := (l.Boxes[3].X + l.Boxes[4].X) / 2; middle != l.Boxes[2].X {
		t.Errorf("the fork is at %d, not between %v and %v", l.Boxes[2].X, l.Boxes[3], l.Boxes[4])
	}
}

// Two rows that cross wherever they can are put in order.
func TestUncrosses(t *testing.T) {
	g := boxes(12)
	g.join(0, 11, 1, 10, 2, 9, 3, 8, 4, 7, 5, 6)
	if l := Lay(g, both()[0]); l.Crossings != 0 {
		t.Errorf("%d crossings", l.Crossings)
	}
}

// Boxes without lines fill a page, not a row.
func TestStacks(t *testing.T) {
	for _, o := range both() {
		l := Lay(boxes(60), o)
		if l.Width > 2*l.Height || l.Height > 2*l.Width {
			t.Errorf("60 boxes take %dx%d", l.Width, l.Height)
		}
	}
}

func BenchmarkLay(b *testing.B) {
	for _, n := range []int{60, 500, 5000} {
		g := random(rand.New(rand.NewPCG(1, 4)), n, n*3/2, false)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Lay(g, both()[0])
			}
		})
	}
}
