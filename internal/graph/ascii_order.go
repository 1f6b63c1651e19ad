package graph

import "slices"

// arrangement is a chart whose rows are being found.
type arrangement struct {
	*chart
	after   [][]int // of each place, what comes after it, one step
	left    []int   // of each place, how much before it has no row yet
	missing []int   // of each container, what outside of it must stand above something in it
	joiners []int   // how many will still join the line of each
	placed  []bool
	inside  int   // the container that was begun last, or -1
	free    []int // the tasks that all stand above which must
}

// arrange finds an order of rows in which few lines run beside each other: it
// goes on with what ends a line, stays in a container as long as it can, and
// begins with something new where nothing else is left.
func (c *chart) arrange(o *order) {
	n := len(c.nodes)
	a := &arrangement{chart: c, inside: -1, after: make([][]int, 2*n), left: make([]int, 2*n), missing: make([]int, n), joiners: make([]int, n), placed: make([]bool, n)}
	for v, before := range o.before {
		a.left[v] = len(before)
		for _, u := range before {
			a.after[u] = append(a.after[u], v)
			a.miss(u, v, 1)
		}
		if len(before) == 0 {
			a.free = append(a.free, v/2)
		}
	}
	for _, joins := range c.joins {
		for _, to := range joins {
			a.joiners[to]++
		}
	}
	rows := make([]int, 0, n)
	for range n {
		i := a.next()
		a.place(i, len(rows))
		rows = append(rows, i)
	}
	c.rows = rows
}

// miss counts what a step from the end of one task to the beginning of another
// lacks, in the containers of the second that do not hold the first.
func (a *arrangement) miss(u, v, by int) {
	if u%2 == 1 && v%2 == 0 {
		for p := a.nodes[v/2].parent; p >= 0 && !a.within(u/2, p); p = a.nodes[p].parent {
			a.missing[p] += by
		}
	}
}

// pass lets go on what waited for a place.
func (a *arrangement) pass(u int) {
	for _, v := range a.after[u] {
		a.miss(u, v, -1)
		a.left[v]--
		switch {
		case a.left[v] > 0:
		case v%2 == 1:
			a.pass(v)
		default:
			a.free = append(a.free, v/2)
		}
	}
}

// next chooses the task of the next row.
func (a *arrangement) next() int {
	a.free = slices.DeleteFunc(a.free, func(i int) bool { return a.placed[i] })
	if len(a.free) > 0 {
		return slices.MinFunc(a.free, func(i, j int) int {
			one, other := a.cost(i), a.cost(j)
			return slices.Compare(one[:], other[:])
		})
	}
	// Tasks that wait for each other follow in the order of layers.
	return a.rows[slices.IndexFunc(a.rows, func(i int) bool { return !a.placed[i] })]
}

// cost tells why a task should rather come later, the gravest first: it is a
// container for whose tasks others must come first; it is outside of the
// container that was begun; it opens more lines than it ends; what it joins is
// far above; it comes later in the plan.
func (a *arrangement) cost(i int) [5]int {
	cost := [5]int{0, 0, 0, len(a.nodes), i}
	if a.missing[i] > 0 {
		cost[0] = 1
	}
	for p := a.inside; p >= 0 && !a.within(i, p); p = a.nodes[p].parent {
		cost[1]++
	}
	if a.joiners[i] > 0 || len(a.joins[i]) == 0 {
		cost[2]++
	}
	for _, to := range a.joins[i] {
		if a.joiners[to] == 1 {
			cost[2]--
		}
		cost[3] = min(cost[3], len(a.nodes)-a.row[to]-1)
	}
	return cost
}

// place puts a task into a row.
func (a *arrangement) place(i, row int) {
	a.placed[i], a.row[i], a.inside = true, row, a.nodes[i].parent
	if a.nodes[i].frame {
		a.inside = i
	}
	for _, to := range a.joins[i] {
		a.joiners[to]--
	}
	a.pass(2 * i)
}
