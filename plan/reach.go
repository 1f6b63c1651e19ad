package plan

import "slices"

// Reach tells what each task of a plan can rely on: itself, what is below it
// and what it waits for, at any distance. It is for asking of many tasks.
type Reach struct {
	on []TaskSet // by task index
}

// TaskSet is a set of tasks of one plan, a bit each by their place in file
// order.
type TaskSet []uint64

// TaskSet makes a set of tasks of the plan.
func (p *Plan) TaskSet(tasks []*Task) TaskSet {
	s := make(TaskSet, (len(p.all)+63)/64)
	for _, t := range tasks {
		s.add(t)
	}
	return s
}

func (s TaskSet) add(t *Task) { s[t.index/64] |= 1 << (t.index % 64) }

// Reach works out for all pairs of tasks which relies on which. That takes a
// bit a pair and time in proportion; the graph does not keep it.
func (g *Graph) Reach() *Reach {
	n := len(g.plan.all)
	next := g.net().next
	comp := next.components()
	order := byComponent(comp)
	r := &Reach{make([]TaskSet, n)}
	for i := range r.on {
		r.on[i] = g.plan.TaskSet(nil)
	}
	seen := make([]uint64, len(comp)+1)
	for word := range (n + 63) / 64 {
		clear(seen)
		for i := word * 64; i < min(word*64+64, n); i++ {
			seen[comp[2*i+1]] |= 1 << (i % 64)
		}
		// A component comes after all that it leads to.
		for _, v := range order {
			bits := seen[comp[v]]
			for _, w := range next[v] {
				bits |= seen[comp[w]]
			}
			seen[comp[v]] = bits
		}
		for i := range n {
			r.on[i][word] = seen[comp[2*i]]
		}
	}
	for _, t := range g.plan.all {
		for a := t; a != nil; a = a.Parent {
			r.on[a.index].add(t)
		}
	}
	return r
}

// byComponent gives the nodes in order of their components, which are
// numbered from 1.
func byComponent(comp []int) []int {
	at := make([]int, len(comp)+2)
	for _, c := range comp {
		at[c+1]++
	}
	for c := range len(comp) + 1 {
		at[c+1] += at[c]
	}
	order := make([]int, len(comp))
	for v, c := range comp {
		order[at[c]] = v
		at[c]++
	}
	return order
}

// Relies reports whether t can rely on some task of the set.
func (r *Reach) Relies(t *Task, s TaskSet) bool {
	for i, bits := range r.on[t.index] {
		if bits&s[i] != 0 {
			return true
		}
	}
	return false
}

// Longest gives the chain of tasks, each of which waits for the one before it,
// whose weights sum up highest; of several, always the same. Tasks that weigh
// nothing are passed through and left out. Tasks that wait for each other in a
// cycle do not count as a chain.
func (g *Graph) Longest(weight func(*Task) int64) []*Task {
	next := g.net().next
	component := next.components()
	sum, via := make([]int64, len(next)), make([]int, len(next))
	best := -1
	for _, v := range byComponent(component) { // after all that they lead to
		via[v] = -1
		for _, w := range next[v] {
			if component[v] != component[w] && sum[w] > sum[v] {
				sum[v], via[v] = sum[w], int(w)
			}
		}
		sum[v] += g.weightAt(v, weight)
		if best < 0 || sum[v] > sum[best] {
			best = v
		}
	}
	var chain []*Task
	for v := best; v >= 0; v = via[v] {
		if g.weightAt(v, weight) > 0 {
			chain = append(chain, g.plan.all[v/2])
		}
	}
	slices.Reverse(chain)
	return chain
}

// weightAt gives what a node of the net weighs: a task weighs at its end.
func (g *Graph) weightAt(v int, weight func(*Task) int64) int64 {
	if v%2 == 0 || v >= 2*len(g.plan.all) {
		return 0
	}
	return max(0, weight(g.plan.all[v/2]))
}
