package layout

import (
	"cmp"
	"slices"
)

// level is what is directly in a frame, in layers.
type level struct {
	*drawing
	frame         int
	links         []*link
	vertices      []*vertex
	layers        [][]*vertex // in their order
	tops, bottoms []int       // the sides of each layer
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
	l := &level{drawing: d, frame: frame, links: d.links[frame+1], vertices: slices.Clone(d.children[frame+1])}
	for i, v := range l.vertices {
		v.wish, v.size, v.along = float64(i), d.boxes[v.node].Width, d.boxes[v.node].Height
	}
	l.rank()
	l.stack()
	l.bend()
	l.order()
	l.place()
	l.route()
}

// rank puts vertices into layers: each after all that lead to it, and those
// that more leads away from than to as late as may be.
func (l *level) rank() {
	for _, x := range l.links {
		if x.from != nil {
			x.from.out = append(x.from.out, x)
		}
		if x.to != nil {
			x.to.in = append(x.to.in, x)
		}
	}
	var sorted []*vertex
	last := 0
	var visit func(v *vertex) int
	visit = func(v *vertex) int {
		if !v.ranked {
			v.ranked = true
			for _, x := range v.in {
				if x.from != nil {
					v.layer = max(v.layer, visit(x.from)+1)
				}
			}
			sorted, last = append(sorted, v), max(last, v.layer)
		}
		return v.layer
	}
	for _, v := range l.vertices {
		visit(v)
	}
	for _, v := range slices.Backward(sorted) {
		pull, latest := 0, last
		for _, x := range v.in {
			pull -= x.weight
		}
		for _, x := range v.out {
			pull += x.weight
			if x.to != nil {
				latest = min(latest, x.to.layer-1)
			}
		}
		if pull > 0 {
			v.layer = latest
		}
	}
}

// stack puts boxes that no line leads to below each other, in as many columns
// as make a good shape: side by side they would be a long row.
func (l *level) stack() {
	var free []*vertex
	layers := 1
	for _, v := range l.vertices {
		layers = max(layers, v.layer+1)
		if len(v.in)+len(v.out) == 0 {
			free = append(free, v)
		}
	}
	side := func(high int) int { // the longer side of columns of so many
		wide, long := 0, 0
		for column := range slices.Chunk(free, high) {
			widest, sum := 0, 0
			for _, v := range column {
				widest, sum = max(widest, v.size), sum+v.along+l.Gap/2
			}
			wide, long = wide+widest+l.Space, max(long, sum)
		}
		return max(wide, long)
	}
	for layers < len(free) && side(layers+1) < side(layers) {
		layers++
	}
	for k, v := range free {
		if v.layer = k % layers; v.layer > 0 {
			l.links = append(l.links, &link{from: free[k-1], to: v})
		}
	}
	for _, v := range l.vertices {
		for len(l.layers) <= v.layer {
			l.layers = append(l.layers, nil)
		}
	}
}

// maxBends bounds how many bends the lines in a frame may have; the longest
// of those that would have more run straight on, whatever stands there.
const maxBends = 12_000

// bend leads links through the layers, with a bend in each that they pass.
func (l *level) bend() {
	first := func(x *link) int {
		if x.from == nil {
			return 0
		}
		return x.from.layer + 1
	}
	bends := func(x *link) int {
		if x.to == nil {
			return len(l.layers) - first(x)
		}
		return x.to.layer - first(x)
	}
	slices.SortStableFunc(l.links, func(a, b *link) int { return cmp.Compare(bends(a), bends(b)) })
	sum := 0
	l.links = slices.DeleteFunc(l.links, func(x *link) bool {
		if sum += bends(x); x.line != nil && (sum > maxBends || x.over) {
			x.over = true
			return true
		}
		return false
	})
	for _, x := range l.links {
		from, to, weight := 0, 0, 0
		if x.line != nil {
			weight = x.weight
			from, to = l.offsets(x)
		}
		at := x.from
		for range bends(x) {
			v := &vertex{node: -1, size: 4}
			if at != nil {
				v.layer, v.wish = at.layer+1, at.wish
			}
			x.bends, l.vertices = append(x.bends, v), append(l.vertices, v)
			join(at, v, from, 0, weight)
			at, from = v, 0
		}
		join(at, x.to, from, to, weight)
	}
}

// offsets gives how far from the middle of its boxes a line passes their sides:
// of a frame, where it does so inside.
func (l *level) offsets(x *link) (leaves, enters int) {
	if x.from != nil && x.from.node != x.line.from {
		leaves = x.line.leaves - x.from.size/2
	}
	if x.to != nil && x.to.node != x.line.to {
		enters = x.line.enters - x.to.size/2
	}
	return leaves, enters
}

// join ties two vertices, if there are two.
func join(v, w *vertex, here, there, weight int) {
	if v != nil && w != nil {
		v.down = append(v.down, tie{w, here, there, weight})
		w.up = append(w.up, tie{v, there, here, weight})
	}
}

// rounds is how often an order is tried, work how many ties are looked at for it.
const (
	rounds = 24
	work   = 4_000_000
)

// order finds an order of the vertices in each layer in which few lines cross.
func (l *level) order() {
	left := work
	for _, v := range l.vertices {
		l.layers[v.layer] = append(l.layers[v.layer], v)
	}
	for _, all := range l.layers {
		sort(all)
	}
	best, least := l.positions(), l.count()
	for round, idle := 0, 0; round < rounds && left > 0 && idle < 6 && least > 0; round++ {
		l.sweep(round%2 == 0)
		l.transpose(&left)
		idle++
		if n := l.count(); n < least {
			best, least, idle = l.positions(), n, 0
		}
	}
	for i, v := range l.vertices {
		v.wish = best[i]
	}
	for _, all := range l.layers {
		sort(all)
	}
	l.crossings += least
}

// positions gives the place of each vertex in its layer.
func (l *level) positions() []float64 {
	out := make([]float64, len(l.vertices))
	for i, v := range l.vertices {
		out[i] = float64(v.pos)
	}
	return out
}

// sort orders a layer by what its vertices wish for.
func sort(all []*vertex) {
	slices.SortStableFunc(all, func(a, b *vertex) int { return cmp.Compare(a.wish, b.wish) })
	for i, v := range all {
		v.pos = i
	}
}

// sweep goes through the layers and orders each by where its lines come from.
func (l *level) sweep(down bool) {
	for n := 1; n < len(l.layers); n++ {
		layer, other := n, n-1
		if !down {
			layer, other = len(l.layers)-1-n, len(l.layers)-n
		}
		scale := float64(len(l.layers[other])) / float64(len(l.layers[layer]))
		for _, v := range l.layers[layer] {
			ties := v.down
			if down {
				ties = v.up
			}
			v.wish = (float64(v.pos)+0.5)*scale - 0.5
			sum, weight := 0.0, 0.0
			for _, t := range ties {
				strength := float64(t.weight + 1)
				sum, weight = sum+t.port()*strength, weight+strength
			}
			if weight > 0 {
				v.wish = sum / weight
			}
		}
		sort(l.layers[layer])
	}
}

// transpose exchanges neighbours where that makes fewer lines cross, for as long
// as there is work left.
func (l *level) transpose(left *int) {
	crossing := func(a, b []tie) (n int) {
		for _, s := range a {
			for _, t := range b {
				if s.port() > t.port() {
					n++
				}
			}
		}
		*left -= 1 + len(a)*len(b)
		return n
	}
	for round, better := 0, true; better && round < 8 && *left > 0; round++ {
		better = false
		for _, all := range l.layers {
			for i := 1; i < len(all); i++ {
				a, b := all[i-1], all[i]
				if crossing(a.up, b.up)+crossing(a.down, b.down) > crossing(b.up, a.up)+crossing(b.down, a.down) {
					all[i-1], all[i], a.pos, b.pos, better = b, a, i, i-1, true
				}
			}
		}
	}
}

// port gives the place of a line among those of the other layer, which it passes
// beside the middle of the vertex.
func (t tie) port() float64 {
	return float64(t.other.pos) + float64(t.there)/float64(t.other.size+1)
}

// count gives how many lines cross.
func (l *level) count() int {
	n := 0
	for _, all := range l.layers {
		var ends []float64 // of the lines so far, in order
		for _, v := range all {
			ties := slices.SortedStableFunc(slices.Values(v.down), func(a, b tie) int {
				return cmp.Or(cmp.Compare(a.here, b.here), cmp.Compare(a.port(), b.port()))
			})
			for _, t := range ties {
				end := t.port()
				at, _ := slices.BinarySearchFunc(ends, end, func(a, b float64) int { return cmp.Or(cmp.Compare(a, b), -1) })
				n += len(ends) - at
				ends = slices.Insert(ends, at, end)
			}
		}
	}
	return n
}
