package graph

// order is what comes before what in a picture. Each node has two places: 2i is
// where it begins, 2i+1 where it and all that is in it ends.
type order struct {
	before [][]int // what comes before each place, one step
	sorted []int   // each place after all before it, unless there are cycles
	layer  []int   // how many tasks are below each other before it
	cyclic bool
	state  []int // 0 unseen, 1 while what is before it is visited, 2 done
}

func (x *picture) order() *order {
	places := 2 * len(x.nodes)
	o := &order{before: make([][]int, places), layer: make([]int, places), state: make([]int, places)}
	for i, n := range x.nodes {
		o.before[2*i+1] = append(o.before[2*i+1], 2*i)
		if n.parent >= 0 {
			o.before[2*i] = append(o.before[2*i], 2*n.parent)
			o.before[2*n.parent+1] = append(o.before[2*n.parent+1], 2*i+1)
		}
	}
	for _, w := range x.wires {
		if !w.loop && w.mark != Removed { // what is gone implies nothing
			o.before[2*w.to] = append(o.before[2*w.to], 2*w.from+1)
		}
	}
	for v := range o.before {
		o.visit(v)
	}
	return o
}

// visit finds the layer of a place. Of a cycle, what is visited first counts as
// the first.
func (o *order) visit(v int) int {
	if o.state[v] != 0 {
		o.cyclic = o.cyclic || o.state[v] == 1
		return o.layer[v]
	}
	o.state[v] = 1
	for _, u := range o.before[v] {
		o.layer[v] = max(o.layer[v], o.visit(u)+1-v%2)
	}
	o.state[v] = 2
	o.sorted = append(o.sorted, v)
	return o.layer[v]
}

// reduce drops wires that others imply: to a task that another one leads to
// already. Marked ones stay, as do all where a cycle implies everything in it,
// and those of a plan that is too large for it.
func (x *picture) reduce(o *order) {
	if o.cyclic || len(x.nodes) > maxTasks {
		return
	}
	size := (len(o.before) + 63) / 64
	reach := make([][]uint64, len(o.before)) // what leads to each place
	implied := map[[2]int]bool{}
	for _, v := range o.sorted {
		mine := make([]uint64, size)
		for _, u := range o.before[v] {
			for i, word := range reach[u] {
				mine[i] |= word
			}
		}
		for _, u := range o.before[v] { // what leads to the beginning of another step
			implied[[2]int{u, v}] = mine[u/64]&(1<<(u%64)) != 0
		}
		for _, u := range o.before[v] {
			mine[u/64] |= 1 << (u % 64)
		}
		reach[v] = mine
	}
	kept := x.wires[:0]
	for _, w := range x.wires {
		if w.mark != Same || !implied[[2]int{2*w.from + 1, 2 * w.to}] {
			kept = append(kept, w)
		}
	}
	x.wires = kept
}
