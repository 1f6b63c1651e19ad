package layout

import (
	"cmp"
	"math"
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

// stack puts boxes without lines below each other, in as many columns as make a
// square: side by side they would be a long row.
func (l *level) stack() {
	tied := map[*vertex]bool{}
	for _, x := range l.links {
		tied[x.from], tied[x.to] = true, true
	}
	wide, high := 0, 0
	free := slices.DeleteFunc(slices.Clone(l.vertices), func(v *vertex) bool { return tied[v] })
	for _, v := range free {
		wide, high = wide+v.size+l.Space, high+v.along+l.Gap/2
	}
	if len(free) > 0 {
		rows := max(len(l.layers), int(math.Sqrt(float64(len(free)*wide/high))))
		l.layers = make([][]*vertex, min(rows, len(l.vertices)))
	}
	for k, v := range free {
		if v.layer = k % len(l.layers); v.layer > 0 {
			join(free[k-1], v, 0, 0, 0)
		}
	}
}

// join ties two vertices.
func join(v, w *vertex, here, there, weight int) {
	v.down, w.up = append(v.down, tie{w, here, there, weight}), append(w.up, tie{v, there, here, weight})
}

// rank puts vertices into layers: each after all that lead to it, and those
// that more leads away from than to as late as may be.
func (l *level) rank() {
	last := 0
	for again := true; again; {
		again = false
		for _, x := range l.links {
			if x.from != nil && x.to != nil && x.to.layer <= x.from.layer {
				x.to.layer, again = x.from.layer+1, true
				last = max(last, x.to.layer)
			}
		}
	}
	out, pull := map[*vertex][]*link{}, map[*vertex]int{}
	for _, x := range l.links {
		out[x.from], pull[x.from] = append(out[x.from], x), pull[x.from]+x.weight
		pull[x.to] -= x.weight
	}
	for _, v := range slices.SortedStableFunc(slices.Values(l.vertices), func(a, b *vertex) int { return cmp.Compare(b.layer, a.layer) }) {
		if pull[v] > 0 {
			v.layer = last
			for _, x := range out[v] {
				if x.to != nil {
					v.layer = min(v.layer, x.to.layer-1)
				}
			}
		}
	}
	l.layers = make([][]*vertex, last+1)
}

// bend leads links through the layers, with a bend in each that they pass.
func (l *level) bend() {
	for _, x := range l.links {
		first, end := 0, len(l.layers)
		if x.from != nil {
			first, x.passes = x.from.layer+1, append(x.passes, x.from)
		}
		if x.to != nil {
			end = x.to.layer
		}
		for layer := first; layer < end; layer++ {
			v := &vertex{node: -1, size: 4, layer: layer}
			if layer > first || x.from != nil {
				v.wish = x.passes[len(x.passes)-1].wish
			}
			x.passes, l.vertices = append(x.passes, v), append(l.vertices, v)
		}
		if x.to != nil {
			x.passes = append(x.passes, x.to)
		}
		for k := 1; k < len(x.passes); k++ {
			v, w := x.passes[k-1], x.passes[k]
			join(v, w, x.beside(v), x.beside(w), x.weight)
		}
	}
}

// beside gives how far from the middle of a vertex a line passes it: a frame where it
// does so inside.
func (x *link) beside(v *vertex) int {
	switch {
	case v == x.from && v.node != x.line.from:
		return x.leaves - v.size/2
	case v == x.to && v.node != x.line.to:
		return x.enters - v.size/2
	}
	return 0
}

// rounds is how often an order is tried, less often where there is much to order.
func (l *level) rounds() int { return min(48, max(8, 100_000/len(l.vertices))) }

// order finds an order of the vertices in each layer in which few lines cross.
func (l *level) order() {
	for _, v := range l.vertices {
		l.layers[v.layer] = append(l.layers[v.layer], v)
	}
	var best [][]*vertex
	least := math.MaxInt
	for round := 0; round < l.rounds() && least > 0; round++ {
		for n, last := 0, len(l.layers)-1; n <= last; n++ {
			switch {
			case round == 0:
				l.sort(n, n, false)
			case round%2 == 1:
				l.sort(n, n-1, round%7 > 3)
			default:
				l.sort(last-n, last-n+1, round%7 > 3)
			}
		}
		if n := l.count(); n < least {
			least, best = n, nil
			for _, all := range l.layers {
				best = append(best, slices.Clone(all))
			}
		}
	}
	l.layers = best
	l.crossings += least
}

// sort orders a layer by where its lines to another layer lead, or by what was wished
// for where there is no other. What wishes the same may change places.
func (l *level) sort(layer, other int, swap bool) {
	all := l.layers[layer]
	if other != layer && other >= 0 && other < len(l.layers) {
		scale := float64(len(l.layers[other])) / float64(len(all))
		for _, v := range all {
			ties := v.down
			if other < layer {
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
	}
	if swap {
		slices.Reverse(all)
	}
	slices.SortStableFunc(all, func(a, b *vertex) int { return cmp.Compare(a.wish, b.wish) })
	for i, v := range all {
		v.pos = i
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
