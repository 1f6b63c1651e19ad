package layout

// Boxes that no line leads to would all stand in one layer, side by side. They
// are stacked instead, in as many columns as make a good shape.

// stack adds links that put boxes and frames without any line to another one
// below each other. It reports whether there are any.
func (r *ranking) stack(got ranks, o Options) bool {
	linked := make([]bool, len(r.Nodes))
	for _, e := range r.Edges {
		if !r.nested(e.From, e.To) {
			c := r.common(e.From, e.To)
			r.touch(linked, e.From, c)
			r.touch(linked, e.To, c)
		}
	}
	before := len(r.links)
	r.stackAll(r.roots, linked, got, got.layers, o)
	for i := range r.Nodes {
		if r.isFrame(i) {
			r.stackAll(r.children[i], linked, got, got.last[i]-got.first[i]+1, o)
		}
	}
	return len(r.links) > before
}

// touch notes for a node and all frames around it, up to one, that a line
// leads there.
func (r *ranking) touch(linked []bool, i, frame int) {
	for ; i != frame; i = r.Nodes[i].Parent {
		linked[i] = true
	}
}

// unit is something to stack: its size in layers and in boxes beside each
// other.
type unit struct{ node, long, wide int }

func (r *ranking) stackAll(siblings []int, linked []bool, got ranks, layers int, o Options) {
	var units []unit
	for _, i := range siblings {
		if !linked[i] {
			long := got.last[i] - got.first[i] + 1
			units = append(units, unit{i, long, max(1, (r.boxes(i)+long-1)/long)})
		}
	}
	if len(units) < 2 {
		return
	}
	if len(units) == len(siblings) {
		layers = 1
	}
	for _, column := range columns(units, layers, o) {
		for n := 1; n < len(column); n++ {
			above, below := column[n-1].node, column[n].node
			r.links = append(r.links, link{r.end(above), r.begin(below), 1, 1})
			r.stacked = append(r.stacked, [2]int{above, below})
		}
	}
}

// boxes counts the boxes in a node.
func (r *ranking) boxes(i int) int {
	if !r.isFrame(i) {
		return 1
	}
	n := 0
	for _, c := range r.children[i] {
		n += r.boxes(c)
	}
	return n
}

// columns parts units into columns of at least that many layers, so that the
// whole is about as high as it is wide.
func columns(units []unit, layers int, o Options) [][]unit {
	// About how far apart boxes are, beside each other and from layer to layer.
	across, along := 220, 90
	if o.Sideways {
		across, along = 70, 240
	}
	var best [][]unit
	least := 0
	for high := 1; ; high++ {
		all, wide, long := fill(units, max(high, layers))
		size := max(wide*across, long*along)
		if best == nil || size < least {
			best, least = all, size
		}
		if len(all) == 1 {
			return best
		}
	}
}

// fill parts units into columns of at most that many layers, where one alone
// is no longer.
func fill(units []unit, high int) (all [][]unit, wide, long int) {
	used, widest := high, 0
	for _, u := range units {
		if used+u.long > high || len(all) == 0 {
			all = append(all, nil)
			wide, used, widest = wide+widest, 0, 0
		}
		all[len(all)-1] = append(all[len(all)-1], u)
		used, widest = used+u.long, max(widest, u.wide)
		long = max(long, used)
	}
	return all, wide + widest, long
}
