package plan

import (
	"cmp"
	"slices"
)

// Ready gives the tasks that can be worked on now, by priority, then in file
// order: pending leaves of which everything they or an ancestor wait for is
// settled, with no open blocker on them, an ancestor or the plan. Nothing is
// ready in an abandoned plan, nor beside a done child of a decision.
func (p *Plan) Ready() []*Task {
	if p.IsAbandoned() || len(p.Blockers(nil)) > 0 {
		return nil
	}
	settled := p.settledSet()
	var out []*Task
	for _, t := range p.all {
		if len(t.Children) == 0 && t.Status == Pending && p.free(t, settled) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *Task) int { return cmp.Compare(b.Priority, a.Priority) })
	return out
}

// settledSet tells by task index whether nothing is left to do below a task;
// children come after their container, so one backward pass is enough.
func (p *Plan) settledSet() []bool {
	out := make([]bool, len(p.all))
	for i, t := range slices.Backward(p.all) {
		out[i] = t.Status.Settled()
		if len(t.Children) > 0 {
			out[i] = !slices.ContainsFunc(t.Children, func(c *Task) bool { return !out[c.index] })
		}
	}
	return out
}

func (p *Plan) free(t *Task, settled []bool) bool {
	g := p.Graph()
	for a := t; a != nil; a = a.Parent {
		for _, e := range g.From(a) {
			if !settled[e.To.index] {
				return false
			}
		}
		if a.decided() || len(p.blockersOn(a)) > 0 {
			return false
		}
	}
	return true
}

// decided reports whether a sibling under the same decision is done.
func (t *Task) decided() bool {
	return t.Parent != nil && t.Parent.Kind == "decide" &&
		slices.ContainsFunc(t.Parent.Children, func(c *Task) bool { return c != t && c.Status == Done })
}

// WaitsFor gives the unsettled tasks that t or an ancestor waits for, in file
// order.
func (p *Plan) WaitsFor(t *Task) []*Task {
	var out []*Task
	for a := t; a != nil; a = a.Parent {
		for _, e := range p.Graph().From(a) {
			if !e.To.Settled() && !slices.Contains(out, e.To) {
				out = append(out, e.To)
			}
		}
	}
	slices.SortFunc(out, func(a, b *Task) int { return cmp.Compare(a.index, b.index) })
	return out
}

// Blockers gives the open blockers that stop t: on it, on an ancestor or on
// the plan. A nil t asks for those on the plan.
func (p *Plan) Blockers(t *Task) []*Signal {
	var out []*Signal
	for _, s := range p.Signals {
		if s.Level == "blocker" && s.Task == "" {
			out = append(out, s)
		}
	}
	for a := t; a != nil; a = a.Parent {
		out = append(out, p.blockersOn(a)...)
	}
	return out
}

func (p *Plan) blockersOn(t *Task) []*Signal {
	var out []*Signal
	for _, s := range p.Signals {
		if s.Level == "blocker" && s.Task != "" && s.Task == t.ID {
			out = append(out, s)
		}
	}
	return out
}
