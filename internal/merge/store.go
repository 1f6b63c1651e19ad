package merge

import "github.com/git-plan/git-plan/plan"

// Entry is a plan in a state of a store; without a plan it is not there.
type Entry struct {
	// Path is the plan's folder: its id, or archive/<year>/<id>.
	Path string
	Plan *plan.Plan
}

// Versions are the three states of a plan of a store.
type Versions struct {
	ID                 string
	Base, Ours, Theirs Entry
}

// PlanResult is a merged plan of a store.
type PlanResult struct {
	// ID is the plan's id. It is a new one where theirs is another plan of that id,
	// which stays as it is.
	ID string
	// Path is the plan's folder, empty for a plan that is removed.
	Path string
	Result
}

// Stored merges a plan of a store and the place that it has there. Its notes begin
// with the plan's id. Of two plans that were made under one id ours gets another,
// one that is not taken.
func Stored(v Versions, opts Options, taken func(id string) bool) PlanResult {
	b, o, t := v.Base, v.Ours, v.Theirs
	if b.Plan == nil && o.Plan != nil && t.Plan != nil && !sameFiles(o.Plan, t.Plan) && !SameMade(o.Plan, t.Plan) && opts.Prefer == Neither {
		return v.apart(taken)
	}
	r, ok := archivedMeanwhile(v, opts)
	if !ok {
		if r = (PlanResult{ID: v.ID, Result: Plans(b.Plan, o.Plan, t.Plan, opts)}); r.Plan != nil {
			r.Path = v.where()
		}
	}
	for i := range r.Notes {
		r.Notes[i] = v.ID + ": " + r.Notes[i]
	}
	return r
}

// where merges the folders of a plan: the one that a side moved it to, of two
// theirs.
func (v Versions) where() string {
	if v.Theirs.Plan == nil || v.Ours.Plan != nil && v.Theirs.Path == v.Base.Path {
		return v.Ours.Path
	}
	return v.Theirs.Path
}

// archivedMeanwhile merges a plan that one side archived or restored while the
// other one changed it. Where it is to be conflicts; what is in it is merged all the
// same, so that no work is lost with the place.
func archivedMeanwhile(v Versions, opts Options) (PlanResult, bool) {
	b, o, t := v.Base, v.Ours, v.Theirs
	if b.Plan == nil || o.Plan == nil || t.Plan == nil || o.Path == t.Path || b.Path != o.Path && b.Path != t.Path {
		return PlanResult{}, false
	}
	mover, stayed := Ours, t
	if b.Path == o.Path {
		mover, stayed = Theirs, o
	}
	if sameFiles(b.Plan, stayed.Plan) {
		return PlanResult{}, false
	}
	m := newMerger(b.Plan, o.Plan, t.Plan, opts)
	c := Conflict{Field: "plan", Ours: "changed", Theirs: "changed", Message: "moved by one side and changed by the other"}
	word := "archived"
	if b.Path != v.ID {
		word = "restored"
	}
	if mover == Ours {
		c.Ours = word
	} else {
		c.Theirs = word
	}
	e := o
	if m.settle(c) == Theirs {
		e = t
	}
	r := Plans(b.Plan, o.Plan, t.Plan, opts)
	r.Conflicts, r.Notes = append(m.conflicts, r.Conflicts...), append(m.notes, r.Notes...)
	return PlanResult{ID: v.ID, Path: e.Path, Result: r}, true
}

// apart gives our plan another id.
func (v Versions) apart(taken func(string) bool) PlanResult {
	id := another(v.ID, taken)
	path := v.Ours.Path[:len(v.Ours.Path)-len(v.ID)] + id
	p := formerly(read(id, "", v.Ours.Plan.Files()), v.ID)
	return PlanResult{id, path, Result{Plan: p, Notes: []string{"plan " + v.ID + ": the id is taken, it is " + id + " now"}}}
}

// formerly notes in a plan the id that it had. A plan that cannot be edited goes
// without.
func formerly(p *plan.Plan, id string) *plan.Plan {
	if p.Doc == nil || !p.Doc.Readable {
		return p
	}
	if doc, err := p.Doc.Set("formerly", plan.Value(id)); err == nil {
		p.Doc = doc
	}
	return p
}

// OwnFile merges one of the store's own files, which belong to no plan, by line. One that
// is nil is not there.
func OwnFile(name string, base, ours, theirs []byte) FileResult {
	m := &merger{}
	data := m.ownFile(name, base, ours, theirs)
	return FileResult{data, m.conflicts}
}

func (m *merger) ownFile(name string, base, ours, theirs []byte) []byte {
	switch {
	case sameData(ours, theirs), sameData(base, theirs):
		return ours
	case sameData(base, ours):
		return theirs
	case ours == nil:
		m.removal(Conflict{Field: name, Message: removedAndChanged}, Ours)
		return theirs
	case theirs == nil:
		m.removal(Conflict{Field: name, Message: removedAndChanged}, Theirs)
		return ours
	}
	return []byte(m.textFile(name, string(base), string(ours), string(theirs)))
}

// sameData compares two files, of which nil is not there.
func sameData(a, b []byte) bool { return (a == nil) == (b == nil) && string(a) == string(b) }

// textFile merges a file by line.
func (m *merger) textFile(name, base, ours, theirs string) string {
	text := mergeText(base, ours, theirs, Theirs)
	if !text.clean {
		m.settle(Conflict{Field: name, Ours: text.ours, Theirs: text.theirs})
	}
	return text.text
}
