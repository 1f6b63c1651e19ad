package layout

import "container/heap"

// link says that one place is at least length beyond another, and costs its
// weight for each step that it is.
type link struct{ from, to, length, weight int }

// simplex finds the places for which links cost least, by the network simplex
// method: a tree of links that are as short as may be decides all places, and
// links are exchanged in it as long as that helps. It may be stopped at any
// time, and has places that respect all links then.
type simplex struct {
	links []link
	at    []int   // the places
	ends  [][]int // of each node, its links
	tree  [][]int // of each node, its links in the tree
	up    []int   // of each node, the link to its parent in the tree, or -1
	// below sums up, over all nodes that hang on one in the tree, the weights
	// of links that leave less those that arrive: what it costs to move them.
	below []int
	seen  []int // of each node, the last visit
	visit int
}

// solve gives places from 0 on, after at most that many steps of work. The
// links must be free of cycles.
func solve(nodes int, links []link, work int) []int {
	s := &simplex{links: links, at: make([]int, nodes), ends: make([][]int, nodes), tree: make([][]int, nodes), up: make([]int, nodes), below: make([]int, nodes), seen: make([]int, nodes)}
	for i, l := range links {
		s.ends[l.from] = append(s.ends[l.from], i)
		s.ends[l.to] = append(s.ends[l.to], i)
	}
	if nodes == 0 {
		return nil
	}
	s.spread()
	s.join()
	s.grow()
	s.hang()
	s.improve(work)
	s.balance(work)
	s.fromZero()
	return s.at
}

// spread gives first places: each node as early as its links let it be.
func (s *simplex) spread() {
	waits := make([]int, len(s.at))
	for _, l := range s.links {
		waits[l.to]++
	}
	var free []int
	for v, n := range waits {
		if n == 0 {
			free = append(free, v)
		}
	}
	for len(free) > 0 {
		v := free[0]
		free = free[1:]
		for _, i := range s.ends[v] {
			l := s.links[i]
			if l.from != v {
				continue
			}
			s.at[l.to] = max(s.at[l.to], s.at[v]+l.length)
			if waits[l.to]--; waits[l.to] == 0 {
				free = append(free, l.to)
			}
		}
	}
}

// join ties parts that no link connects together by links that cost nothing.
func (s *simplex) join() {
	s.visit++
	for v := range s.at {
		if s.seen[v] == s.visit {
			continue
		}
		if v > 0 {
			first, then := 0, v
			if s.at[then] < s.at[first] {
				first, then = then, first
			}
			s.links = append(s.links, link{from: first, to: then})
			s.ends[first] = append(s.ends[first], len(s.links)-1)
			s.ends[then] = append(s.ends[then], len(s.links)-1)
		}
		s.reach(v)
	}
}

// reach visits all that is connected with v.
func (s *simplex) reach(v int) {
	s.seen[v] = s.visit
	for stack := []int{v}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, i := range s.ends[v] {
			if w := s.other(i, v); s.seen[w] != s.visit {
				s.seen[w] = s.visit
				stack = append(stack, w)
			}
		}
	}
}

func (s *simplex) other(link, v int) int { return s.links[link].from + s.links[link].to - v }

func (s *simplex) slack(i int) int {
	l := s.links[i]
	return s.at[l.to] - s.at[l.from] - l.length
}

// way is a link out of a tree, with its slack.
type way struct{ slack, link int }

// queue gives links by their slack.
type queue []way

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].slack < q[j].slack || q[i].slack == q[j].slack && q[i].link < q[j].link
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push is for package heap.
func (q *queue) Push(x any) { *q = append(*q, x.(way)) }

// Pop is for package heap.
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// growth is a tree that grows by the link with the least slack, moving as a
// whole until that has none.
type growth struct {
	*simplex
	in    []bool
	shift int // how far the tree moved; places in it are without it
	// leave and arrive are the links between the tree and the rest. Their
	// slack is without shift, too.
	leave, arrive queue
}

// grow finds the first tree.
func (s *simplex) grow() {
	g := &growth{simplex: s, in: make([]bool, len(s.at))}
	for v := 0; v >= 0; v = g.next() {
		g.take(v)
	}
	for v := range s.at {
		s.at[v] += g.shift
	}
}

func (g *growth) take(v int) {
	g.in[v] = true
	g.at[v] -= g.shift
	for _, i := range g.ends[v] {
		l := g.links[i]
		switch {
		case g.in[g.other(i, v)]:
		case l.from == v:
			heap.Push(&g.leave, way{g.at[l.to] - g.at[v] - l.length, i})
		default:
			heap.Push(&g.arrive, way{g.at[v] - g.at[l.from] - l.length, i})
		}
	}
}

// next moves the tree to the nearest node outside, which it gives, or -1.
func (g *growth) next() int {
	for _, q := range []*queue{&g.leave, &g.arrive} {
		for len(*q) > 0 && g.in[g.links[(*q)[0].link].from] && g.in[g.links[(*q)[0].link].to] {
			heap.Pop(q)
		}
	}
	var i int
	switch {
	case len(g.leave)+len(g.arrive) == 0:
		return -1
	case len(g.arrive) == 0 || len(g.leave) > 0 && g.leave[0].slack-g.shift <= g.arrive[0].slack+g.shift:
		g.shift, i = g.leave[0].slack, g.leave[0].link
	default:
		g.shift, i = -g.arrive[0].slack, g.arrive[0].link
	}
	l := g.links[i]
	g.tree[l.from] = append(g.tree[l.from], i)
	g.tree[l.to] = append(g.tree[l.to], i)
	if g.in[l.from] {
		return l.to
	}
	return l.from
}

// hang makes the first node the root of the tree.
func (s *simplex) hang() {
	order := []int{0}
	s.up[0] = -1
	for n := 0; n < len(order); n++ {
		v := order[n]
		for _, i := range s.tree[v] {
			if i != s.up[v] {
				w := s.other(i, v)
				s.up[w] = i
				order = append(order, w)
			}
		}
	}
	for _, l := range s.links {
		s.below[l.from] += l.weight
		s.below[l.to] -= l.weight
	}
	for n := len(order) - 1; n > 0; n-- {
		v := order[n]
		s.below[s.other(s.up[v], v)] += s.below[v]
	}
}

// gain is what it brings to make the link above a node longer: less than
// nothing, if it is worth it.
func (s *simplex) gain(v int) int {
	if s.links[s.up[v]].from == v {
		return s.below[v]
	}
	return -s.below[v]
}

// improve exchanges links for better ones.
func (s *simplex) improve(work int) {
	for from := 1; work > 0; {
		v, looked := s.worst(from)
		if v < 0 {
			return
		}
		from = v + 1
		work -= looked + s.exchange(v)
	}
}

// worst looks from a node on for one whose link to its parent should be longer,
// and takes the worst of some.
func (s *simplex) worst(from int) (worst, looked int) {
	worst = -1
	found := 0
	for n := range s.at {
		v := (from + n) % len(s.at)
		if s.up[v] < 0 || s.gain(v) >= 0 {
			continue
		}
		if worst < 0 || s.gain(v) < s.gain(worst) {
			worst = v
		}
		if found++; found == 30 {
			return worst, n / 4
		}
	}
	return worst, len(s.at) / 4
}

// nearest gives the links that all that hangs on v may be moved to, along the
// link above it, and how many nodes that are.
func (s *simplex) nearest(v int) (best int, moved []int) {
	moved = s.hanging(v)
	best = -1
	away := s.links[s.up[v]].from == v
	for _, w := range moved {
		for _, i := range s.ends[w] {
			l := s.links[i]
			if away != (l.to == w) || s.seen[s.other(i, w)] == s.visit {
				continue
			}
			if best < 0 || s.slack(i) < s.slack(best) || s.slack(i) == s.slack(best) && i < best {
				best = i
			}
		}
	}
	return best, moved
}

// hanging gives v and all below it.
func (s *simplex) hanging(v int) []int {
	s.visit++
	all := []int{v}
	for n := 0; n < len(all); n++ {
		s.seen[all[n]] = s.visit
		for _, i := range s.tree[all[n]] {
			if i != s.up[all[n]] {
				all = append(all, s.other(i, all[n]))
			}
		}
	}
	return all
}

// move moves nodes so that the link above them gets longer by that much.
func (s *simplex) move(above int, nodes []int, by int) {
	if s.links[above].from == nodes[0] {
		by = -by
	}
	for _, v := range nodes {
		s.at[v] += by
	}
}

// exchange puts another link in the place of the one above v, and says how much
// work that was.
func (s *simplex) exchange(v int) int {
	enter, moved := s.nearest(v)
	if enter < 0 {
		return len(s.at)
	}
	leave := s.up[v]
	s.move(leave, moved, s.slack(enter))
	in := s.links[enter].from
	if s.seen[in] != s.visit {
		in = s.links[enter].to
	}
	sum := s.below[v]
	steps := s.charge(s.other(leave, v), -sum)
	s.cut(leave)
	s.tree[in] = append(s.tree[in], enter)
	out := s.other(enter, in)
	s.tree[out] = append(s.tree[out], enter)
	for w, link, less := in, enter, 0; ; {
		up, below := s.up[w], s.below[w]
		s.up[w], s.below[w] = link, sum-less
		if w == v {
			break
		}
		w, link, less = s.other(up, w), up, below
	}
	return len(moved) + steps + s.charge(out, sum)
}

// charge adds to what a node and all above it cost, and counts them.
func (s *simplex) charge(v, sum int) (steps int) {
	for {
		steps++
		s.below[v] += sum
		if s.up[v] < 0 {
			return steps
		}
		v = s.other(s.up[v], v)
	}
}

// cut takes a link out of the tree.
func (s *simplex) cut(i int) {
	for _, v := range []int{s.links[i].from, s.links[i].to} {
		for n, j := range s.tree[v] {
			if j == i {
				s.tree[v] = append(s.tree[v][:n], s.tree[v][n+1:]...)
				break
			}
		}
	}
}

// balance puts what may move at no cost into the middle of where it may be.
func (s *simplex) balance(work int) {
	for v := 0; v < len(s.at) && work > 0; v++ {
		if s.up[v] < 0 || s.below[v] != 0 {
			continue
		}
		enter, moved := s.nearest(v)
		work -= len(moved)
		if enter >= 0 && s.slack(enter) > 1 {
			s.move(s.up[v], moved, s.slack(enter)/2)
		}
	}
}

// fromZero makes 0 the least place.
func (s *simplex) fromZero() {
	least := s.at[0]
	for _, at := range s.at {
		least = min(least, at)
	}
	for v := range s.at {
		s.at[v] -= least
	}
}
