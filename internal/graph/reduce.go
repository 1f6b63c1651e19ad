package graph

// reduce drops lines that others imply: to a task that another line leads to
// already. Marked ones stay, as do those in a cycle.
func (x *picture) reduce() {
	r := &reduction{picture: x, next: make([][]int, 2*len(x.nodes))}
	for i, n := range x.nodes {
		r.next[2*i] = append(r.next[2*i], 2*i+1)
		if n.parent >= 0 {
			r.next[2*n.parent] = append(r.next[2*n.parent], 2*i)
			r.next[2*i+1] = append(r.next[2*i+1], 2*n.parent+1)
		}
	}
	for _, w := range x.wires {
		if w.mark != Removed { // what is gone implies nothing
			r.next[2*w.from+1] = append(r.next[2*w.from+1], 2*w.to)
		}
	}
	if !r.order() {
		return // a cycle implies everything in it
	}
	r.drop()
}

// reduction knows what leads where. Each node has two places, where it begins
// and where it ends.
type reduction struct {
	*picture
	next  [][]int
	back  []int // the places, each after all that it leads to
	reach [][]uint64
}

// order sorts the places, and reports whether they are free of cycles.
func (r *reduction) order() bool {
	left, into := make([]int, len(r.next)), make([][]int, len(r.next))
	var free []int
	for v, all := range r.next {
		left[v] = len(all)
		for _, w := range all {
			into[w] = append(into[w], v)
		}
		if len(all) == 0 {
			free = append(free, v)
		}
	}
	for n := 0; n < len(free); n++ {
		for _, v := range into[free[n]] {
			if left[v]--; left[v] == 0 {
				free = append(free, v)
			}
		}
	}
	r.back = free
	return len(free) == len(r.next)
}

// drop finds for each place what it leads to, and drops the wires that lead
// where another step leads, too.
func (r *reduction) drop() {
	size := (len(r.next) + 63) / 64
	r.reach = make([][]uint64, len(r.next))
	implied := map[[2]int]bool{}
	for _, v := range r.back {
		mine := make([]uint64, size)
		for _, w := range r.next[v] {
			for i, word := range r.reach[w] {
				mine[i] |= word
			}
		}
		for _, w := range r.next[v] { // what a step leads to beyond its end
			if mine[w/64]&(1<<(w%64)) != 0 {
				implied[[2]int{v, w}] = true
			}
		}
		for _, w := range r.next[v] {
			mine[w/64] |= 1 << (w % 64)
		}
		r.reach[v] = mine
	}
	kept := r.wires[:0]
	for _, w := range r.wires {
		if w.mark != Same || !implied[[2]int{2*w.from + 1, 2 * w.to}] {
			kept = append(kept, w)
		}
	}
	r.wires = kept
}
