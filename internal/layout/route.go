package layout

import (
	"cmp"
	"slices"
)

// inset is how far from its ends a line leaves a side of a box, apart how far
// lines that leave it stand apart.
const (
	inset = 16
	apart = 12
)

// route leads a line through the drawing: straight past layers, bent between
// them.
func (s *sheet) route(i int) Route {
	c, e := s.chains[i], s.Edges[i]
	if c.none {
		return Route{}
	}
	if c.free {
		return Route{s.turnPoints(s.freely(i)), c.against, true}
	}
	from, to := e.From, e.To
	if c.against {
		from, to = to, from
	}
	x, y := s.leaves[i], s.last[from]
	points := []Point{{x, s.endAlong(from)}, {x, s.bottom[y]}}
	for _, v := range c.points {
		layer := s.vertices[v].layer
		points = append(points, Point{s.at[v], s.top[layer]}, Point{s.at[v], s.bottom[layer]})
	}
	x, y = s.arrives[i], s.first[to]
	points = append(points, Point{x, s.top[y]}, Point{x, s.beginAlong(to)})
	if c.against {
		slices.Reverse(points)
	}
	return Route{s.turnPoints(points), c.against, false}
}

// freely leads a line whose ends share a layer, or that is too long, past its
// ends only.
func (s *sheet) freely(i int) []Point {
	e := s.Edges[i]
	a, b := s.middle(e.From), s.middle(e.To)
	if s.first[e.To] > s.last[e.From] {
		return []Point{{a, s.endAlong(e.From)}, {b, s.beginAlong(e.To)}}
	}
	if s.first[e.From] > s.last[e.To] {
		return []Point{{a, s.beginAlong(e.From)}, {b, s.endAlong(e.To)}}
	}
	low := max(s.bottom[s.last[e.From]], s.bottom[s.last[e.To]]) + s.Gap/2
	return []Point{{a, s.endAlong(e.From)}, {a, low}, {b, low}, {b, s.endAlong(e.To)}}
}

// beginAlong and endAlong are the sides of a node that lines arrive at and
// leave from.
func (s *sheet) beginAlong(i int) int {
	b := s.turn(s.box(i))
	return b.Y
}

func (s *sheet) endAlong(i int) int {
	b := s.turn(s.box(i))
	return b.Y + b.Height
}

func (s *sheet) middle(i int) int {
	b := s.turn(s.box(i))
	return b.X + b.Width/2
}

// ports finds where lines leave and arrive at the sides of nodes.
func (s *sheet) ports() {
	s.leaves, s.arrives = make([]int, len(s.Edges)), make([]int, len(s.Edges))
	out, in := make([][]port, len(s.Nodes)), make([][]port, len(s.Nodes))
	for i, e := range s.Edges {
		c := s.chains[i]
		if c.none || c.free {
			continue
		}
		from, to := e.From, e.To
		if c.against {
			from, to = to, from
		}
		first, last := s.near(to, from), s.near(from, to)
		if len(c.points) > 0 {
			first, last = s.at[c.points[0]], s.at[c.points[len(c.points)-1]]
		}
		out[from] = append(out[from], port{i, first, 0})
		in[to] = append(in[to], port{i, last, 0})
	}
	for i := range s.Nodes {
		s.side(i, out[i], s.leaves)
		s.side(i, in[i], s.arrives)
	}
}

// near gives the place of a node that a line from another one leads to: of a
// frame, the nearest.
func (s *sheet) near(i, other int) int {
	if !s.isFrame(i) {
		return s.middle(i)
	}
	at := s.middle(other)
	if s.isFrame(other) { // the middle of what both have
		at = (max(s.low[i], s.low[other]) + min(s.high[i], s.high[other])) / 2
	}
	return min(max(at, s.low[i]+inset), s.high[i]-inset)
}

// port is where the line of an edge leaves or arrives, and where it would lead
// to.
type port struct{ edge, wish, at int }

// side gives each line that leaves a side of a node its place there: near the
// middle of a box, at that of a frame which is nearest, and apart.
func (s *sheet) side(i int, ports []port, places []int) {
	b := s.turn(s.box(i))
	middle := b.X + b.Width/2
	low, high := b.X+inset, b.X+b.Width-inset
	slices.SortStableFunc(ports, func(a, b port) int { return cmp.Compare(a.wish, b.wish) })
	for n := range ports {
		ports[n].at = ports[n].wish
		if !s.isFrame(i) && len(ports) > 1 {
			ports[n].at = middle + (ports[n].wish-middle)/5
		} else if !s.isFrame(i) {
			ports[n].at = middle
		}
		ports[n].at = min(max(ports[n].at, low), high)
	}
	switch n := len(ports) - 1; {
	case n < 1:
	case n > high-low: // more lines than there are places: some share one
		for k := range ports {
			ports[k].at = low + k*(high-low)/n
		}
	default:
		spread(ports, min(apart, (high-low)/n), low, high)
	}
	for _, p := range ports {
		places[p.edge] = p.at
	}
}

// spread moves ports apart, as little as may be, within a side.
func spread(ports []port, room, low, high int) {
	type run struct{ first, n, sum int } // ports side by side, the sum of where the first would stand
	var runs []run
	start := func(r run) int { return min(max(r.sum/r.n, low), high-(r.n-1)*room) }
	for i, p := range ports {
		r := run{i, 1, p.at}
		for len(runs) > 0 {
			last := runs[len(runs)-1]
			if start(last)+last.n*room <= start(r) {
				break
			}
			r = run{last.first, last.n + r.n, last.sum + r.sum - last.n*room*r.n}
			runs = runs[:len(runs)-1]
		}
		runs = append(runs, r)
	}
	for _, r := range runs {
		for n := range r.n {
			ports[r.first+n].at = start(r) + n*room
		}
	}
}
