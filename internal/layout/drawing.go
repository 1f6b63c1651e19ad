package layout

import "slices"

// drawing is a graph while it is laid out. Its X is across the lines and its Y
// along them, also where lines run sideways.
type drawing struct {
	Graph
	Options
	// children and links are those of each frame; the first are in no frame.
	children  [][]*vertex
	links     [][]*link
	vertex    []*vertex // of each node
	lines     []line
	boxes     []Box // in their frame, in the end in the drawing
	crossings int
}

// line is an edge, with its ends in the direction of the drawing.
type line struct {
	from, to, weight int
	against          bool
	// leaves and enters are where the line passes the sides of the last frame
	// that was laid out around its first and its second end.
	leaves, enters int
	links          []*link // from the first end to the second
}

// link is the part of a line within a frame, from one box to another. Where an
// end is nil, it leads into the frame or out of it.
type link struct {
	*line
	frame    int
	from, to *vertex
	passes   []*vertex // its boxes, and bends between them
	at       []int     // where it passes them
	points   []Point
}

// vertex is something that has a place in a layer: a box, or a bend, where a
// line passes it.
type vertex struct {
	node        int // -1 if it is a bend
	layer       int
	size, along int
	pos         int // in its layer
	wish        float64
	at          int // its middle
	up, down    []tie
}

// tie is a line to a vertex in the next layer. It passes this vertex and the
// other one so far beside their middles.
type tie struct {
	other               *vertex
	here, there, weight int
}

func newDrawing(g Graph, o Options) *drawing {
	n := len(g.Nodes)
	d := &drawing{Graph: g, Options: o, children: make([][]*vertex, n+1), links: make([][]*link, n+1), boxes: make([]Box, n)}
	for i, x := range g.Nodes {
		v := &vertex{node: i}
		d.vertex, d.children[x.Parent+1] = append(d.vertex, v), append(d.children[x.Parent+1], v)
	}
	for _, e := range g.Edges {
		d.lines = append(d.lines, line{from: e.From, to: e.To, weight: max(1, e.Weight)})
	}
	return d
}

// isFrame reports whether a node holds others.
func (d *drawing) isFrame(i int) bool { return len(d.children[i+1]) > 0 }

// siblings gives the ends of a line, or the frames around them, in the innermost
// frame around both. They are the same if one end is around the other.
func (d *drawing) siblings(x *line) (from, to int) {
	from, to = x.from, x.to
	for d.Nodes[from].Parent != d.Nodes[to].Parent {
		if d.Nodes[from].Parent > d.Nodes[to].Parent { // which is not around both
			from = d.Nodes[from].Parent
		} else {
			to = d.Nodes[to].Parent
		}
	}
	return from, to
}

// orient turns lines around that would close a cycle among the boxes of a frame,
// those that yield before all others.
func (d *drawing) orient() {
	next := make([][]int, len(d.Nodes))
	for _, yields := range []bool{false, true} {
		for i := range d.lines {
			x := &d.lines[i]
			from, to := d.siblings(x)
			if from == to || d.Edges[i].Yields != yields || slices.Contains(next[from], to) {
				continue
			}
			if leads(next, to, from, map[int]bool{}) {
				x.from, x.to, x.against = x.to, x.from, true
				from, to = to, from
			}
			next[from] = append(next[from], to)
		}
	}
}

// leads reports whether one node comes before another.
func leads(next [][]int, from, to int, seen map[int]bool) bool {
	if from == to || seen[from] {
		return from == to
	}
	seen[from] = true
	return slices.ContainsFunc(next[from], func(v int) bool { return leads(next, v, to, seen) })
}

// split parts a line by the frames that it runs through.
func (d *drawing) split(x *line) {
	from, to := d.siblings(x)
	if from == to {
		return
	}
	add := func(n int, a, b *vertex) {
		l := &link{line: x, frame: d.Nodes[n].Parent, from: a, to: b}
		x.links, d.links[l.frame+1] = append(x.links, l), append(d.links[l.frame+1], l)
	}
	for n := x.from; n != from; n = d.Nodes[n].Parent {
		add(n, d.vertex[n], nil)
	}
	add(from, d.vertex[from], d.vertex[to])
	inner := len(x.links)
	for n := x.to; n != to; n = d.Nodes[n].Parent {
		add(n, nil, d.vertex[n])
	}
	slices.Reverse(x.links[inner:])
}

// turn exchanges the directions where lines run sideways.
func (d *drawing) turn(b Box) Box {
	if d.Sideways {
		return Box{b.Y, b.X, b.Height, b.Width}
	}
	return b
}

// route puts the parts of a line together.
func (d *drawing) route(x *line) []Point {
	var points []Point
	for _, l := range x.links {
		at := Box{}
		if l.frame >= 0 {
			at = d.boxes[l.frame]
		}
		for _, p := range l.points {
			points = append(points, Point{at.X + p.X, at.Y + p.Y})
		}
	}
	if x.against {
		slices.Reverse(points)
	}
	points = slices.Compact(points)
	for k, p := range points {
		if d.Sideways {
			points[k] = Point{p.Y, p.X}
		}
	}
	return points
}
