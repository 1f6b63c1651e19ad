package merge

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// areLists reports whether the values are lists of text, one that is not set
// aside, and at least one is set.
func areLists(nodes ...*plan.Node) bool {
	found := false
	for _, n := range nodes {
		if n == nil {
			continue
		}
		found = true
		if n.Kind != plan.List || slices.ContainsFunc(n.Items, func(it plan.Node) bool { return it.Kind != plan.String }) {
			return false
		}
	}
	return found
}

func texts(n *plan.Node) []string {
	if n == nil {
		return nil
	}
	var out []string
	for _, it := range n.Items {
		out = append(out, it.Text)
	}
	return out
}

// list merges a list by item.
func (d *docMerge) list(key string, b, o, t *plan.Node) *plan.Node {
	identity := func(item string) string { return item }
	if key == "subtasks" {
		identity = unticked
	}
	items := mergeList(texts(b), texts(t), texts(o), identity)
	if len(items) == 0 && (o == nil || t == nil) {
		return nil
	}
	n := plan.Value(items)
	return &n
}

// unticked is what a checklist item is known by: its text without the mark.
func unticked(item string) string {
	text, _ := plan.Subtask(item)
	return text
}

func ticked(item string) bool {
	_, is := plan.Subtask(item)
	return is
}

// mergeList merges two lists with the one they began from: what a side added
// is there, what a side removed is not. The order is that of the first list,
// or of the second where that alone was put in another order; what the other
// one adds stands behind the item it stood behind.
func mergeList(base, first, second []string, identity func(string) string) []string {
	keep := quotas(base, first, second, identity)
	if !reordered(base, first, identity) && reordered(base, second, identity) {
		first, second = second, first
	}
	left := func(item string) bool {
		k := identity(item)
		if keep[k] == 0 {
			return false
		}
		keep[k]--
		return true
	}
	var kept []string
	at := map[string]int{} // behind how many of those kept an identity stands last
	for _, item := range first {
		if left(item) {
			kept = append(kept, item)
			at[identity(item)] = len(kept)
		}
	}
	behind, place := make([][]string, len(kept)+1), 0
	for _, item := range second {
		k := identity(item)
		if left(item) {
			behind[place] = append(behind[place], item)
			at[k] = max(at[k], place)
		}
		if p, there := at[k]; there {
			place = p
		}
	}
	out := behind[0]
	for i, item := range kept {
		out = append(append(out, item), behind[i+1]...)
	}
	return variants(out, base, first, second, identity)
}

// quotas says how often each item is to be there.
func quotas(base, first, second []string, identity func(string) string) map[string]int {
	b, x, y := counts(base, identity), counts(first, identity), counts(second, identity)
	keep := map[string]int{}
	for _, list := range [][]string{base, first, second} {
		for _, item := range list {
			k := identity(item)
			switch {
			case x[k] == b[k]:
				keep[k] = y[k]
			case y[k] == b[k]:
				keep[k] = x[k]
			case x[k] > b[k] && y[k] > b[k]:
				keep[k] = max(x[k], y[k])
			case x[k] < b[k] && y[k] < b[k]:
				keep[k] = min(x[k], y[k])
			default:
				keep[k] = max(x[k]+y[k]-b[k], 0)
			}
		}
	}
	return keep
}

func counts(list []string, identity func(string) string) map[string]int {
	n := map[string]int{}
	for _, item := range list {
		n[identity(item)]++
	}
	return n
}

// reordered reports whether what a list has in common with its base stands in
// another order there.
func reordered(base, list []string, identity func(string) string) bool {
	in, was := counts(list, identity), counts(base, identity)
	var a, b []string
	for _, item := range base {
		if in[identity(item)] > 0 {
			a = append(a, identity(item))
		}
	}
	for _, item := range list {
		if was[identity(item)] > 0 {
			b = append(b, identity(item))
		}
	}
	return !slices.Equal(a, b)
}

// variants gives items that are written in several ways the one that a side
// changed them to; an item that both changed is the ticked one.
func variants(out, base, first, second []string, identity func(string) string) []string {
	inBase, inFirst, inSecond := byIdentity(base, identity), byIdentity(first, identity), byIdentity(second, identity)
	once := counts(out, identity)
	for i, item := range out {
		k := identity(item)
		if once[k] > 1 {
			continue
		}
		b, x, y := inBase[k], inFirst[k], inSecond[k]
		switch {
		case x == "" || y == "" || x == y:
		case x == b:
			out[i] = y
		case y == b:
			out[i] = x
		case ticked(y):
			out[i] = y
		default:
			out[i] = x
		}
	}
	return out
}

// byIdentity gives the first item of each identity.
func byIdentity(list []string, identity func(string) string) map[string]string {
	out := map[string]string{}
	for _, item := range list {
		if _, there := out[identity(item)]; !there {
			out[identity(item)] = item
		}
	}
	return out
}
