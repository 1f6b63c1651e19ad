package layout

// level is what is directly in a frame, in layers.
type level struct {
	*drawing
	frame         int
	links         []link
	vertices      []vertex
	chains        []*chain
	layers        [][]int // the vertices of each, in their order
	tops, bottoms []int   // the sides of each layer
	work          int     // how much may still be done for the order
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
type tie struct{ other, here, there, weight int }

// chain is how a link runs from layer to layer, and where it leaves and enters
// its boxes.
type chain struct {
	link
	bends          []int
	leaves, enters int
}

// layFrame lays out what is in a frame.
func (d *drawing) layFrame(frame int) {
	switch {
	case len(d.Nodes) == 0:
		return
	case frame >= 0 && !d.isFrame(frame):
		d.boxes[frame] = d.turn(Box{Width: d.Nodes[frame].Width, Height: d.Nodes[frame].Height})
		return
	}
	l := &level{drawing: d, frame: frame, links: d.links[frame+1], work: orderWork}
	for _, c := range d.children[frame+1] {
		d.vertex[c] = len(l.vertices)
		l.vertices = append(l.vertices, vertex{node: c, size: d.boxes[c].Width, along: d.boxes[c].Height})
	}
	l.rank()
	l.stack()
	for _, v := range l.vertices {
		for len(l.layers) <= v.layer {
			l.layers = append(l.layers, nil)
		}
	}
	limit := l.longest()
	for _, x := range l.links {
		l.chain(x, limit)
	}
	l.order()
	l.place()
	l.route()
}

// weight gives how straight and short a link should be, 0 if it is not drawn.
func (l *level) weight(x link) int {
	if x.line < 0 {
		return 0
	}
	return max(1, l.Edges[x.line].Weight)
}

// span gives the first and the last layer that a link passes.
func (l *level) span(x link) (first, last int) {
	last = len(l.layers) - 1
	if x.from >= 0 {
		first = l.vertices[l.vertex[x.from]].layer + 1
	}
	if x.to >= 0 {
		last = l.vertices[l.vertex[x.to]].layer - 1
	}
	return first, last
}

// maxBends bounds how many bends the lines in a frame may have; the longest
// of those that would have more run straight on, whatever stands there.
const maxBends = 12_000

// longest gives how many bends a link may have.
func (l *level) longest() int {
	count := make([]int, len(l.layers)+1)
	for _, x := range l.links {
		first, last := l.span(x)
		count[last-first+1]++
	}
	bends := 0
	for n, c := range count {
		if bends += n * c; bends > maxBends {
			return n - 1
		}
	}
	return len(l.layers)
}

// chain leads a link through the layers.
func (l *level) chain(x link, limit int) {
	first, last := l.span(x)
	if x.line >= 0 && (l.lines[x.line].over || last-first+1 > limit) {
		l.lines[x.line].over = true
		return
	}
	c := &chain{link: x}
	l.chains = append(l.chains, c)
	leaves, enters := l.offsets(x)
	at := -1
	if x.from >= 0 {
		at = l.vertex[x.from]
	}
	for layer := first; layer <= last; layer++ {
		v := len(l.vertices)
		l.vertices = append(l.vertices, vertex{node: -1, layer: layer, size: 4, wish: float64(max(at, 0))})
		c.bends = append(c.bends, v)
		l.tie(at, v, tie{here: leaves, weight: l.weight(x)})
		at, leaves = v, 0
	}
	if x.to >= 0 {
		l.tie(at, l.vertex[x.to], tie{here: leaves, there: enters, weight: l.weight(x)})
	}
}

// offsets gives how far from the middle of its boxes a line passes their sides:
// of a frame, where it does so inside.
func (l *level) offsets(x link) (leaves, enters int) {
	if x.line < 0 {
		return 0, 0
	}
	line := l.lines[x.line]
	if x.from >= 0 && x.from != line.from {
		leaves = line.leaves - l.boxes[x.from].Width/2
	}
	if x.to >= 0 && x.to != line.to {
		enters = line.enters - l.boxes[x.to].Width/2
	}
	return leaves, enters
}

// tie joins two vertices by a line, if there are two.
func (l *level) tie(v, w int, t tie) {
	if v < 0 {
		return
	}
	t.other = w
	l.vertices[v].down = append(l.vertices[v].down, t)
	t.other, t.here, t.there = v, t.there, t.here
	l.vertices[w].up = append(l.vertices[w].up, t)
}
