package layout

import (
	"cmp"
	"math"
	"slices"
)

// sweeps is how often all vertices move to what they are tied to.
const sweeps = 17

// place finds where everything in the frame stands.
func (l *level) place() {
	for sweep := range sweeps {
		for n := range l.layers {
			if sweep%2 == 1 {
				n = len(l.layers) - 1 - n
			}
			l.settle(l.layers[n], sweep%2 == 1)
		}
	}
	l.size()
	for _, v := range l.vertices {
		if v.node >= 0 {
			b := &l.boxes[v.node]
			b.X, b.Y = v.at-v.size/2, l.tops[v.layer]+(l.bottoms[v.layer]-l.tops[v.layer]-b.Height)/2
		}
	}
}

// settle moves the vertices of a layer as near as can be to where ties on one
// side draw them. Neighbours that would overlap move as one.
func (l *level) settle(all []*vertex, down bool) {
	type run struct{ first, sum, weight int } // sum is of weighed wishes, less the room before
	var runs []run
	before := make([]int, len(all)) // the room that those before a vertex take
	for i, v := range all {
		if i > 0 {
			before[i] = before[i-1] + l.room(all[i-1], v)
		}
		wish, weight := v.drawn(down)
		r := run{i, (wish - before[i]) * weight, weight}
		for len(runs) > 0 && runs[len(runs)-1].sum*r.weight > r.sum*runs[len(runs)-1].weight {
			last := runs[len(runs)-1]
			r = run{last.first, last.sum + r.sum, last.weight + r.weight}
			runs = runs[:len(runs)-1]
		}
		runs = append(runs, r)
	}
	for _, r := range slices.Backward(runs) {
		for k := r.first; k < len(all); k++ {
			all[k].at = int(math.Floor(float64(r.sum)/float64(r.weight))) + before[k]
		}
		all = all[:r.first]
	}
}

// drawn gives where ties draw a vertex, and how strongly: bends the most, so that
// lines are straight.
func (v *vertex) drawn(down bool) (at, weight int) {
	ties := v.up
	if down {
		ties = v.down
	}
	for _, t := range ties {
		strength := 1 + 3*t.weight*t.weight
		if v.node < 0 && t.other.node < 0 {
			strength *= 4
		}
		at, weight = at+(t.other.at+t.there-t.here)*strength, weight+strength
	}
	if weight == 0 {
		return v.at, 1
	}
	return at / weight, weight
}

// room gives how far apart the middles of two neighbours must be.
func (l *level) room(a, b *vertex) int {
	space := l.Space
	if a.node < 0 && b.node < 0 {
		space = space * 3 / 5
	}
	return (a.size+1)/2 + space + (b.size+1)/2
}

// size gives each layer its place, and the frame its size, and moves all to where the
// frame's sides leave room for it. There is more room below a layer where lines run
// far across, less where none runs.
func (l *level) size() {
	frame, pad := Node{}, 0
	if l.frame >= 0 {
		frame, pad = l.Nodes[l.frame], l.Pad
	}
	lead, at := pad, pad
	if l.Sideways {
		lead += frame.Head
	} else {
		at += frame.Head
	}
	end := 0
	for _, all := range l.layers {
		size, gap := 0, l.Gap/2
		for _, v := range all {
			size = max(size, v.along)
			for _, t := range v.down {
				if t.weight > 0 {
					across := v.at + t.here - t.other.at - t.there
					gap = max(gap, l.Gap) + min(max(across, -across)/60, 5)
				}
			}
		}
		end = at + size
		l.tops, l.bottoms, at = append(l.tops, at), append(l.bottoms, end), end+min(gap, l.Gap*5/2)
	}
	least, most := math.MaxInt, math.MinInt
	for _, v := range l.vertices {
		least, most = min(least, v.at-v.size/2), max(most, v.at+(v.size+1)/2)
	}
	width, height := lead+most-least+pad, end+pad
	if l.Sideways {
		height = max(height, frame.Width)
	} else if room := frame.Width - width; room > 0 {
		lead, width = lead+room/2, frame.Width
	}
	for _, v := range l.vertices {
		v.at += lead - least
	}
	if l.frame >= 0 {
		l.boxes[l.frame] = Box{Width: width, Height: height}
	}
}

// inset is how far from its ends a line leaves a side of a box, apart how far
// lines that leave it stand apart.
const (
	inset = 16
	apart = 12
)

// side is that of a box, end where a line passes it and where it leads to.
type (
	side struct {
		*vertex
		down bool
	}
	end struct {
		at *int
		to int
	}
)

// route leads lines through the frame.
func (l *level) route() {
	ends := map[side][]end{}
	for _, x := range l.links {
		for _, v := range x.passes {
			x.at = append(x.at, v.at+x.beside(v))
		}
		last := len(x.at) - 1
		if x.from != nil && x.from.node == x.line.from {
			ends[side{x.from, true}] = append(ends[side{x.from, true}], end{&x.at[0], x.at[min(1, last)]})
		}
		if x.to != nil && x.to.node == x.line.to {
			ends[side{x.to, false}] = append(ends[side{x.to, false}], end{&x.at[last], x.at[max(0, last-1)]})
		}
	}
	for s, all := range ends {
		l.ports(s.vertex, all)
	}
	for _, x := range l.links {
		l.points(x)
	}
}

// ports gives the lines at a side of a box their places: near its middle, at a
// frame near where they lead to, and apart.
func (l *level) ports(v *vertex, all []end) {
	slices.SortStableFunc(all, func(a, b end) int { return cmp.Compare(a.to, b.to) })
	low, high := v.at-v.size/2+inset, v.at+v.size/2-inset
	room := min(apart, (high-low)/len(all))
	for n, e := range all {
		at := v.at
		if l.isFrame(v.node) {
			at = e.to
		} else if len(all) > 1 {
			at += (e.to - v.at) / 5
		}
		if n > 0 {
			at = max(at, *all[n-1].at+room)
		}
		*e.at = min(max(at, low+n*room), high-(len(all)-1-n)*room)
	}
}

// points gives how a line runs: straight past layers, bent between them.
func (l *level) points(x *link) {
	last := len(x.at) - 1
	if x.from == nil {
		x.enters = x.at[0]
		x.points = append(x.points, Point{x.at[0], 0})
	}
	for i, v := range x.passes {
		top, bottom := l.tops[v.layer], l.bottoms[v.layer]
		if v == x.from {
			top = l.boxes[v.node].Y + l.boxes[v.node].Height
		}
		if v == x.to {
			bottom = l.boxes[v.node].Y
		}
		x.points = append(x.points, Point{x.at[i], top}, Point{x.at[i], bottom})
	}
	if x.to == nil {
		x.leaves = x.at[last]
		x.points = append(x.points, Point{x.at[last], l.boxes[l.frame].Height})
	}
}
