// Package layout says where boxes and the lines between them stand in a
// drawing of what comes before what: in layers, with few crossings, and with
// frames around boxes. [Lay] does it. It knows nothing of plans and does no I/O.
//
// Each frame is laid out by itself, the innermost first, and is one box in the
// frame around it. A line between two frames leaves the one through its last
// side and enters the other through its first.
package layout

// Graph is what is to be drawn.
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// Node is a box. One that is the parent of others is a frame around them.
type Node struct {
	// Width and Height are the size of a box that holds no others. Width is the
	// least one of a frame.
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

// Layout is a graph that was laid out.
type Layout struct {
	Width, Height int
	// Boxes are the places of nodes.
	Boxes []Box
	// Routes are how the lines of edges run. Of two points that follow each other,
	// either both are on one line in the direction of the drawing, or the line bends
	// between them and has that direction in both. No line is drawn from a node to
	// itself or to a frame around it: there the route is empty.
	Routes [][]Point
	// Crossings is how many lines cross each other.
	Crossings int
}

// Lay lays a graph out. The same graph is always laid out the same.
func Lay(g Graph, o Options) *Layout {
	d := newDrawing(g, o)
	d.orient()
	for i := range d.lines {
		d.split(&d.lines[i])
	}
	for frame := len(g.Nodes) - 1; frame >= -1; frame-- { // what is inside comes first
		d.layFrame(frame)
	}
	l := &Layout{Crossings: d.crossings}
	grow := func(x, y int) { l.Width, l.Height = max(l.Width, x), max(l.Height, y) }
	for i, n := range d.Nodes {
		if n.Parent >= 0 {
			d.boxes[i].X += d.boxes[n.Parent].X
			d.boxes[i].Y += d.boxes[n.Parent].Y
		}
		b := d.turn(d.boxes[i])
		l.Boxes = append(l.Boxes, b)
		grow(b.X+b.Width, b.Y+b.Height)
	}
	for i := range d.lines {
		r := d.route(&d.lines[i])
		l.Routes = append(l.Routes, r)
		for _, p := range r {
			grow(p.X, p.Y)
		}
	}
	return l
}
