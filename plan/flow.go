package plan

import (
	"cmp"
	"slices"
)

// made is one name of data flow: the tasks whose outputs name it, in file
// order.
type made struct{ by []*Task }

func (m *made) add(t *Task) {
	if n := len(m.by); n == 0 || m.by[n-1] != t {
		m.by = append(m.by, t)
	}
}

func (m *made) find(t *Task) (int, bool) {
	return slices.BinarySearchFunc(m.by, t, func(a, b *Task) int { return cmp.Compare(a.index, b.index) })
}

// use is an entry of a task's inputs that names what earlier tasks make: the
// first n of made.by.
type use struct {
	item int
	made *made
	n    int
}

// spans gives the tasks that t waits for as ranges of made.by, in order: all
// before it but its ancestors. Ancestors are few, so the ranges are.
func (u use) spans(t *Task) []span {
	var out []span
	last := u.n
	for a := t.Parent; a != nil; a = a.Parent { // the nearest one comes last in the file
		if i, ok := u.made.find(a); ok {
			if i+1 < last {
				out = append(out, span{i + 1, last})
			}
			last = i
		}
	}
	if last > 0 {
		out = append(out, span{0, last})
	}
	slices.Reverse(out)
	return out
}
