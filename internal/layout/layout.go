// Package layout says where boxes and the lines between them stand in a
// drawing of what comes before what: in layers, with few crossings, and with
// boxes that hold others around all they hold. [Lay] does it. It knows nothing
// of plans and does no I/O.
package layout

// Graph is what is to be drawn.
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// Node is a box. One that is the parent of others is a frame around them.
type Node struct {
	// Width and Height are the size of a box that holds no others.
	Width, Height int
	// Head is the room that a frame keeps at its top for what it says.
	Head int
	// Parent is the frame around the box, -1 where there is none. A frame
	// stands before what it holds.
	Parent int
}

// Edge says that From comes before To. One end may be a frame: then it counts
// for all that the frame holds.
type Edge struct {
	From, To int
	// Weight says how straight and short the line should be; at least 1.
	Weight int
	// Yields says that of edges in a cycle this one shall go backwards.
	Yields bool
}

// Options say how to lay out.
type Options struct {
	// Sideways lets lines run from left to right, not from top to bottom.
	Sideways bool
	// Gap is the least room between layers, Space that between boxes of one.
	Gap, Space int
	// Pad is the room between a frame and what it holds.
	Pad int
}

// Point is a place in the drawing.
type Point struct{ X, Y int }

// Box is where a node stands: its upper left corner and its size.
type Box struct{ X, Y, Width, Height int }

// Route is how a line runs. Of two points that follow each other, either both
// are on one line in the direction of the drawing, or the line bends between
// them and has that direction in both.
type Route struct {
	Points []Point
	// Against says that the edge is part of a cycle and its line does not run in
	// the direction of the drawing.
	Against bool
	// Over says that the line had no place among the others and may run over
	// boxes: it is too long, or both ends share a layer.
	Over bool
}

// Layout is a graph that was laid out.
type Layout struct {
	Width, Height int
	// Boxes are the places of nodes, Routes those of edges. No line is drawn
	// from a node to itself or to a frame around it: there the route is empty.
	Boxes  []Box
	Routes []Route
	// Crossings is how many lines cross each other, AtFirst how many did in the
	// order of the nodes.
	Crossings, AtFirst int
}

// maxBends bounds how many layers lines may pass in all; the longest lines of a
// graph that has more run straight on, whatever stands there.
const maxBends = 12_000

// Lay lays a graph out. The same graph is always laid out the same.
func Lay(g Graph, o Options) *Layout {
	t := newTree(g)
	r := rank(t, o)
	s := newSheet(t, r, o)
	s.order()
	s.place()
	return s.layout()
}

// tree is a graph with its frames in order.
type tree struct {
	Graph
	children [][]int
	depth    []int
	roots    []int
}

func newTree(g Graph) *tree {
	t := &tree{Graph: g, children: make([][]int, len(g.Nodes)), depth: make([]int, len(g.Nodes))}
	for i, n := range g.Nodes {
		if n.Parent >= 0 {
			t.children[n.Parent] = append(t.children[n.Parent], i)
			t.depth[i] = t.depth[n.Parent] + 1
		} else {
			t.roots = append(t.roots, i)
		}
	}
	return t
}

// isFrame reports whether a node holds others.
func (t *tree) isFrame(i int) bool { return len(t.children[i]) > 0 }

// within reports whether a node is the frame or in it. Everything is within -1.
func (t *tree) within(i, frame int) bool {
	for frame >= 0 && i >= 0 && t.depth[i] > t.depth[frame] {
		i = t.Nodes[i].Parent
	}
	return i == frame || frame < 0
}

// common gives the innermost frame around two nodes, or -1.
func (t *tree) common(a, b int) int {
	a = t.Nodes[a].Parent
	for a >= 0 && !t.within(b, a) {
		a = t.Nodes[a].Parent
	}
	return a
}

// nested reports whether one of two nodes is the other or in it.
func (t *tree) nested(a, b int) bool { return t.within(a, b) || t.within(b, a) }
