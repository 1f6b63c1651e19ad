package plan

import "slices"

// Ready gives the tasks that can be worked on now, by priority, then in file
// order: pending leaves of which everything they or an ancestor wait for is
// settled, with no open blocker on them, an ancestor or the plan. Nothing is
// ready in an abandoned plan, nor beside a done child of a decision.
func (p *Plan) Ready() []*Task {
	free := p.free()
	var out []*Task
	for _, t := range p.all {
		if free[t.index] && len(t.Children) == 0 && t.Status == Pending {
			out = append(out, t)
		}
	}
	byPriority(out)
	return out
}

// free tells by task index whether nothing stops the work on a task, whatever
// its own status is.
func (p *Plan) free() []bool {
	out := make([]bool, len(p.all))
	if p.IsAbandoned() || len(p.Blockers(nil)) > 0 {
		return out
	}
	s := newState(p)
	for _, t := range p.all {
		out[t.index] = s.free(t)
	}
	return out
}

// state is what must be known of all tasks to tell which are free, by task
// index.
type state struct {
	graph   *Graph
	settled []bool
	done    []int           // how many children are done
	waits   []bool          // the task or an ancestor is not free
	blocked map[string]bool // ids with an open blocker
	open    map[*made][]int
}

func newState(p *Plan) *state {
	n := len(p.all)
	s := &state{p.Graph(), p.settledSet(), make([]int, n), make([]bool, n), map[string]bool{}, map[*made][]int{}}
	for _, t := range p.all {
		if t.Parent != nil && t.Status == Done {
			s.done[t.Parent.index]++
		}
	}
	for _, x := range p.Signals {
		if x.Level == "blocker" {
			s.blocked[x.Task] = true
		}
	}
	return s
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

// free reports whether nothing stops t or an ancestor. It must be asked of
// tasks in file order, of all of them.
func (s *state) free(t *Task) bool {
	s.waits[t.index] = t.Parent != nil && s.waits[t.Parent.index] || t.ID != "" && s.blocked[t.ID] || s.decided(t) || s.misses(t)
	return !s.waits[t.index]
}

// decided reports whether a sibling under the same decision is done.
func (s *state) decided(t *Task) bool {
	if t.Parent == nil || t.Parent.Kind != "decide" {
		return false
	}
	others := s.done[t.Parent.index]
	if t.Status == Done {
		others--
	}
	return others > 0
}

// PassedOver gives the first task left, in file order, that is never ready because
// a decision above it chose another alternative, with that one, or the task below
// it that was done last in file order: somebody reopened the first, and not the
// choice, which is open again once that one is. Both are nil where there is none.
func (p *Plan) PassedOver() (left, chosen *Task) {
	for _, t := range p.all {
		if len(t.Children) > 0 || t.Status.Settled() {
			continue
		}
		for at := t; at.Parent != nil; at = at.Parent {
			if at.Parent.Kind != "decide" {
				continue
			}
			for _, other := range at.Parent.Children {
				if other != at && other.Status == Done {
					return t, lastDone(other)
				}
			}
		}
	}
	return nil, nil
}

// lastDone gives the task itself, or of a container, whose status only follows,
// the last one below it that is done.
func lastDone(t *Task) *Task {
	for _, c := range slices.Backward(t.Children) {
		if c.Status == Done {
			return lastDone(c)
		}
	}
	return t
}

// misses reports whether something is not settled that t itself waits for.
func (s *state) misses(t *Task) bool {
	if to := s.graph.after[t.index]; to != nil && !s.settled[to.index] {
		return true
	}
	if slices.ContainsFunc(s.graph.written[t.index], func(e Edge) bool { return !s.settled[e.To.index] }) {
		return true
	}
	return slices.ContainsFunc(s.graph.uses[t.index], func(u use) bool {
		open := s.unsettled(u.made)
		return slices.ContainsFunc(u.spans(t), func(x span) bool { return open[x.end] > open[x.start] })
	})
}

// unsettled counts the unsettled tasks among the first that make a name.
func (s *state) unsettled(m *made) []int {
	if s.open[m] == nil {
		count := make([]int, len(m.by)+1)
		for i, t := range m.by {
			count[i+1] = count[i]
			if !s.settled[t.index] {
				count[i+1]++
			}
		}
		s.open[m] = count
	}
	return s.open[m]
}

// WaitsFor gives the unsettled tasks that t or an ancestor waits for, in file
// order.
func (p *Plan) WaitsFor(t *Task) []*Task {
	g := p.Graph()
	waits := make([]bool, len(p.all))
	count := 0
	add := func(e Edge) {
		if !waits[e.To.index] && !e.To.Settled() {
			waits[e.To.index] = true
			count++
		}
	}
	for a := t; a != nil; a = a.Parent {
		g.eachFrom(a, add)
	}
	out := make([]*Task, 0, count)
	for i := 0; len(out) < count; i++ {
		if waits[i] {
			out = append(out, p.all[i])
		}
	}
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
