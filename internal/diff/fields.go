package diff

import (
	"cmp"

	"github.com/git-plan/git-plan/plan"
)

// fields compares two files by what they mean; either may be nil.
func fields(before, after *plan.Document) []Field {
	if before != nil && after != nil && before.Source == after.Source {
		return []Field{}
	}
	out := []Field{}
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

// signals notes the signals that were opened, cleared or say something else. A
// value is nil or has the signal's fields and its message.
func (p *Plan) signals() {
	old, now := signalsByID(p.Before), signalsByID(p.After)
	for _, id := range keysOf(old, now) {
		b, a := old[id], now[id]
		if b == nil || a == nil || len(fields(b.Doc, a.Doc)) > 0 {
			p.Fields = append(p.Fields, Field{signalPrefix + id, signalValue(b), signalValue(a)})
		} else {
			p.respelled(b.Doc, a.Doc)
		}
	}
}

// signalPrefix begins the names of fields that are signals.
const signalPrefix = "signals/"

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

// edges compares the entries of depends_on. A task that only got another id is the same task at both ends.
func edges(before, after *plan.Plan, ps *pairing) Edges {
	out := Edges{[]Edge{}, []Edge{}}
	old, now := declared(before), declared(after)
	was, is := map[Edge]bool{}, map[Edge]bool{}
	for _, e := range old {
		was[Edge{ps.was(e[0]), ps.was(e[1])}] = true
	}
	for _, e := range now {
		common := Edge{ps.is(e[0]), ps.is(e[1])}
		if !was[common] && !is[common] {
			out.Added = append(out.Added, e)
		}
		is[common] = true
	}
	for _, e := range old {
		common := Edge{ps.was(e[0]), ps.was(e[1])}
		if !is[common] {
			out.Removed = append(out.Removed, Edge{cmp.Or(ps.newID[e[0]], e[0]), cmp.Or(ps.newID[e[1]], e[1])})
		}
		is[common] = true
	}
	return out
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

// respelled notes a file that means what it meant, if its bytes changed.
func (p *Plan) respelled(before, after *plan.Document) {
	if before != nil && after != nil && before.Source != after.Source {
		p.Spelling = append(p.Spelling, after.Path)
	}
}
