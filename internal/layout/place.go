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
			l.settle(l.layers[n], sweep)
		}
	}
	l.close()
	for _, c := range l.chains {
		l.straighten(c.bends)
	}
	l.placeAcross()
	l.placeAlong()
	for i := range l.vertices {
		if v := &l.vertices[i]; v.node >= 0 {
			b := &l.boxes[v.node]
			b.X, b.Y = v.at-v.size/2, l.tops[v.layer]+(l.bottoms[v.layer]-l.tops[v.layer]-b.Height)/2
		}
	}
}

// settle moves the vertices of a layer as near as can be to where ties draw
// them: at first those of one side, in the end all. Neighbours that would
// overlap move as one.
func (l *level) settle(all []int, sweep int) {
	type run struct{ first, sum, weight int } // sum is of weighed wishes, less the room before
	var runs []run
	before := make([]int, len(all)) // the room that those before a vertex take
	for i, v := range all {
		if i > 0 {
			before[i] = before[i-1] + l.room(all[i-1], v)
		}
		wish, weight := l.drawn(v, sweep)
		r := run{i, (wish - before[i]) * weight, weight}
		for len(runs) > 0 && runs[len(runs)-1].sum*r.weight > r.sum*runs[len(runs)-1].weight {
			last := runs[len(runs)-1]
			r = run{last.first, last.sum + r.sum, last.weight + r.weight}
			runs = runs[:len(runs)-1]
		}
		runs = append(runs, r)
	}
	for i, r := range runs {
		end := len(all)
		if i+1 < len(runs) {
			end = runs[i+1].first
		}
		for k := r.first; k < end; k++ {
			l.vertices[all[k]].at = int(math.Floor(float64(r.sum)/float64(r.weight))) + before[k]
		}
	}
}

// drawn gives where ties draw a vertex, the middle one of those places, and how
// strongly: bends the most, so that lines are straight.
func (l *level) drawn(v, sweep int) (at, weight int) {
	x := l.vertices[v]
	type draw struct{ at, weight int }
	var all []draw
	for side, ties := range [][]tie{x.up, x.down} {
		for _, t := range ties {
			if side != sweep%2 {
				continue
			}
			d := draw{l.vertices[t.other].at + t.there - t.here, 2*t.weight + 1}
			if x.node < 0 && l.vertices[t.other].node < 0 {
				d.weight *= 4
			}
			all = append(all, d)
			weight += d.weight
		}
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
	return x.at, 1
}

// room gives how far apart the middles of two neighbours must be.
func (l *level) room(u, v int) int {
	a, b := l.vertices[u], l.vertices[v]
	space := l.Space
	if a.node < 0 && b.node < 0 {
		space = space * 3 / 5
	}
	return (a.size+1)/2 + space + (b.size+1)/2
}

// close moves what stands on both sides of an empty band together.
func (l *level) close() {
	sorted := make([]int, len(l.vertices))
	for v := range sorted {
		sorted[v] = v
	}
	half := func(v int) int { return (l.vertices[v].size + 1) / 2 }
	low := func(v int) int { return l.vertices[v].at - half(v) }
	slices.SortFunc(sorted, func(v, w int) int { return cmp.Compare(low(v), low(w)) })
	by, high := 0, low(sorted[0])
	for _, v := range sorted {
		by = max(by, low(v)-high-l.Space)
		high = max(high, low(v)-by+2*half(v))
		l.vertices[v].at -= by
	}
}

// straighten puts bends that follow each other on one line, as many as have
// room for that, as near as can be to where the line comes from.
func (l *level) straighten(bends []int) {
	for len(bends) > 0 {
		low, high, n := math.MinInt, math.MaxInt, 0
		for ; n < len(bends); n++ {
			from, to := l.free(bends[n])
			if max(from, low) > min(to, high) {
				break
			}
			low, high = max(from, low), min(to, high)
		}
		at := l.vertices[bends[0]].at
		for _, t := range slices.Concat(l.vertices[bends[n-1]].down, l.vertices[bends[0]].up) {
			at = l.vertices[t.other].at + t.there
		}
		for _, v := range bends[:n] {
			l.vertices[v].at = min(max(at, low), high)
		}
		bends = bends[n:]
	}
}

// free gives between which places a vertex may move.
func (l *level) free(v int) (low, high int) {
	low, high = math.MinInt, math.MaxInt
	all, pos := l.layers[l.vertices[v].layer], l.vertices[v].pos
	if pos > 0 {
		low = l.vertices[all[pos-1]].at + l.room(all[pos-1], v)
	}
	if pos+1 < len(all) {
		high = l.vertices[all[pos+1]].at - l.room(v, all[pos+1])
	}
	return low, high
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
		n := l.Nodes[l.frame]
		lead = l.Pad
		b := &l.boxes[l.frame]
		b.Width = most - least + 2*l.Pad
		if l.Sideways {
			lead, b.Width = lead+n.Head, b.Width+n.Head
		} else if room := n.Width - b.Width; room > 0 {
			lead, b.Width = lead+room/2, n.Width
		}
	}
	for i := range l.vertices {
		l.vertices[i].at += lead - least
	}
}

// placeAlong gives each layer its place, and the frame its length.
func (l *level) placeAlong() {
	at := 0
	if l.frame >= 0 {
		at = l.Pad
		if !l.Sideways {
			at += l.Nodes[l.frame].Head
		}
	}
	for layer, all := range l.layers {
		size := 0
		for _, v := range all {
			size = max(size, l.vertices[v].along)
		}
		l.tops, l.bottoms = append(l.tops, at), append(l.bottoms, at+size)
		if l.frame >= 0 {
			l.boxes[l.frame].Height = at + size + l.Pad
		}
		at += size + l.gap(layer)
	}
	if l.frame >= 0 && l.Sideways {
		l.boxes[l.frame].Height = max(l.boxes[l.frame].Height, l.Nodes[l.frame].Width)
	}
}

// gap gives the room below a layer: more where many lines run far across, less
// where none runs.
func (l *level) gap(layer int) int {
	gap := l.Gap / 2
	for _, v := range l.layers[layer] {
		for _, t := range l.vertices[v].down {
			if t.weight == 0 {
				continue
			}
			across := l.vertices[v].at + t.here - l.vertices[t.other].at - t.there
			gap = max(gap, l.Gap) + min(max(across, -across)/60, 5)
		}
	}
	return min(gap, l.Gap*5/2)
}
