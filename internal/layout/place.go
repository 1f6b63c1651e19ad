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
	l.close()
	l.placeAcross()
	l.placeAlong()
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

// drawn gives where ties draw a vertex, the middle one of those places, and how
// strongly: bends the most, so that lines are straight.
func (v *vertex) drawn(down bool) (at, weight int) {
	type draw struct{ at, weight int }
	var all []draw
	ties := v.up
	if down {
		ties = v.down
	}
	for _, t := range ties {
		d := draw{t.other.at + t.there - t.here, 2*t.weight + 1}
		if v.node < 0 && t.other.node < 0 {
			d.weight *= 4
		}
		all = append(all, d)
		weight += d.weight
	}
	slices.SortFunc(all, func(a, b draw) int { return cmp.Compare(a.at, b.at) })
	sum := 0
	for i, d := range all {
		if sum += d.weight; 2*sum == weight {
			return (d.at + all[i+1].at) / 2, weight
		} else if 2*sum > weight {
			return d.at, weight
		}
	}
	return v.at, 1
}

// room gives how far apart the middles of two neighbours must be.
func (l *level) room(a, b *vertex) int {
	space := l.Space
	if a.node < 0 && b.node < 0 {
		space = space * 3 / 5
	}
	return (a.size+1)/2 + space + (b.size+1)/2
}

// close moves what stands on both sides of an empty band together.
func (l *level) close() {
	low := func(v *vertex) int { return v.at - (v.size+1)/2 }
	sorted := slices.SortedFunc(slices.Values(l.vertices), func(v, w *vertex) int { return cmp.Compare(low(v), low(w)) })
	by, high := 0, low(sorted[0])
	for _, v := range sorted {
		by = max(by, low(v)-high-l.Space)
		v.at -= by
		high = max(high, v.at+(v.size+1)/2)
	}
}

// placeAcross moves all to where the frame's side leaves room for it, and gives
// the frame its width.
func (l *level) placeAcross() {
	least, most := math.MaxInt, math.MinInt
	for _, v := range l.vertices {
		least, most = min(least, v.at-v.size/2), max(most, v.at+(v.size+1)/2)
	}
	lead := 0
	if l.frame >= 0 {
		n, b := l.Nodes[l.frame], &l.boxes[l.frame]
		lead, b.Width = l.Pad, most-least+2*l.Pad
		if l.Sideways {
			lead, b.Width = lead+n.Head, b.Width+n.Head
		} else if room := n.Width - b.Width; room > 0 {
			lead, b.Width = lead+room/2, n.Width
		}
	}
	for _, v := range l.vertices {
		v.at += lead - least
	}
}

// placeAlong gives each layer its place, and the frame its length. There is more
// room below a layer where lines run far across, less where none runs.
func (l *level) placeAlong() {
	at, end := 0, 0
	if l.frame >= 0 {
		at = l.Pad
		if !l.Sideways {
			at += l.Nodes[l.frame].Head
		}
	}
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
		l.tops, l.bottoms = append(l.tops, at), append(l.bottoms, end)
		at = end + min(gap, l.Gap*5/2)
	}
	if l.frame >= 0 {
		b := &l.boxes[l.frame]
		if b.Height = end + l.Pad; l.Sideways {
			b.Height = max(b.Height, l.Nodes[l.frame].Width)
		}
	}
}

// inset is how far from its ends a line leaves a side of a box, apart how far
// lines that leave it stand apart.
const (
	inset = 16
	apart = 12
)

// route leads lines through the frame.
func (l *level) route() {
	l.links = slices.DeleteFunc(l.links, func(x *link) bool { return x.line == nil })
	out, in := map[*vertex][]*link{}, map[*vertex][]*link{}
	for _, x := range l.links {
		leaves, enters := l.offsets(x)
		if x.from != nil {
			x.leaves = x.from.at + leaves
		}
		if x.to != nil {
			x.enters = x.to.at + enters
		}
		if x.from != nil && x.from.node == x.line.from {
			out[x.from] = append(out[x.from], x)
		}
		if x.to != nil && x.to.node == x.line.to {
			in[x.to] = append(in[x.to], x)
		}
	}
	for v, all := range out {
		l.ports(v, all, func(x *link) int { return x.path()[1] }, func(x *link) *int { return &x.leaves })
	}
	for v, all := range in {
		l.ports(v, all, func(x *link) int { path := x.path(); return path[len(path)-2] }, func(x *link) *int { return &x.enters })
	}
	for _, x := range l.links {
		path := x.path()
		if x.from == nil {
			x.line.enters = path[0]
		}
		if x.to == nil {
			x.line.leaves = path[len(path)-1]
		}
		l.points(x, path)
	}
}

// path gives where a line passes each of the layers, and the frame's sides.
func (x *link) path() []int {
	var path []int
	if x.from != nil {
		path = append(path, x.leaves)
	}
	for _, v := range x.bends {
		path = append(path, v.at)
	}
	if x.to != nil {
		path = append(path, x.enters)
	} else {
		path = append(path, path[len(path)-1])
	}
	if x.from == nil {
		path = slices.Insert(path, 0, path[0])
	}
	return path
}

// ports gives the lines at a side of a box their places: near its middle, at a
// frame near where they lead to, and apart.
func (l *level) ports(v *vertex, all []*link, wish func(*link) int, place func(*link) *int) {
	slices.SortStableFunc(all, func(a, b *link) int { return cmp.Compare(wish(a), wish(b)) })
	low, high := v.at-v.size/2+inset, v.at+v.size/2-inset
	room := min(apart, (high-low)/len(all))
	for n, x := range all {
		at := wish(x)
		switch {
		case l.isFrame(v.node):
		case len(all) > 1:
			at = v.at + (at-v.at)/5
		default:
			at = v.at
		}
		if n > 0 {
			at = max(at, *place(all[n-1])+room)
		}
		*place(x) = min(max(at, low+n*room), high-(len(all)-1-n)*room)
	}
}

// points gives how a line runs: straight past layers, bent between them.
func (l *level) points(x *link, path []int) {
	for i, at := range path {
		top, bottom := 0, 0
		switch {
		case i == 0 && x.from != nil:
			b := l.boxes[x.from.node]
			top, bottom = b.Y+b.Height, l.bottoms[x.from.layer]
		case i == 0:
		case i < len(path)-1:
			v := x.bends[i-1]
			top, bottom = l.tops[v.layer], l.bottoms[v.layer]
		case x.to != nil:
			top, bottom = l.tops[x.to.layer], l.boxes[x.to.node].Y
		default:
			top, bottom = l.boxes[l.frame].Height, l.boxes[l.frame].Height
		}
		x.points = append(x.points, Point{at, top}, Point{at, bottom})
	}
}
