package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// Entry is a plan of a store.
type Entry struct {
	// Path is the plan's folder: its id, or archive/<year>/<id>.
	Path string
	Plan *plan.Plan
}

// Store is a state of a store, or that part of it which one of the sides
// changed: what is the same in all three states may be left out of all three.
type Store struct {
	// Plans are the plans by id.
	Plans map[string]Entry
	// Files are the store's own files by path.
	Files map[string][]byte
}

// PlanResult is a plan of the merged store.
type PlanResult struct {
	ID string
	// Path is the plan's folder, empty for a plan that is removed.
	Path string
	Result
}

// StoreResult is a merged store: the plans and files that the three states
// have between them.
type StoreResult struct {
	// Plans are sorted by id.
	Plans []PlanResult
	// Files are the store's own files; nil for one that is removed.
	Files map[string][]byte
	// Renamed are the plans of ours that another id was given to, by the old one.
	Renamed map[string]string
	// Conflicts and Notes are those that concern no single plan.
	Conflicts []Conflict
	Notes     []string
}

// AllConflicts gives those of the plans, too.
func (r StoreResult) AllConflicts() []Conflict {
	all := slices.Clone(r.Conflicts)
	for _, p := range r.Plans {
		all = append(all, p.Conflicts...)
	}
	return all
}

// AllNotes gives those of the plans, too, which begin with the plan's id.
func (r StoreResult) AllNotes() []string {
	all := slices.Clone(r.Notes)
	for _, p := range r.Plans {
		for _, n := range p.Notes {
			all = append(all, p.ID+": "+n)
		}
	}
	return all
}

// StoreOptions say what the states cannot.
type StoreOptions struct {
	Options
	// Prefer settles the conflicts of single plans, by id.
	Prefer map[string]Side
	// Taken reports whether an id is in use by a plan that the states leave
	// out; it may be nil.
	Taken func(id string) bool
}

// Stores merges two states of a store. A plan that both sides made under one
// id, without having it from each other, becomes two: ours gets another id.
func Stores(base, ours, theirs Store, opts StoreOptions) StoreResult {
	s := &storeMerge{merger: &merger{opts: opts.Options}, options: opts, base: base, ours: ours, theirs: theirs}
	s.result.Files, s.result.Renamed = map[string][]byte{}, map[string]string{}
	ids := map[string]bool{}
	for _, side := range []Store{base, ours, theirs} {
		for id := range side.Plans {
			ids[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		s.plan(id, ids)
	}
	slices.SortFunc(s.result.Plans, func(a, b PlanResult) int { return strings.Compare(a.ID, b.ID) })
	s.files()
	s.result.Conflicts, s.result.Notes = s.conflicts, s.notes
	return s.result
}

// storeMerge is the merge of two stores. Its merger collects what concerns no
// single plan.
type storeMerge struct {
	*merger
	options            StoreOptions
	base, ours, theirs Store
	result             StoreResult
}

func (s *storeMerge) planOptions(id string) Options {
	o := s.opts
	if side, ok := s.options.Prefer[id]; ok {
		o.Prefer = side
	}
	return o
}

// plan merges the plan of one id.
func (s *storeMerge) plan(id string, ids map[string]bool) {
	b, o, t := s.base.Plans[id], s.ours.Plans[id], s.theirs.Plans[id]
	opts := s.planOptions(id)
	if b.Plan == nil && o.Plan != nil && t.Plan != nil && !sameFiles(o.Plan, t.Plan) && !SameMade(o.Plan, t.Plan) && opts.Prefer == Neither {
		s.twoPlans(id, ids, o, t)
		return
	}
	if r, ok := archivedMeanwhile(id, b, o, t, opts); ok {
		s.result.Plans = append(s.result.Plans, r)
		return
	}
	r := PlanResult{ID: id, Result: Plans(b.Plan, o.Plan, t.Plan, opts)}
	if r.Plan != nil {
		r.Path = where(b, o, t)
	}
	s.result.Plans = append(s.result.Plans, r)
}

// where merges the folders of a plan: the one that a side moved it to, of two
// theirs.
func where(b, o, t Entry) string {
	if t.Plan == nil || o.Plan != nil && t.Path == b.Path {
		return o.Path
	}
	return t.Path
}

// archivedMeanwhile merges a plan that one side archived or restored while the
// other one changed it. Where it is to be conflicts; what is in it is merged all the
// same, so that no work is lost with the place.
func archivedMeanwhile(id string, b, o, t Entry, opts Options) (PlanResult, bool) {
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
	if b.Path != id {
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
	return PlanResult{ID: id, Path: e.Path, Result: r}, true
}

// twoPlans keeps two plans of one id: ours gets another.
func (s *storeMerge) twoPlans(id string, ids map[string]bool, o, t Entry) {
	next := another(id, func(id string) bool { return ids[id] || s.options.Taken != nil && s.options.Taken(id) })
	ids[next] = true
	s.result.Renamed[id] = next
	p := formerly(read(next, "", o.Plan.Files()), id)
	path := o.Path[:len(o.Path)-len(id)] + next
	s.result.Plans = append(s.result.Plans,
		PlanResult{ID: id, Path: t.Path, Result: Result{Plan: t.Plan}},
		PlanResult{ID: next, Path: path, Result: Result{Plan: p}})
	s.note("plan %s: the id is taken, it is %s now", id, next)
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

// files merges the store's own files.
func (s *storeMerge) files() {
	paths := map[string]bool{}
	for _, side := range []Store{s.base, s.ours, s.theirs} {
		for p := range side.Files {
			paths[p] = true
		}
	}
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		b, inBase := s.base.Files[p]
		o, inOurs := s.ours.Files[p]
		t, inTheirs := s.theirs.Files[p]
		s.result.Files[p] = s.file(p, blob{b, inBase}, blob{o, inOurs}, blob{t, inTheirs})
	}
}

// blob is a file's content, or that it is not there.
type blob struct {
	data  []byte
	there bool
}

func (b blob) equal(c blob) bool { return b.there == c.there && string(b.data) == string(c.data) }

func (b blob) content() []byte {
	if b.there && b.data == nil {
		return []byte{}
	}
	return b.data
}

func (s *storeMerge) file(p string, b, o, t blob) []byte {
	switch {
	case o.equal(t), b.equal(t):
		return o.content()
	case b.equal(o):
		return t.content()
	case !o.there:
		if s.removal(Conflict{Field: p, Message: removedAndChanged}, Ours) {
			return nil
		}
		return t.content()
	case !t.there:
		if s.removal(Conflict{Field: p, Message: removedAndChanged}, Theirs) {
			return nil
		}
		return o.content()
	case p == gatesFile:
		return []byte(s.gates(string(b.data), string(o.data), string(t.data)))
	}
	return []byte(s.text(p, string(b.data), string(o.data), string(t.data)))
}

// text merges a file by line.
func (s *storeMerge) text(p, base, ours, theirs string) string {
	text := mergeText(base, ours, theirs, Theirs)
	if text.clean {
		return text.text
	}
	side := s.settle(Conflict{Field: p, Ours: text.ours, Theirs: text.theirs})
	return mergeText(base, ours, theirs, side).text
}
