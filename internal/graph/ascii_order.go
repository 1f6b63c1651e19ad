package graph

import "slices"

// arrange finds an order of rows in which few lines run beside each other: it
// goes on with what ends a line, stays in a container as long as it can, and
// begins with something new where nothing else is left.
func (c *chart) arrange() {
	a := &arrangement{chart: c, inside: -1, placed: make([]bool, len(c.order)), missing: make([]int, len(c.order)), waits: make([]int, len(c.order)), joiners: make([]int, len(c.order)), left: make([]int, len(c.order)), frees: make([][]int, len(c.order)), follow: make([][]int, len(c.order))}
	for i := range c.order {
		a.count(i, 1)
		for _, to := range c.joins[i] {
			a.joiners[to]++
			a.need(i, to)
		}
	}
	for i := range c.order {
		if a.waits[i] == 0 {
			a.free = append(a.free, i)
		}
	}
	order := make([]int, 0, len(c.order))
	for range c.order {
		i := a.next()
		a.place(i, len(order))
		order = append(order, i)
	}
	c.order = order
}

// arrangement is a chart whose rows are being found.
type arrangement struct {
	*chart
	placed []bool
	// waits counts the tasks that must stand above each, missing those outside
	// of a container that must stand above something in it.
	waits, missing []int
	joiners        []int   // how many will still join the line of each
	left           []int   // how many of each and what is below it have no row yet
	frees, follow  [][]int // the tasks that wait for each alone, and for what is below it, too
	inside         int     // the container that was begun last, or -1
	free           []int   // the tasks that all stand above which must
}

// count adds a number to what is left of a task and of all it is in.
func (a *arrangement) count(i, by int) {
	for ; i >= 0; i = a.d.parent(i) {
		a.left[i] += by
	}
}

// need notes that i stands below another task and, unless i is in there, below
// all that this one holds.
func (a *arrangement) need(i, to int) {
	a.waits[i]++
	a.miss(i, to, 1)
	if a.holds(to, i) {
		a.frees[to] = append(a.frees[to], i)
	} else {
		a.follow[to] = append(a.follow[to], i)
	}
}

// miss counts what is missing of a task for i, in the containers of i that do
// not hold it.
func (a *arrangement) miss(i, to, by int) {
	for p := a.d.parent(i); p >= 0 && p != to && !a.holds(p, to); p = a.d.parent(p) {
		a.missing[p] += by
	}
}

// release lets tasks go on that waited for one.
func (a *arrangement) release(waiting []int, to int) {
	for _, j := range waiting {
		if a.waits[j]--; a.waits[j] == 0 {
			a.free = append(a.free, j)
		}
		a.miss(j, to, -1)
	}
}

// next chooses the task of the next row.
func (a *arrangement) next() int {
	best := -1
	a.free = slices.DeleteFunc(a.free, func(i int) bool { return a.placed[i] })
	for _, i := range a.free {
		if best < 0 || a.better(i, best) {
			best = i
		}
	}
	if best >= 0 {
		return best
	}
	// Tasks that wait for each other follow in the order of layers.
	return a.order[slices.IndexFunc(a.order, func(i int) bool { return !a.placed[i] })]
}

// better reports whether the row of i should come before that of j.
func (a *arrangement) better(i, j int) bool {
	one, other := a.cost(i), a.cost(j)
	for n := range one {
		if one[n] != other[n] {
			return one[n] < other[n]
		}
	}
	return i < j
}

// cost tells why a task should rather come later, the gravest first: it is a
// container for whose tasks others must come first; it is outside of the
// container that was begun; it opens more lines than it ends; what it joins is
// far above.
func (a *arrangement) cost(i int) [4]int {
	var cost [4]int
	if a.missing[i] > 0 {
		cost[0] = 1
	}
	for p := a.inside; p >= 0 && !a.holds(p, i); p = a.d.parent(p) {
		cost[1]++
	}
	if a.joiners[i] > 0 || len(a.joins[i]) == 0 {
		cost[2]++
	}
	cost[3] = len(a.order)
	for _, to := range a.joins[i] {
		if a.joiners[to] == 1 {
			cost[2]--
		}
		cost[3] = min(cost[3], len(a.order)-a.row[to]-1)
	}
	return cost
}

// place puts a task into a row.
func (a *arrangement) place(i, row int) {
	a.placed[i], a.row[i], a.inside = true, row, a.d.parent(i)
	if a.d.isContainer(i) {
		a.inside = i
	}
	for _, to := range a.joins[i] {
		a.joiners[to]--
	}
	a.count(i, -1)
	a.release(a.frees[i], i)
	for to := i; to >= 0; to = a.d.parent(to) {
		if a.left[to] == 0 {
			a.release(a.follow[to], to)
		}
	}
}
