package merge

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// signals merges the open signals: one cleared on a side is cleared, unless it
// was opened anew meanwhile.
func (m *merger) signals(files map[string][]byte) {
	var ids []string
	for _, p := range []*plan.Plan{m.theirs, m.ours} {
		for _, s := range p.Signals {
			if !slices.Contains(ids, s.ID) {
				ids = append(ids, s.ID)
			}
		}
	}
	for _, id := range ids {
		for file, d := range m.signal(id, ids) {
			files[file] = []byte(d.Source)
		}
	}
}

// signal merges one signal and gives its file, or two files where the sides
// opened two signals of one id.
func (m *merger) signal(id string, taken []string) map[string]*plan.Document {
	b, o, t := signalDoc(m.base, id), signalDoc(m.ours, id), signalDoc(m.theirs, id)
	file := "signals/" + id + ".md"
	switch {
	case o == nil || t == nil:
		return m.clearedOn(id, b, o, t)
	case b == nil && !sameSignal(o, t):
		return m.apart(id, taken, o, t)
	}
	return map[string]*plan.Document{file: m.oneSignal(id, b, o, t)}
}

// sameSignal reports whether two files of one id are about one thing.
func sameSignal(a, b *plan.Document) bool {
	return a.Text("task") == b.Text("task") && a.Text("source") == b.Text("source")
}

func signalDoc(p *plan.Plan, id string) *plan.Document {
	if s := p.Signal(id); s != nil {
		return s.Doc
	}
	return nil
}

// clearedOn merges a signal that one side does not have.
func (m *merger) clearedOn(id string, b, o, t *plan.Document) map[string]*plan.Document {
	kept, gone := o, Theirs
	if o == nil {
		kept, gone = t, Ours
	}
	if b != nil {
		c := Conflict{Task: kept.Text("task"), Field: "signals/" + id, Message: "cleared by one side and opened again by the other"}
		if kept.Source == b.Source || m.removal(c, gone) {
			return nil
		}
	}
	return map[string]*plan.Document{kept.Path: kept}
}

// apart keeps two signals of one id that are about different things.
func (m *merger) apart(id string, taken []string, o, t *plan.Document) map[string]*plan.Document {
	next := another(id, func(s string) bool { return slices.Contains(taken, s) })
	m.note("signal %s: the id is taken, it is %s now", id, next)
	return map[string]*plan.Document{t.Path: t, "signals/" + next + ".md": o}
}

// oneSignal merges a signal that both sides opened or opened again: the later
// report, at the graver of the two levels.
func (m *merger) oneSignal(id string, b, o, t *plan.Document) *plan.Document {
	d := &docMerge{merger: m, task: o.Text("task"), prefix: "signals/" + id + " ", base: b, ours: o, theirs: t}
	if b != nil && (b.Source == o.Source || b.Source == t.Source) || o.Source == t.Source || !wellFormed(o) || !wellFormed(t) {
		return d.run()
	}
	late := t
	if d.earlier("opened_at") == Theirs && o.Text("opened_at") != t.Text("opened_at") {
		late = o
	}
	for _, level := range []string{"blocker", "warning", "info"} {
		if o.Text("level") != level && t.Text("level") != level {
			continue
		}
		if next, err := late.Set("level", plan.Value(level)); err == nil {
			return next
		}
		break
	}
	return late
}
