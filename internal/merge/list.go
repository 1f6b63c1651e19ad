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
	out := newRow()
	place := 0
	for _, item := range first {
		if left(item) {
			place = out.insert(place, item, identity(item))
		}
	}
	place = 0
	for _, item := range second {
		k := identity(item)
		if left(item) {
			out.insert(place, item, k)
		}
		if at, there := out.last[k]; there {
			place = at
		}
	}
	return variants(out.items(), base, first, second, identity)
}

// row is a list into which items are put behind others. They are known by their
// places, of which 0 is before the first; next gives the one that follows, or 0.
type row struct {
	text []string
	next []int
	last map[string]int // by identity, the last in the row
}

func newRow() *row { return &row{text: []string{""}, next: []int{0}, last: map[string]int{}} }

// insert puts an item behind a place and gives its own.
func (r *row) insert(behind int, item, identity string) int {
	at := len(r.text)
	r.text, r.next = append(r.text, item), append(r.next, r.next[behind])
	r.next[behind] = at
	if other, there := r.last[identity]; !there || !r.follows(other, at) {
		r.last[identity] = at
	}
	return at
}

// follows reports whether a place comes after another one.
func (r *row) follows(place, other int) bool {
	for other = r.next[other]; other != 0 && other != place; {
		other = r.next[other]
	}
	return other == place
}

func (r *row) items() []string {
	var out []string
	for at := r.next[0]; at != 0; at = r.next[at] {
		out = append(out, r.text[at])
	}
	return out
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
