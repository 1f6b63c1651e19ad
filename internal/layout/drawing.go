package layout

import "slices"

// drawing is a graph while it is laid out. Its X is across the lines and its Y
// along them, also where lines run sideways.
type drawing struct {
	Graph
	Options
	children  [][]int // of each frame; the first are in no frame
	depth     []int
	lines     []line
	links     [][]link // of each frame; the first are in no frame
	boxes     []Box    // in their frame, in the end in the drawing
	vertex    []int    // of each node, its vertex in its frame
	crossings int
}

// line is an edge, with its ends in the direction of the drawing.
type line struct {
	from, to      int
	against, over bool
	// leaves and enters are where the line passes the sides of the last frame
	// that was laid out around its first and its second end.
	leaves, enters int
	head, tail     []part // from the first end on, and up to the second
}

// part is how a line runs within a frame.
type part struct {
	frame  int
	points []Point
}

// link is the part of a line within a frame, from one child to another. Where
// an end is -1, it leads into the frame or out of it. Where the line is -1, it
// is not drawn.
type link struct{ line, from, to int }

func newDrawing(g Graph, o Options) *drawing {
	n := len(g.Nodes)
	d := &drawing{Graph: g, Options: o, children: make([][]int, n+1), depth: make([]int, n), links: make([][]link, n+1), boxes: make([]Box, n), vertex: make([]int, n)}
	for i, x := range g.Nodes {
		d.children[x.Parent+1] = append(d.children[x.Parent+1], i)
		if x.Parent >= 0 {
			d.depth[i] = d.depth[x.Parent] + 1
		}
	}
	for _, e := range g.Edges {
		d.lines = append(d.lines, line{from: e.From, to: e.To})
	}
	return d
}

// isFrame reports whether a node holds others.
func (d *drawing) isFrame(i int) bool { return len(d.children[i+1]) > 0 }

// siblings gives the ends of a line, or the frames around them, in the innermost
// frame around both. They are the same if one end is around the other.
func (d *drawing) siblings(i int) (from, to int) {
	from, to = d.lines[i].from, d.lines[i].to
	for d.Nodes[from].Parent != d.Nodes[to].Parent {
		if d.depth[from] > d.depth[to] {
			from = d.Nodes[from].Parent
		} else {
			to = d.Nodes[to].Parent
		}
	}
	return from, to
}

// link parts a line by the frames that it runs through.
func (d *drawing) link(i int) {
	from, to := d.siblings(i)
	if from == to {
		return
	}
	d.add(from, link{i, from, to})
	for n := d.lines[i].from; n != from; n = d.Nodes[n].Parent {
		d.add(n, link{i, n, -1})
	}
	for n := d.lines[i].to; n != to; n = d.Nodes[n].Parent {
		d.add(n, link{i, -1, n})
	}
}

// add adds a link to the frame around a node.
func (d *drawing) add(node int, x link) {
	frame := d.Nodes[node].Parent + 1
	d.links[frame] = append(d.links[frame], x)
}

// turn exchanges the directions where lines run sideways.
func (d *drawing) turn(b Box) Box {
	if d.Sideways {
		return Box{b.Y, b.X, b.Height, b.Width}
	}
	return b
}

// route puts the parts of a line together.
func (d *drawing) route(i int) Route {
	x := d.lines[i]
	var points []Point
	for _, p := range slices.Concat(x.head, x.tail) {
		for _, at := range p.points {
			if p.frame >= 0 {
				at.X, at.Y = at.X+d.boxes[p.frame].X, at.Y+d.boxes[p.frame].Y
			}
			points = append(points, at)
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
	if d.Sideways {
		for k, p := range points {
			points[k] = Point{p.Y, p.X}
		}
	}
	return Route{points, x.against, x.over}
}
