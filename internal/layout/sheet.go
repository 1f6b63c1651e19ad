package layout

import "slices"

// vertex is something that has a place in a layer: a box, or where a line
// passes it, or what keeps a layer free for a frame.
type vertex struct {
	node  int // -1 if it is no box
	layer int
	frame int // the frame it is in, or -1
	size  int // across the direction of the drawing
}

// end is where a line comes from or goes to between two layers: a vertex or,
// with -1 for it, a frame.
type end struct{ vertex, frame int }

// stretch is the part of a line between two layers.
type stretch struct {
	edge     int
	from, to end
	weight   int
}

// chain is how an edge runs from layer to layer.
type chain struct {
	points  []int // the vertices that it passes
	against bool
	// free says that the edge has no place in the layers, as its ends share
	// some or it is too long.
	free, none bool
}

// sheet is a graph in layers.
type sheet struct {
	*tree
	ranks
	Options
	vertices []vertex
	of       []int // the vertex of each box
	chains   []chain
	// between has the stretches below each layer.
	between [][]stretch
	// orders has the vertices of each layer in their order, pos the place of
	// each in there.
	orders [][]int
	pos    []int

	// atFirst is how many lines cross in the first order, least in the best.
	atFirst, least int

	at          []int // the middle of each vertex, across
	low, high   []int // the borders of each frame, across
	top, bottom []int // of each layer, with the frames that begin and end there
	from, until []int // of each layer, without them
	begin, end  []int // the borders of each frame, along
	width, long int
	// leaves and arrives are where the lines of edges do, across.
	leaves, arrives []int
}

func newSheet(t *tree, r ranks, o Options) *sheet {
	s := &sheet{tree: t, ranks: r, Options: o, of: make([]int, len(t.Nodes)), chains: make([]chain, len(t.Edges))}
	s.between = make([][]stretch, r.layers)
	for i, n := range t.Nodes {
		s.of[i] = -1
		if !t.isFrame(i) {
			size := n.Width
			if o.Sideways {
				size = n.Height
			}
			s.of[i] = s.add(vertex{i, r.first[i], n.Parent, size})
		}
	}
	limit := s.longest()
	for i, e := range t.Edges {
		s.chains[i] = s.chain(i, e, limit)
	}
	s.fillFrames()
	return s
}

func (s *sheet) add(v vertex) int {
	s.vertices = append(s.vertices, v)
	return len(s.vertices) - 1
}

// longest gives how many layers an edge may pass so that all that do are no
// more than [maxBends].
func (s *sheet) longest() int {
	count := make([]int, s.layers+1)
	for _, e := range s.Edges {
		count[max(0, s.first[e.To]-s.last[e.From]-1, s.first[e.From]-s.last[e.To]-1)]++
	}
	bends := 0
	for n, c := range count {
		if bends += n * c; bends > maxBends {
			return n - 1
		}
	}
	return s.layers
}

// chain leads an edge through the layers.
func (s *sheet) chain(i int, e Edge, limit int) chain {
	c := chain{none: s.nested(e.From, e.To)}
	if c.none {
		return c
	}
	from, to := e.From, e.To
	if s.first[to] <= s.last[from] {
		from, to, c.against = to, from, true
	}
	if passed := s.first[to] - s.last[from] - 1; passed < 0 || passed > limit {
		c.free, c.against = true, passed < 0 || c.against
		return c
	}
	at := s.endOf(from)
	for layer := s.last[from] + 1; layer < s.first[to]; layer++ {
		v := s.add(vertex{-1, layer, s.frameOf(from, to, layer), 4})
		c.points = append(c.points, v)
		s.between[layer-1] = append(s.between[layer-1], stretch{i, at, end{v, -1}, e.Weight})
		at = end{v, -1}
	}
	layer := s.first[to] - 1
	s.between[layer] = append(s.between[layer], stretch{i, at, s.endOf(to), e.Weight})
	return c
}

func (s *sheet) endOf(i int) end {
	if s.isFrame(i) {
		return end{-1, i}
	}
	return end{s.of[i], -1}
}

// frameOf says in which frame a line runs in a layer: in those around where it
// comes from until they end, then in those around where it goes, from where
// they begin; but where a frame reaches beyond its other end, it leaves or
// enters that sideways, outside of it as long as it can.
func (s *sheet) frameOf(from, to, layer int) int {
	common := s.common(from, to)
	for f := s.Nodes[from].Parent; f != common; f = s.Nodes[f].Parent {
		if s.last[f] >= layer && s.last[f] < s.first[to] {
			return f
		}
	}
	for f := s.Nodes[to].Parent; f != common; f = s.Nodes[f].Parent {
		if s.first[f] <= layer && s.first[f] > s.last[from] {
			return f
		}
	}
	return common
}

// fillFrames puts something into each layer of a frame in which it has nothing.
func (s *sheet) fillFrames() {
	has := map[[2]int]bool{}
	note := func(frame, layer int) {
		for ; frame >= 0 && !has[[2]int{frame, layer}]; frame = s.Nodes[frame].Parent {
			has[[2]int{frame, layer}] = true
		}
	}
	for _, v := range s.vertices {
		note(v.frame, v.layer)
	}
	for f := len(s.Nodes) - 1; f >= 0; f-- { // what is inside comes first
		if !s.isFrame(f) {
			continue
		}
		for layer := s.first[f]; layer <= s.last[f]; layer++ {
			if !has[[2]int{f, layer}] {
				s.add(vertex{-1, layer, f, 4})
				note(f, layer)
			}
		}
	}
}

// frames gives all frames, the outer ones first.
func (s *sheet) frames() []int {
	var out []int
	for i := range s.Nodes {
		if s.isFrame(i) {
			out = append(out, i)
		}
	}
	return out
}

// layout gives the result.
func (s *sheet) layout() *Layout {
	s.ports()
	l := &Layout{Width: s.width, Height: s.long, Crossings: s.least, AtFirst: s.atFirst}
	if s.Sideways {
		l.Width, l.Height = l.Height, l.Width
	}
	for i := range s.Nodes {
		l.Boxes = append(l.Boxes, s.box(i))
	}
	for i := range s.Edges {
		l.Routes = append(l.Routes, s.route(i))
	}
	return l
}

// box gives the place of a node.
func (s *sheet) box(i int) Box {
	if s.isFrame(i) {
		return s.turn(Box{s.low[i], s.begin[i], s.high[i] - s.low[i], s.end[i] - s.begin[i]})
	}
	n, v := s.Nodes[i], s.of[i]
	across, along := n.Width, n.Height
	if s.Sideways {
		across, along = along, across
	}
	layer := s.vertices[v].layer
	return s.turn(Box{s.at[v] - across/2, s.from[layer] + (s.until[layer]-s.from[layer]-along)/2, across, along})
}

// turn makes a box of one whose X is across and whose Y is along.
func (s *sheet) turn(b Box) Box {
	if s.Sideways {
		return Box{b.Y, b.X, b.Height, b.Width}
	}
	return b
}

func (s *sheet) turnPoints(points []Point) []Point {
	points = slices.Compact(points)
	if s.Sideways {
		for i, p := range points {
			points[i] = Point{p.Y, p.X}
		}
	}
	return points
}
