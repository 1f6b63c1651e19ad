package layout

import (
	"cmp"
	"slices"
)

// orderWork bounds the work of finding an order, rounds how often one is tried.
const (
	orderWork = 4_000_000
	rounds    = 24
)

// order finds an order of the vertices in each layer in which few lines cross.
func (l *level) order() {
	for v := range l.vertices {
		x := &l.vertices[v]
		if x.node >= 0 {
			x.wish = float64(v)
		}
		l.layers[x.layer] = append(l.layers[x.layer], v)
	}
	for layer := range l.layers {
		l.sort(layer)
	}
	best, least := l.positions(), l.count()
	for round, idle := 0, 0; round < rounds && idle < 6 && l.work > 0; round++ {
		l.sweep(round%2 == 0)
		l.transpose()
		idle++
		if n := l.count(); n < least {
			best, least, idle = l.positions(), n, 0
		}
	}
	for v, at := range best {
		l.vertices[v].wish = at
	}
	for layer := range l.layers {
		l.sort(layer)
	}
	l.crossings += least
}

// positions gives the place of each vertex in its layer.
func (l *level) positions() []float64 {
	out := make([]float64, len(l.vertices))
	for v, x := range l.vertices {
		out[v] = float64(x.pos)
	}
	return out
}

// sort orders a layer by what its vertices wish for.
func (l *level) sort(layer int) {
	all := l.layers[layer]
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(l.vertices[a].wish, l.vertices[b].wish) })
	for i, v := range all {
		l.vertices[v].pos = i
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
			x := &l.vertices[v]
			ties := x.down
			if down {
				ties = x.up
			}
			x.wish = (float64(x.pos)+0.5)*scale - 0.5
			sum, weight := 0.0, 0.0
			for _, t := range ties {
				strength := float64(t.weight + 1)
				sum, weight = sum+l.port(t.other, t.there)*strength, weight+strength
			}
			if weight > 0 {
				x.wish = sum / weight
			}
		}
		l.sort(layer)
	}
}

// port gives the place of a line that passes a vertex beside its middle.
func (l *level) port(v, offset int) float64 {
	x := l.vertices[v]
	return float64(x.pos) + float64(offset)/float64(x.size+1)
}

// count gives how many lines cross.
func (l *level) count() int {
	n := 0
	for _, all := range l.layers {
		var ends []float64 // of the lines so far, in order
		for _, v := range all {
			ties := slices.SortedStableFunc(slices.Values(l.vertices[v].down), func(a, b tie) int {
				return cmp.Or(cmp.Compare(a.here, b.here), cmp.Compare(l.port(a.other, a.there), l.port(b.other, b.there)))
			})
			for _, t := range ties {
				end := l.port(t.other, t.there)
				at, _ := slices.BinarySearchFunc(ends, end, func(a, b float64) int { return cmp.Or(cmp.Compare(a, b), -1) })
				n += len(ends) - at
				ends = slices.Insert(ends, at, end)
			}
		}
	}
	return n
}

// transpose exchanges neighbours where that makes fewer lines cross.
func (l *level) transpose() {
	for round, better := 0, true; better && round < 8 && l.work > 0; round++ {
		better = false
		for _, all := range l.layers {
			for i := 1; i < len(all); i++ {
				a, b := &l.vertices[all[i-1]], &l.vertices[all[i]]
				if l.cross(a.up, b.up)+l.cross(a.down, b.down) > l.cross(b.up, a.up)+l.cross(b.down, a.down) {
					all[i-1], all[i] = all[i], all[i-1]
					a.pos, b.pos = i, i-1
					better = true
				}
			}
		}
	}
}

// cross counts how many lines of two neighbours cross on one side of them.
func (l *level) cross(a, b []tie) int {
	l.work -= 1 + len(a)*len(b)
	n := 0
	for _, s := range a {
		for _, t := range b {
			if l.port(s.other, s.there) > l.port(t.other, t.there) {
				n++
			}
		}
	}
	return n
}
