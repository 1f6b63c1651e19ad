package layout

import "slices"

// orient turns lines around that would close a cycle among the boxes of a frame.
func (d *drawing) orient() {
	o := &orientation{drawing: d, next: make([][]int, len(d.Nodes)), lines: make([][]int, len(d.Nodes)), state: make([]int, len(d.Nodes))}
	var yielding []int
	for i, e := range d.Edges {
		from, to := d.siblings(i)
		switch {
		case from == to:
		case e.Yields:
			yielding = append(yielding, i)
		default:
			o.lines[from] = append(o.lines[from], i)
		}
	}
	for v := range d.Nodes {
		o.visit(v)
	}
	for _, i := range yielding {
		from, to := d.siblings(i)
		o.keep(i, !o.leads(to, from))
	}
}

// orientation knows what comes after each node in its frame.
type orientation struct {
	*drawing
	next, lines [][]int
	state       []int // of each node: 0 unseen, 1 while what follows is visited, 2 done
}

func (o *orientation) visit(v int) {
	if o.state[v] != 0 {
		return
	}
	o.state[v] = 1
	for _, i := range o.lines[v] {
		_, to := o.siblings(i)
		o.visit(to)
		o.keep(i, o.state[to] == 2)
	}
	o.state[v] = 2
}

// keep keeps a line as it is, or turns it around.
func (o *orientation) keep(i int, asItIs bool) {
	x := &o.drawing.lines[i]
	if !asItIs {
		x.from, x.to, x.against = x.to, x.from, true
	}
	from, to := o.siblings(i)
	o.next[from] = append(o.next[from], to)
}

// leads reports whether one node comes before another.
func (o *orientation) leads(from, to int) bool {
	seen := make([]bool, len(o.next))
	for stack := []int{from}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v == to {
			return true
		}
		if !seen[v] {
			seen[v] = true
			stack = append(stack, o.next[v]...)
		}
	}
	return false
}

// rank puts vertices into layers: each after all that lead to it, and those
// that more leads away from than to as late as may be.
func (l *level) rank() {
	n := len(l.vertices)
	next, waits, pull := make([][]int, n), make([]int, n), make([]int, n)
	for _, x := range l.links {
		weight := l.weight(x)
		if x.from >= 0 {
			pull[l.vertex[x.from]] += weight
		}
		if x.to >= 0 {
			pull[l.vertex[x.to]] -= weight
		}
		if x.from >= 0 && x.to >= 0 {
			v, w := l.vertex[x.from], l.vertex[x.to]
			next[v] = append(next[v], w)
			waits[w]++
		}
	}
	var sorted []int
	for v, count := range waits {
		if count == 0 {
			sorted = append(sorted, v)
		}
	}
	last := 0
	for k := 0; k < len(sorted); k++ {
		v := &l.vertices[sorted[k]]
		last = max(last, v.layer)
		for _, w := range next[sorted[k]] {
			l.vertices[w].layer = max(l.vertices[w].layer, v.layer+1)
			if waits[w]--; waits[w] == 0 {
				sorted = append(sorted, w)
			}
		}
	}
	for _, v := range slices.Backward(sorted) {
		if pull[v] > 0 {
			latest := last
			for _, w := range next[v] {
				latest = min(latest, l.vertices[w].layer-1)
			}
			l.vertices[v].layer = latest
		}
	}
}

// stack puts boxes that no line leads to below each other, in as many columns
// as make a good shape: side by side they would be a long row.
func (l *level) stack() {
	linked := make([]bool, len(l.vertices))
	layers := 1
	for _, x := range l.links {
		for _, i := range []int{x.from, x.to} {
			if i >= 0 {
				linked[l.vertex[i]] = true
				layers = max(layers, l.vertices[l.vertex[i]].layer+1)
			}
		}
	}
	var free []int
	for v, is := range linked {
		if !is {
			free = append(free, v)
		}
	}
	least := -1
	for high := layers; high <= max(layers, len(free)); high++ {
		wide, long := l.columns(free, high)
		if least >= 0 && max(wide, long) >= least {
			break
		}
		least, layers = max(wide, long), high
	}
	for k, v := range free {
		if k%layers > 0 {
			l.links = append(l.links, link{-1, l.vertices[free[k-1]].node, l.vertices[v].node})
			l.vertices[v].layer = k % layers
		}
	}
}

// columns gives the size of boxes in columns of so many.
func (l *level) columns(boxes []int, high int) (wide, long int) {
	for k := 0; k < len(boxes); k += high {
		widest, sum := 0, 0
		for _, v := range boxes[k:min(k+high, len(boxes))] {
			widest = max(widest, l.vertices[v].size)
			sum += l.vertices[v].along + l.Gap/2
		}
		wide += widest + l.Space
		long = max(long, sum)
	}
	return wide, long
}
