package layout

// placeWork bounds the work of finding places in layers.
const placeWork = 30_000_000

// place finds where everything stands.
func (s *sheet) place() {
	s.placeAcross()
	s.placeAlong()
}

// across makes the links that places across the layers respect: each vertex,
// the two borders of each frame, and for each line that should be straight one
// place more.
type across struct {
	*sheet
	low, high []int // the places of the borders of frames
	links     []link
	places    int
}

func (s *sheet) placeAcross() {
	a := &across{sheet: s, low: make([]int, len(s.Nodes)), high: make([]int, len(s.Nodes)), places: len(s.vertices)}
	for _, f := range s.frames() {
		a.low[f], a.high[f] = a.places, a.places+1
		a.places += 2
	}
	for _, f := range s.frames() {
		a.frame(f)
	}
	for _, all := range s.orders {
		a.layer(all)
	}
	for _, all := range s.between {
		for _, x := range all {
			a.stretch(x)
		}
	}
	for _, pair := range s.stacked {
		a.draw(a.sides(s.endOf(pair[0]))[0], a.sides(s.endOf(pair[1]))[0], 1)
	}
	at := solve(a.places, a.links, placeWork)
	s.at, s.low, s.high = at[:len(s.vertices)], make([]int, len(s.Nodes)), make([]int, len(s.Nodes))
	s.settle(at, a)
}

// settle takes the places over, with the first border at 0.
func (s *sheet) settle(at []int, a *across) {
	least, most := 1<<30, 0
	for _, f := range s.frames() {
		s.low[f], s.high[f] = at[a.low[f]], at[a.high[f]]
		least, most = min(least, s.low[f]), max(most, s.high[f])
	}
	for v, x := range s.vertices {
		least, most = min(least, s.at[v]-x.size/2), max(most, s.at[v]+x.size-x.size/2)
	}
	if len(s.vertices) == 0 {
		return
	}
	for v := range s.at {
		s.at[v] -= least
	}
	for _, f := range s.frames() {
		s.low[f], s.high[f] = s.low[f]-least, s.high[f]-least
	}
	s.width = most - least
}

func (a *across) link(from, to, length, weight int) {
	a.links = append(a.links, link{from, to, length, weight})
}

// lead is the room between the lower border of a frame and what it holds.
func (a *across) lead(f int) int {
	if a.Sideways {
		return a.Pad + a.Nodes[f].Head
	}
	return a.Pad
}

// frame holds a frame around the frames in it, and together.
func (a *across) frame(f int) {
	least := 0
	if !a.Sideways {
		least = a.Nodes[f].Width
	}
	a.link(a.low[f], a.high[f], least, 16)
	if p := a.Nodes[f].Parent; p >= 0 {
		a.link(a.low[p], a.low[f], a.lead(p), 0)
		a.link(a.high[f], a.high[p], a.Pad, 0)
	}
}

// layer keeps what stands in a layer apart, and behind the borders of frames.
func (a *across) layer(all []int) {
	for i, v := range all {
		if f, size := a.vertices[v].frame, a.vertices[v].size; f >= 0 {
			if i == 0 || !a.holds(f, all[i-1]) {
				a.link(a.low[f], v, a.lead(f)+size/2, 0)
			}
			if i+1 == len(all) || !a.holds(f, all[i+1]) {
				a.link(v, a.high[f], a.Pad+size-size/2, 0)
			}
		}
		if i > 0 {
			a.apart(all[i-1], v)
		}
	}
}

// apart keeps two neighbours apart, or the outermost frames around only one of
// them.
func (a *across) apart(u, v int) {
	room := a.Space
	if a.vertices[u].node < 0 && a.vertices[v].node < 0 {
		room = room * 3 / 5
	}
	from, before := u, a.vertices[u].size-a.vertices[u].size/2
	if f := a.outside(u, v); f >= 0 {
		from, before, room = a.high[f], 0, a.Space
	}
	to, after := v, a.vertices[v].size/2
	if f := a.outside(v, u); f >= 0 {
		to, after, room = a.low[f], 0, a.Space
	}
	a.link(from, to, before+room+after, 0)
}

// outside gives the outermost frame that is around one vertex and not around
// the other, or -1.
func (a *across) outside(v, other int) int {
	frame := -1
	for f := a.vertices[v].frame; f >= 0 && !a.holds(f, other); f = a.Nodes[f].Parent {
		frame = f
	}
	return frame
}

// holds reports whether a vertex is in a frame.
func (a *across) holds(frame, v int) bool {
	f := a.vertices[v].frame
	return f >= 0 && a.within(f, frame)
}

// stretch draws the ends of a part of a line to each other: the more, the less
// of a bend there would be at a box.
func (a *across) stretch(x stretch) {
	strength := 1
	switch {
	case a.bends(x.from) && a.bends(x.to):
		strength = 8
	case a.bends(x.from):
		strength = 3 // of two ways to run, the one that is straight at its end
	case a.bends(x.to):
		strength = 2
	}
	strength *= x.weight
	from, to := a.sides(x.from), a.sides(x.to)
	a.draw(from[0], to[0], strength)
	if from[0] != from[1] || to[0] != to[1] {
		a.draw(from[1], to[1], strength)
	}
}

// bends reports whether a line passes there.
func (a *across) bends(e end) bool { return e.vertex >= 0 && a.vertices[e.vertex].node < 0 }

// sides gives the two places between which a line may end.
func (a *across) sides(e end) [2]int {
	if e.vertex >= 0 {
		return [2]int{e.vertex, e.vertex}
	}
	return [2]int{a.low[e.frame], a.high[e.frame]}
}

// draw makes it cost something when two places are not the same.
func (a *across) draw(u, v, weight int) {
	a.link(a.places, u, 0, weight)
	a.link(a.places, v, 0, weight)
	a.places++
}

// placeAlong gives each layer its room, and frames room for their borders and
// what they say between layers.
func (s *sheet) placeAlong() {
	n := s.layers
	s.top, s.bottom, s.from, s.until = make([]int, n), make([]int, n), make([]int, n), make([]int, n)
	s.begin, s.end = make([]int, len(s.Nodes)), make([]int, len(s.Nodes))
	size := make([]int, n)
	for i, x := range s.Nodes {
		if s.isFrame(i) {
			continue
		}
		along := x.Height
		if s.Sideways {
			along = x.Width
		}
		size[s.first[i]] = max(size[s.first[i]], along)
	}
	before, after := s.margins()
	at := 0
	for layer := range n {
		s.top[layer] = at
		s.from[layer] = at + s.most(before, s.first, layer)
		s.until[layer] = s.from[layer] + size[layer]
		s.bottom[layer] = s.until[layer] + s.most(after, s.last, layer)
		s.long = s.bottom[layer]
		at = s.bottom[layer] + s.gap(layer)
	}
	for _, f := range s.frames() {
		s.begin[f] = s.from[s.first[f]] - before[f]
		s.end[f] = s.until[s.last[f]] + after[f]
	}
}

// gap gives the room below a layer: more where many lines run far across, less
// where none runs.
func (s *sheet) gap(layer int) int {
	if len(s.between[layer]) == 0 {
		return s.Gap / 2
	}
	far := 0
	for _, x := range s.between[layer] {
		if across := s.across(x); across > 60 {
			far += min(across/60, 5)
		}
	}
	return s.Gap + min(s.Gap*3/2, far)
}

// across gives how far a part of a line runs across.
func (s *sheet) across(x stretch) int {
	sides := func(e end) (int, int) {
		if e.vertex >= 0 {
			return s.at[e.vertex], s.at[e.vertex]
		}
		return s.low[e.frame], s.high[e.frame]
	}
	fromLow, fromHigh := sides(x.from)
	toLow, toHigh := sides(x.to)
	return max(0, toLow-fromHigh, fromLow-toHigh)
}

// margins gives the room that each frame takes before its first layer and
// after its last, with the frames in it that begin or end there too.
func (s *sheet) margins() (before, after []int) {
	before, after = make([]int, len(s.Nodes)), make([]int, len(s.Nodes))
	for f := len(s.Nodes) - 1; f >= 0; f-- {
		if !s.isFrame(f) {
			continue
		}
		for _, c := range s.children[f] {
			if s.first[c] == s.first[f] {
				before[f] = max(before[f], before[c])
			}
			if s.last[c] == s.last[f] {
				after[f] = max(after[f], after[c])
			}
		}
		before[f], after[f] = before[f]+s.Pad, after[f]+s.Pad
		if !s.Sideways {
			before[f] += s.Nodes[f].Head
		}
	}
	return before, after
}

func (s *sheet) most(margin, of []int, layer int) int {
	most := 0
	for _, f := range s.frames() {
		if of[f] == layer {
			most = max(most, margin[f])
		}
	}
	return most
}
