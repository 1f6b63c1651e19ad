package layout

import "slices"

// drawing is a graph while it is laid out. Its X is across the lines and its Y
// along them, also where lines run sideways.
type drawing struct {
	Graph
	Options
	children  [][]*vertex // of each frame; the first are in no frame
	depth     []int
	lines     []line
	links     [][]*link // of each frame; the first are in no frame
	boxes     []Box     // in their frame, in the end in the drawing
	vertex    []*vertex // of each node
	crossings int
}

// line is an edge, with its ends in the direction of the drawing.
type line struct {
	from, to      int
	weight        int
	against, over bool
	// leaves and enters are where the line passes the sides of the last frame
	// that was laid out around its first and its second end.
	leaves, enters int
	links          []*link // from the first end to the second
}

// link is the part of a line within a frame, from one box to another. Where an
// end is nil, it leads into the frame or out of it. Where the line is nil, it is
// not drawn.
type link struct {
	*line
	frame          int
	from, to       *vertex
	bends          []*vertex
	leaves, enters int // where it leaves and enters its boxes
	points         []Point
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
	in, out     []*link
	ranked      bool
}

// tie is a line to a vertex in the next layer. It passes this vertex and the
// other one so far beside their middles.
type tie struct {
	other               *vertex
	here, there, weight int
}

func newDrawing(g Graph, o Options) *drawing {
	n := len(g.Nodes)
	d := &drawing{Graph: g, Options: o, children: make([][]*vertex, n+1), depth: make([]int, n), links: make([][]*link, n+1), boxes: make([]Box, n)}
	for i, x := range g.Nodes {
		v := &vertex{node: i}
		d.vertex, d.children[x.Parent+1] = append(d.vertex, v), append(d.children[x.Parent+1], v)
		if x.Parent >= 0 {
			d.depth[i] = d.depth[x.Parent] + 1
		}
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
		if d.depth[from] > d.depth[to] {
			from = d.Nodes[from].Parent
		} else {
			to = d.Nodes[to].Parent
		}
	}
	return from, to
}

// orient turns lines around that would close a cycle among the boxes of a frame.
func (d *drawing) orient() {
	next, lines, state := make([][]int, len(d.Nodes)), make([][]*line, len(d.Nodes)), make([]int, len(d.Nodes))
	keep := func(x *line, closes bool) {
		if closes {
			x.from, x.to, x.against = x.to, x.from, true
		}
		from, to := d.siblings(x)
		next[from] = append(next[from], to)
	}
	var yielding []*line
	for i, e := range d.Edges {
		x := &d.lines[i]
		from, to := d.siblings(x)
		if from != to && e.Yields {
			yielding = append(yielding, x)
		} else if from != to {
			lines[from] = append(lines[from], x)
		}
	}
	var visit func(v int)
	visit = func(v int) {
		if state[v] != 0 {
			return
		}
		state[v] = 1
		for _, x := range lines[v] {
			_, to := d.siblings(x)
			visit(to)
			keep(x, state[to] == 1)
		}
		state[v] = 2
	}
	for v := range d.Nodes {
		visit(v)
	}
	for _, x := range yielding {
		from, to := d.siblings(x)
		keep(x, leads(next, to, from))
	}
}

// leads reports whether one node comes before another.
func leads(next [][]int, from, to int) bool {
	seen := make([]bool, len(next))
	for stack := []int{from}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v == to {
			return true
		}
		if !seen[v] {
			seen[v] = true
			stack = append(stack, next[v]...)
		}
	}
	return false
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
func (d *drawing) route(x *line) Route {
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
	if x.over {
		from, to := d.boxes[x.from], d.boxes[x.to]
		points = []Point{{from.X + from.Width/2, from.Y + from.Height}, {to.X + to.Width/2, to.Y}}
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
	return Route{points, x.against, x.over}
}
