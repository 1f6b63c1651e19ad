package layout

import (
	"cmp"
	"slices"
)

// ordering finds in which order the vertices of each layer stand, so that few
// lines cross. What is in a frame stays together, and the frames in another one
// stand in the same order in every layer, so that each can be a box.
type ordering struct {
	*sheet
	paths    [][]int // of each vertex, the frames around it from outside in
	up, down [][]int // of each vertex, the stretches that lead there and from there
	flat     []stretch
	rank     []float64 // of each frame, its place among its siblings
	value    []float64 // of each vertex, where it would like to be
	// head and foot are the middle of what each frame has in its first and in
	// its last layer.
	head, foot []float64
}

// rounds is how often the order is tried to be made better, sweepWork bounds
// the work of it.
const (
	rounds    = 24
	sweepWork = 4_000_000
)

func (s *sheet) order() {
	o := &ordering{sheet: s, paths: make([][]int, len(s.vertices)), up: make([][]int, len(s.vertices)), down: make([][]int, len(s.vertices)),
		rank: make([]float64, len(s.Nodes)), value: make([]float64, len(s.vertices)), head: make([]float64, len(s.Nodes)), foot: make([]float64, len(s.Nodes))}
	o.start()
	s.atFirst = o.crossings()
	s.least = s.atFirst
	best, bestRank := o.copyOrders(), slices.Clone(o.rank)
	work := sweepWork
	for round, idle := 0, 0; round < rounds && idle < 6 && s.least > 0 && work > 0; round++ {
		o.sweep(round%2 == 0)
		o.orderFrames()
		o.transpose()
		work -= 6 * (len(s.vertices) + len(o.flat))
		idle++
		if n := o.crossings(); n < s.least {
			s.least, idle = n, 0
			best, bestRank = o.copyOrders(), slices.Clone(o.rank)
		}
	}
	s.orders, o.rank = best, bestRank
	o.number()
}

// start makes the first order, that of the nodes.
func (o *ordering) start() {
	o.orders, o.pos = make([][]int, o.layers), make([]int, len(o.vertices))
	for v, x := range o.vertices {
		for f := x.frame; f >= 0; f = o.Nodes[f].Parent {
			o.paths[v] = append(o.paths[v], f)
		}
		slices.Reverse(o.paths[v])
		o.orders[x.layer] = append(o.orders[x.layer], v)
		o.value[v] = float64(x.node)
	}
	for i := range o.Nodes {
		o.rank[i] = float64(i)
	}
	for i, c := range o.chains {
		for _, v := range c.points {
			o.value[v] = float64(o.Edges[i].From) + 0.5
		}
	}
	for _, all := range o.between {
		for _, x := range all {
			i := len(o.flat)
			o.flat = append(o.flat, x)
			if x.from.vertex >= 0 {
				o.down[x.from.vertex] = append(o.down[x.from.vertex], i)
			}
			if x.to.vertex >= 0 {
				o.up[x.to.vertex] = append(o.up[x.to.vertex], i)
			}
		}
	}
	for layer := range o.orders {
		o.arrange(layer)
	}
	o.number()
}

func (o *ordering) copyOrders() [][]int {
	var out [][]int
	for _, all := range o.orders {
		out = append(out, slices.Clone(all))
	}
	return out
}

// number notes the places of vertices.
func (o *ordering) number() {
	for layer := range o.orders {
		o.numberLayer(layer)
	}
}

func (o *ordering) numberLayer(layer int) {
	begun := map[int]int{}
	for i, v := range o.orders[layer] {
		o.pos[v] = i
		for _, f := range o.paths[v] {
			if o.first[f] != layer && o.last[f] != layer {
				continue
			}
			if _, ok := begun[f]; !ok {
				begun[f] = i
			}
			middle := float64(begun[f]+i) / 2
			if o.first[f] == layer {
				o.head[f] = middle
			}
			if o.last[f] == layer {
				o.foot[f] = middle
			}
		}
	}
}

// arrange orders a layer by what its vertices would like, as far as frames let
// them.
func (o *ordering) arrange(layer int) {
	o.orders[layer] = o.arranged(o.orders[layer], 0)
	o.numberLayer(layer)
}

// group is a vertex, or all that one frame has in a layer.
type group struct {
	frame    int // -1 for a vertex
	vertices []int
	value    float64
}

// arranged orders vertices that have the same frames around them down to a
// depth.
func (o *ordering) arranged(vertices []int, depth int) []int {
	groups := o.groups(vertices, depth)
	o.level(groups)
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.value, b.value) })
	out := make([]int, 0, len(vertices))
	for _, g := range groups {
		if g.frame >= 0 {
			g.vertices = o.arranged(g.vertices, depth+1)
		}
		out = append(out, g.vertices...)
	}
	return out
}

func (o *ordering) groups(vertices []int, depth int) []group {
	var groups []group
	index := map[int]int{}
	for _, v := range vertices {
		if len(o.paths[v]) <= depth {
			groups = append(groups, group{-1, []int{v}, o.value[v]})
			continue
		}
		f := o.paths[v][depth]
		i, ok := index[f]
		if !ok {
			i = len(groups)
			index[f] = i
			groups = append(groups, group{frame: f})
		}
		groups[i].vertices = append(groups[i].vertices, v)
		groups[i].value += o.value[v]
	}
	for i := range groups {
		groups[i].value /= float64(len(groups[i].vertices))
	}
	return groups
}

// level gives frames that want to stand in another order than theirs the same
// value, the mean of theirs, and puts them into their order.
func (o *ordering) level(groups []group) {
	var frames []int
	for i, g := range groups {
		if g.frame >= 0 {
			frames = append(frames, i)
		}
	}
	if len(frames) < 2 {
		return
	}
	sorted := make([]group, 0, len(frames))
	for _, i := range frames {
		sorted = append(sorted, groups[i])
	}
	slices.SortStableFunc(sorted, func(a, b group) int { return cmp.Compare(o.rank[a.frame], o.rank[b.frame]) })
	type pool struct {
		sum float64
		n   int
	}
	var pools []pool
	for _, g := range sorted {
		p := pool{g.value, 1}
		for len(pools) > 0 && pools[len(pools)-1].sum/float64(pools[len(pools)-1].n) > p.sum/float64(p.n) {
			last := pools[len(pools)-1]
			pools, p = pools[:len(pools)-1], pool{p.sum + last.sum, p.n + last.n}
		}
		pools = append(pools, p)
	}
	n := 0
	for _, p := range pools {
		for range p.n {
			sorted[n].value = p.sum / float64(p.n)
			groups[frames[n]] = sorted[n]
			n++
		}
	}
}

// sweep goes through the layers and orders each by where its lines come from.
func (o *ordering) sweep(down bool) {
	for n := 1; n < o.layers; n++ {
		layer, other := n, n-1
		if !down {
			layer, other = o.layers-1-n, o.layers-n
		}
		scale := float64(len(o.orders[other])) / float64(max(1, len(o.orders[layer])))
		for _, v := range o.orders[layer] {
			o.value[v] = o.wish(v, down, (float64(o.pos[v])+0.5)*scale-0.5)
		}
		o.arrange(layer)
	}
}

// wish gives the mean place of what a vertex is tied to in the layer before or
// after.
func (o *ordering) wish(v int, down bool, without float64) float64 {
	ties := o.down[v]
	if down {
		ties = o.up[v]
	}
	sum, weight := 0.0, 0.0
	for _, i := range ties {
		x := o.flat[i]
		at := o.placeTo(x)
		if down {
			at = o.placeFrom(x)
		}
		sum, weight = sum+at*float64(x.weight), weight+float64(x.weight)
	}
	if weight == 0 {
		return without
	}
	return sum / weight
}

// placeFrom gives the place of the end of a line that it comes from: that of a
// frame is the middle of what it has there. placeTo gives that of the other.
func (o *ordering) placeFrom(x stretch) float64 {
	if x.from.vertex >= 0 {
		return float64(o.pos[x.from.vertex])
	}
	return o.foot[x.from.frame]
}

func (o *ordering) placeTo(x stretch) float64 {
	if x.to.vertex >= 0 {
		return float64(o.pos[x.to.vertex])
	}
	return o.head[x.to.frame]
}

// orderFrames lets frames take the order in which they stand on the whole, and
// all layers follow.
func (o *ordering) orderFrames() {
	sum, n := make([]float64, len(o.Nodes)), make([]float64, len(o.Nodes))
	for layer, all := range o.orders {
		for i, v := range all {
			for _, f := range o.paths[v] {
				sum[f] += (float64(i) + 0.5) / float64(len(o.orders[layer]))
				n[f]++
			}
		}
	}
	changed := false
	for f := range o.Nodes {
		if n[f] > 0 {
			changed = changed || o.rank[f] != sum[f]/n[f]
			o.rank[f] = sum[f] / n[f]
		}
	}
	if !changed {
		return
	}
	for layer, all := range o.orders {
		for i, v := range all {
			o.value[v] = float64(i)
		}
		o.arrange(layer)
	}
}

// crossings counts how many lines cross.
func (o *ordering) crossings() int {
	n := 0
	for layer := range o.between {
		n += o.crossingsBelow(layer)
	}
	return n
}

func (o *ordering) crossingsBelow(layer int) int {
	type line struct{ from, to float64 }
	lines := make([]line, 0, len(o.between[layer]))
	for _, x := range o.between[layer] {
		lines = append(lines, line{o.placeFrom(x), o.placeTo(x)})
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	ends := make([]float64, len(lines))
	for i, x := range lines {
		ends[i] = x.to
	}
	return inversions(ends, make([]float64, len(ends)))
}

// inversions counts the pairs that stand in the wrong order, and sorts.
func inversions(a, space []float64) int {
	if len(a) < 2 {
		return 0
	}
	mid := len(a) / 2
	n := inversions(a[:mid], space[:mid]) + inversions(a[mid:], space[mid:])
	copy(space, a)
	left, right := space[:mid], space[mid:]
	for i := range a {
		if len(right) == 0 || len(left) > 0 && left[0] <= right[0] {
			a[i], left = left[0], left[1:]
			continue
		}
		a[i], right = right[0], right[1:]
		n += len(left)
	}
	return n
}

// transpose exchanges neighbours where that makes fewer lines cross.
func (o *ordering) transpose() {
	for round, better := 0, true; better && round < 8; round++ {
		better = false
		for _, all := range o.orders {
			for i := 1; i < len(all); i++ {
				a, b := all[i-1], all[i]
				if o.vertices[a].frame != o.vertices[b].frame || o.cross(a, b) <= o.cross(b, a) {
					continue
				}
				all[i-1], all[i] = b, a
				o.pos[a], o.pos[b] = i, i-1
				better = true
			}
		}
	}
}

// cross counts how many lines of two neighbours cross if a stands before b.
func (o *ordering) cross(a, b int) int {
	n := 0
	for _, i := range o.up[a] {
		for _, j := range o.up[b] {
			if o.placeFrom(o.flat[i]) > o.placeFrom(o.flat[j]) {
				n++
			}
		}
	}
	for _, i := range o.down[a] {
		for _, j := range o.down[b] {
			if o.placeTo(o.flat[i]) > o.placeTo(o.flat[j]) {
				n++
			}
		}
	}
	return n
}
