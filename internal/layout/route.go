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

// port is where a line leaves or enters a side of a box, and where it would
// like to.
type port struct {
	place *int
	wish  int
}

// route leads lines through the frame.
func (l *level) route() {
	l.chains = slices.DeleteFunc(l.chains, func(c *chain) bool { return c.line < 0 })
	out, in := make([][]port, len(l.vertices)), make([][]port, len(l.vertices))
	for _, c := range l.chains {
		leaves, enters := l.offsets(c.link)
		if c.from >= 0 {
			c.leaves = l.vertices[l.vertex[c.from]].at + leaves
		}
		if c.to >= 0 {
			c.enters = l.vertices[l.vertex[c.to]].at + enters
		}
		if c.from == l.lines[c.line].from {
			out[l.vertex[c.from]] = append(out[l.vertex[c.from]], port{&c.leaves, l.second(c)})
		}
	}
	l.sides(out)
	for _, c := range l.chains {
		if c.to == l.lines[c.line].to {
			in[l.vertex[c.to]] = append(in[l.vertex[c.to]], port{&c.enters, l.last(c)})
		}
	}
	l.sides(in)
	for _, c := range l.chains {
		line := &l.lines[c.line]
		if c.from < 0 {
			line.enters = l.second(c)
			line.tail = slices.Insert(line.tail, 0, part{l.frame, l.points(c)})
			continue
		}
		if c.to < 0 {
			line.leaves = l.last(c)
		}
		line.head = append(line.head, part{l.frame, l.points(c)})
	}
}

// second gives the place that a line leads to from where it begins.
func (l *level) second(c *chain) int {
	switch {
	case len(c.bends) > 0:
		return l.vertices[c.bends[0]].at
	case c.to < 0:
		return c.leaves
	}
	return c.enters
}

// last gives the place that a line comes from to where it ends.
func (l *level) last(c *chain) int {
	switch {
	case len(c.bends) > 0:
		return l.vertices[c.bends[len(c.bends)-1]].at
	case c.from < 0:
		return c.enters
	}
	return c.leaves
}

// sides gives the lines at a side of each box their places: near its middle, at
// a frame near where they lead to, and apart.
func (l *level) sides(ports [][]port) {
	for v, all := range ports {
		x := l.vertices[v]
		slices.SortStableFunc(all, func(a, b port) int { return cmp.Compare(a.wish, b.wish) })
		low, high := x.at-x.size/2+inset, x.at+x.size/2-inset
		room := min(apart, (high-low)/max(1, len(all)))
		for n, p := range all {
			at := p.wish
			switch {
			case l.isFrame(x.node):
			case len(all) > 1:
				at = x.at + (p.wish-x.at)/5
			default:
				at = x.at
			}
			if n > 0 {
				at = max(at, *all[n-1].place+room)
			}
			*p.place = min(max(at, low+n*room), high-(len(all)-1-n)*room)
		}
	}
}

// points gives how a line runs: straight past layers, bent between them.
func (l *level) points(c *chain) []Point {
	var points []Point
	if c.from < 0 {
		points = append(points, Point{l.second(c), 0})
	} else {
		v, b := l.vertices[l.vertex[c.from]], l.boxes[c.from]
		points = append(points, Point{c.leaves, b.Y + b.Height}, Point{c.leaves, l.bottoms[v.layer]})
	}
	for _, v := range c.bends {
		x := l.vertices[v]
		points = append(points, Point{x.at, l.tops[x.layer]}, Point{x.at, l.bottoms[x.layer]})
	}
	if c.to < 0 {
		return append(points, Point{l.last(c), l.boxes[l.frame].Height})
	}
	v := l.vertices[l.vertex[c.to]]
	return append(points, Point{c.enters, l.tops[v.layer]}, Point{c.enters, l.boxes[c.to].Y})
}
