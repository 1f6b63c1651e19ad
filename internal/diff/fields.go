package diff

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// fields compares two files by what they mean; either may be nil.
func fields(before, after *plan.Document) []Field {
	if before != nil && after != nil && before.Source == after.Source {
		return nil
	}
	var out []Field
	for _, c := range plan.FieldChanges(before, after) {
		out = append(out, Field{c.Name, c.Old, c.New})
	}
	return append(out, differ("body", before.Prose(), after.Prose())...)
}

// differ gives the change of a text, if there is one; an empty text counts as
// none.
func differ(name, old, now string) []Field {
	if old == now {
		return nil
	}
	return []Field{{name, orNil(old), orNil(now)}}
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// signals gives the signals that were opened, cleared or say something else,
// by id. A value is nil or has the signal's fields and its message.
func signals(before, after *plan.Plan) []Field {
	old, now := signalsByID(before), signalsByID(after)
	var names []string
	for id := range old {
		names = append(names, id)
	}
	for id := range now {
		if old[id] == nil {
			names = append(names, id)
		}
	}
	slices.Sort(names)
	var out []Field
	for _, id := range names {
		b, a := old[id], now[id]
		if b == nil || a == nil || len(fields(b.Doc, a.Doc)) > 0 {
			out = append(out, Field{id, signalValue(b), signalValue(a)})
		}
	}
	return out
}

func signalsByID(p *plan.Plan) map[string]*plan.Signal {
	out := map[string]*plan.Signal{}
	if p != nil {
		for _, s := range p.Signals {
			out[s.ID] = s
		}
	}
	return out
}

func signalValue(s *plan.Signal) any {
	if s == nil {
		return nil
	}
	out := map[string]any{"message": s.Message()}
	for _, v := range append(s.Doc.Values(), s.Doc.Unknown()...) {
		out[v.Name] = v.Value
	}
	return out
}

// edges gives the entries of depends_on that came and that went, in file order.
// A task that only got another id is the same task at both ends.
func edges(before, after *plan.Plan, ps *pairing) (came, went []Edge) {
	old, now := declared(before), declared(after)
	was, is := map[Edge]bool{}, map[Edge]bool{}
	for _, e := range old {
		was[Edge{ps.was(e.Task), ps.was(e.Needs)}] = true
	}
	for _, e := range now {
		common := Edge{ps.is(e.Task), ps.is(e.Needs)}
		if !was[common] && !is[common] {
			came = append(came, e)
		}
		is[common] = true
	}
	for _, e := range old {
		common := Edge{ps.was(e.Task), ps.was(e.Needs)}
		if !is[common] {
			went = append(went, Edge{rename(ps.newID, e.Task), rename(ps.newID, e.Needs)})
		}
		is[common] = true
	}
	return came, went
}

// declared gives the entries of depends_on.
func declared(p *plan.Plan) []Edge {
	var out []Edge
	for _, t := range allTasks(p) {
		for _, id := range t.Doc.List("depends_on") {
			out = append(out, Edge{key(p, t), id})
		}
	}
	return out
}

func rename(names map[string]string, id string) string {
	if to, ok := names[id]; ok {
		return to
	}
	return id
}

// spelling gives the files whose bytes changed and nothing else.
func spelling(p Plan, pairs *pairing) []string {
	if p.Before == nil || p.After == nil {
		return nil
	}
	var out []string
	if differsOnlyInBytes(p.Before.Doc, p.After.Doc, len(p.Fields)) {
		out = append(out, p.After.Doc.Path)
	}
	for _, pair := range pairs.list {
		if pair.before == nil || pair.after == nil {
			continue
		}
		t := pair.compare(pairs)
		if differsOnlyInBytes(pair.before.Doc, pair.after.Doc, len(t.Fields)) {
			out = append(out, pair.after.Doc.Path)
		}
	}
	for _, s := range p.After.Signals {
		if old := p.Before.Signal(s.ID); old != nil && differsOnlyInBytes(old.Doc, s.Doc, len(fields(old.Doc, s.Doc))) {
			out = append(out, s.Doc.Path)
		}
	}
	return out
}

func differsOnlyInBytes(a, b *plan.Document, fields int) bool {
	return a != nil && b != nil && fields == 0 && a.Source != b.Source
}
