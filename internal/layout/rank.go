package layout

import "slices"

// ranks says in which layer each node begins and ends; a frame, with all that
// it holds.
type ranks struct {
	first, last []int
	layers      int
	// stacked are nodes that stand below each other for no line.
	stacked [][2]int
}

// ranking finds layers. Each node has two places: where it begins and where it
// ends, which for a box are the same.
type ranking struct {
	*tree
	links []link
	next  [][]int // what must come after each place, by the links
	kept  []bool  // of each edge, whether it has a link
	// stacked are nodes that were put below each other.
	stacked [][2]int
}

// begin and end are the places of a node.
func (r *ranking) begin(i int) int { return 2 * i }

func (r *ranking) end(i int) int {
	if r.isFrame(i) {
		return 2*i + 1
	}
	return 2 * i
}

// rank puts nodes into layers so that edges lead to later ones and are short.
func rank(t *tree, o Options) ranks {
	r := &ranking{tree: t, next: make([][]int, 2*len(t.Nodes)), kept: make([]bool, len(t.Edges))}
	for i, n := range t.Nodes {
		if n.Parent >= 0 {
			r.link(r.begin(n.Parent), r.begin(i), 0, 0)
			r.link(r.end(i), r.end(n.Parent), 0, 0)
		}
	}
	for i := range t.Nodes {
		if r.isFrame(i) {
			r.links = append(r.links, link{r.begin(i), r.end(i), 0, 2})
		}
	}
	r.keep()
	for i, e := range t.Edges {
		if r.kept[i] {
			r.links = append(r.links, link{r.end(e.From), r.begin(e.To), 1, e.Weight})
		}
	}
	got := r.solve()
	if r.stack(got, o) {
		got = r.solve()
	}
	got.stacked = r.stacked
	return got
}

func (r *ranking) link(from, to, length, weight int) {
	r.links = append(r.links, link{from, to, length, weight})
	r.next[from] = append(r.next[from], to)
}

// keep chooses the edges that layers respect: all that are in no cycle, and of
// those in cycles as many as come without closing one.
func (r *ranking) keep() {
	var odd []int
	part := r.parts()
	for i, e := range r.Edges {
		switch {
		case r.nested(e.From, e.To):
		case part[r.end(e.From)] != part[r.begin(e.To)]:
			r.keepEdge(i)
		default:
			odd = append(odd, i)
		}
	}
	slices.SortStableFunc(odd, func(a, b int) int { return yields(r.Edges[a]) - yields(r.Edges[b]) })
	for n, i := range odd {
		// In a knot of very many edges, finding out would take too long.
		if e := r.Edges[i]; n < maxOdd && !r.leads(r.begin(e.To), r.end(e.From)) {
			r.keepEdge(i)
		}
	}
}

// maxOdd bounds how many edges in cycles are tried.
const maxOdd = 2_000

func yields(e Edge) int {
	if e.Yields {
		return 1
	}
	return 0
}

func (r *ranking) keepEdge(i int) {
	e := r.Edges[i]
	r.kept[i] = true
	r.next[r.end(e.From)] = append(r.next[r.end(e.From)], r.begin(e.To))
}

// leads reports whether one place must come before another by what was kept.
func (r *ranking) leads(from, to int) bool {
	seen := make([]bool, len(r.next))
	for stack := []int{from}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v == to {
			return true
		}
		if seen[v] {
			continue
		}
		seen[v] = true
		stack = append(stack, r.next[v]...)
	}
	return false
}

// parts numbers the places so that those in one cycle of edges and frames have
// the same number.
func (r *ranking) parts() []int {
	next := make([][]int, len(r.next))
	for v := range next {
		next[v] = slices.Clone(r.next[v])
	}
	for i := range r.Nodes {
		if r.isFrame(i) {
			next[r.begin(i)] = append(next[r.begin(i)], r.end(i))
		}
	}
	for _, e := range r.Edges {
		next[r.end(e.From)] = append(next[r.end(e.From)], r.begin(e.To))
	}
	return components(next)
}

// components numbers nodes so that those that lead to each other have the same
// number, by two walks: along the arrows, then against them.
func components(next [][]int) []int {
	back := make([][]int, len(next))
	for v, all := range next {
		for _, w := range all {
			back[w] = append(back[w], v)
		}
	}
	var left []int // nodes in the order in which the first walk left them
	seen := make([]bool, len(next))
	for v := range next {
		walk(next, seen, v, func(w int) { left = append(left, w) })
	}
	number := make([]int, len(next))
	seen = make([]bool, len(next))
	for n, v := range slices.Backward(left) {
		walk(back, seen, v, func(w int) { number[w] = n })
	}
	return number
}

// walk visits what can be reached from v and was not seen, and tells of each
// node when it leaves it.
func walk(next [][]int, seen []bool, v int, leave func(int)) {
	if seen[v] {
		return
	}
	seen[v] = true
	type place struct{ v, n int }
	for stack := []place{{v, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.n == len(next[top.v]) {
			leave(top.v)
			stack = stack[:len(stack)-1]
			continue
		}
		w := next[top.v][top.n]
		top.n++
		if !seen[w] {
			seen[w] = true
			stack = append(stack, place{w, 0})
		}
	}
}

// rankWork bounds the work of finding layers.
const rankWork = 20_000_000

func (r *ranking) solve() ranks {
	at := solve(2*len(r.Nodes), r.tied(), rankWork)
	out := ranks{first: make([]int, len(r.Nodes)), last: make([]int, len(r.Nodes))}
	for i := range r.Nodes {
		out.first[i], out.last[i] = at[r.begin(i)], at[r.end(i)]
		out.layers = max(out.layers, out.last[i]+1)
	}
	for i := len(r.Nodes) - 1; i >= 0; i-- { // a frame ends where what it holds does
		if r.isFrame(i) {
			first, last := out.layers, 0
			for _, c := range r.children[i] {
				first, last = min(first, out.first[c]), max(last, out.last[c])
			}
			out.first[i], out.last[i] = first, last
		}
	}
	return out.dense()
}

// tied gives the links, with the second place of a box, which means nothing,
// tied to the first.
func (r *ranking) tied() []link {
	all := slices.Clone(r.links)
	for i := range r.Nodes {
		if !r.isFrame(i) {
			all = append(all, link{2 * i, 2*i + 1, 0, 1})
		}
	}
	return all
}

// dense leaves layers out that nothing is in.
func (r ranks) dense() ranks {
	used := make([]bool, r.layers)
	for i := range r.first {
		used[r.first[i]], used[r.last[i]] = true, true
	}
	number, n := make([]int, r.layers), 0
	for layer, is := range used {
		number[layer] = n
		if is {
			n++
		}
	}
	for i := range r.first {
		r.first[i], r.last[i] = number[r.first[i]], number[r.last[i]]
	}
	r.layers = n
	return r
}
