package plan

import (
	"cmp"
	"slices"
)

// Longest gives the chain of tasks, each of which waits for the one before it,
// whose weights sum up highest; of several, always the same. Tasks that weigh
// nothing are passed through and left out. Tasks that wait for each other in a
// cycle do not count as a chain.
func (g *Graph) Longest(weight func(*Task) int64) []*Task {
	next := g.net().next
	component := next.components()
	nodes := make([]int, len(next))
	for v := range nodes {
		nodes[v] = v
	}
	// A component is numbered after all that it leads to.
	slices.SortStableFunc(nodes, func(v, w int) int { return cmp.Compare(component[v], component[w]) })
	sum, via := make([]int64, len(nodes)), make([]int, len(nodes))
	best := -1
	for _, v := range nodes {
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
