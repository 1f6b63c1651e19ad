package store

import (
	"context"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// MergePlans is [merge.Plans] with the gate on what comes out: two edits that
// each passed may make a cycle together, and that is a conflict, too. Where a
// side is preferred and the two do not fit, it is taken whole.
func (r *Repo) MergePlans(p Policy, w World, base, ours, theirs *plan.Plan, opts merge.Options) merge.Result {
	return r.gateMerged(p, w, merge.Plans(base, ours, theirs, opts), ours, theirs, opts.Prefer)
}

// GateDraft holds the merge of a drafted plan with the stored one against the
// store's gate, as the change of the stored plan that it will be. Where the
// draft alone passes, as a change of base, it is a conflict if the two do not
// pass together; a draft that does not is left to the gate, which speaks of its
// own lines.
func (s *Snapshot) GateDraft(ctx context.Context, m merge.Result, base, draft, stored *plan.Plan, found []diag.Diagnostic) (merge.Result, error) {
	if !m.Clean() || m.Plan == nil || samePlan(m.Plan, draft) || samePlan(m.Plan, stored) {
		return m, nil
	}
	gates, _, err := s.Gates(ctx)
	if err != nil {
		return m, err
	}
	p := Policy{Gates: gates}
	w, err := s.repo.World(ctx, "")
	if err != nil {
		return m, err
	}
	drafted := Subject{Plan: draft, Found: found, Parent: base, Scope: validate.Change, Search: true}
	if err := drafted.search(ctx, p, w); err != nil {
		return m, err
	}
	if len(Errors(drafted, p, w)) > 0 {
		return m, nil
	}
	return s.repo.gateMerged(p, w, m, nil, stored, merge.Neither), nil
}

// gateMerged judges a merged plan, unless it is as it was on a side, where it was
// judged. It goes on from theirs.
func (r *Repo) gateMerged(p Policy, w World, m merge.Result, ours, theirs *plan.Plan, prefer merge.Side) merge.Result {
	if !m.Clean() || m.Plan == nil || samePlan(m.Plan, ours) || samePlan(m.Plan, theirs) {
		return m
	}
	s := Subject{Parent: theirs, Scope: validate.Change, Stored: true}
	if ours != nil {
		s.Sides = append(s.Sides, ours)
	}
	s.Plan, s.Found = r.ReadPlan(m.Plan.ID, "", m.Plan.FileList())
	for _, d := range Errors(s, p, w) {
		m.Conflicts = append(m.Conflicts, conflictOf(s.Plan, d))
	}
	if m.Clean() || prefer == merge.Neither {
		return m
	}
	whole := ours
	if prefer == merge.Theirs {
		whole = theirs
	}
	for _, c := range m.Conflicts {
		c.Plan = "" // notes on a plan do not name it
		m.Notes = append(m.Notes, c.String()+": took "+prefer.String()+" as it is")
	}
	m.Plan, m.Conflicts, m.Renamed = whole, nil, nil
	return m
}

func samePlan(a, b *plan.Plan) bool {
	return b != nil && len(fileChanges(&Stored{Location: Location{Path: a.ID}, Plan: b}, a.ID, a, false)) == 0
}

// conflictOf is a finding about a merged plan as a conflict.
func conflictOf(p *plan.Plan, d diag.Diagnostic) merge.Conflict {
	c := merge.Conflict{Plan: p.ID, Field: d.Rule, Message: d.Message}
	for _, t := range p.All() {
		if path.Join(p.Prefix, t.Doc.Path) == d.Path {
			c.Task = t.ID
		}
	}
	return c
}

// mergeCommits merges the states of the store at two commits with the one that
// both went on from, as [merge.Stores] does, and holds every plan that comes
// out against the gate of the merged store. Of plans that none of the three
// differ in nothing is read. The base may be of no commit, for states that have
// none in common.
func (r *Repo) mergeCommits(ctx context.Context, base *ancestor, ours, theirs string, opts merge.StoreOptions) (mergedStore, error) {
	m := &commitMerge{repo: r, states: map[string]*Snapshot{}, stores: map[string]merge.Store{}}
	for _, commit := range append(base.commits(), ours, theirs) {
		s, err := r.At(ctx, commit)
		if err != nil {
			return mergedStore{}, err
		}
		m.states[commit] = s
	}
	if err := m.load(ctx); err != nil {
		return mergedStore{}, err
	}
	opts.Taken = func(id string) bool { return m.known[id] }
	result := mergedStore{StoreResult: m.merged(base, ours, theirs, opts)}
	m.mergeWhole(base, ours, theirs, &result)
	var err error
	if result.left, err = m.leftOut(ctx, base, ours, theirs); err != nil {
		return mergedStore{}, err
	}
	gates, found, err := m.gates(ctx, theirs, result)
	if err != nil {
		return mergedStore{}, err
	}
	result.left = append(result.left, found...)
	policy := Policy{Gates: gates}
	world, err := r.World(ctx, "")
	if err != nil {
		return mergedStore{}, err
	}
	for i, p := range result.Plans {
		prefer := opts.Options.Prefer
		if side, ok := opts.Prefer[p.ID]; ok {
			prefer = side
		}
		p.Result = r.gateMerged(policy, world, p.Result, m.planOf(ours, p.ID), m.planOf(theirs, p.ID), prefer)
		if result.Plans[i], err = m.beside(ctx, base, ours, theirs, prefer, p); err != nil {
			return mergedStore{}, err
		}
	}
	return result, nil
}

// Overlooked gives the conflicts of the merge that is staged which native git
// did not see, as it looks at one file at a time: in plans that it put together
// from both sides. A plan that the index has as one side does was chosen, unless
// both replanned it and one replan has all that is in the other.
func (r *Repo) Overlooked(ctx context.Context, s Staging, v Verdict) ([]merge.Conflict, error) {
	if s.Candidate == nil || len(s.Candidate.Parents) != 2 {
		return nil, nil
	}
	ours, theirs := s.Candidate.Parents[0], s.Candidate.Parents[1]
	base, err := r.ancestor(ctx, ours, theirs)
	if err != nil {
		return nil, err
	}
	merged, err := r.mergeCommits(ctx, base, ours, theirs, merge.StoreOptions{})
	if err != nil {
		return nil, err
	}
	var found []merge.Conflict
	for _, c := range merged.AllConflicts() {
		seen := slices.Contains(v.IDs(), c.Plan)
		if !seen && c.Plan != "" && c.Task == "" && c.Field == "version" {
			if seen, err = r.comesToSide(ctx, c.Plan, base.first(), ours, theirs); err != nil {
				return nil, err
			}
		}
		if seen {
			found = append(found, c)
		}
	}
	for _, id := range v.IDs() {
		two, err := r.madeTwice(ctx, id, base.first(), ours, theirs)
		if err != nil {
			return nil, err
		}
		if two {
			found = append(found, merge.Conflict{Plan: id, Field: "plan", Ours: "made", Theirs: "made", Message: "both sides made a plan of that id"})
		}
	}
	return found, nil
}

// madeTwice reports whether an id stands for two plans, one of each side.
func (r *Repo) madeTwice(ctx context.Context, id string, base string, sides ...string) (bool, error) {
	before, err := r.At(ctx, base)
	if err != nil {
		return false, err
	}
	if _, there, err := before.Locate(ctx, id); err != nil || there {
		return false, err
	}
	var made []*plan.Plan
	for _, commit := range sides {
		stored, err := r.storedAt(ctx, commit, id)
		if err != nil || stored == nil {
			return false, err
		}
		made = append(made, stored.Plan)
	}
	return !merge.SameMade(made[0], made[1]), nil
}

// comesToSide reports whether the files of a plan, merged one by one, come by
// themselves to all that one side has.
func (r *Repo) comesToSide(ctx context.Context, id, base, ours, theirs string) (bool, error) {
	var states []map[string][]byte
	for _, commit := range []string{base, ours, theirs} {
		stored, err := r.storedAt(ctx, commit, id)
		if err != nil || stored == nil {
			return false, err
		}
		states = append(states, stored.Plan.Files())
	}
	merged, clean := merge.Files(id, states[0], states[1], states[2])
	same := func(a, b []byte) bool { return string(a) == string(b) }
	return clean && (maps.EqualFunc(merged, states[1], same) || maps.EqualFunc(merged, states[2], same)), nil
}

// mergedStore is the merge of two states of the store.
type mergedStore struct {
	merge.StoreResult
	// whole are the files that were merged as wholes, as changes on top of theirs.
	whole []gitstore.FileChange
	// left is what ours has and nobody merges, and what is wrong with the gate that
	// comes out.
	left []diag.Diagnostic
}

// commitMerge is the merge of two commits. States and stores are those at
// commits, the sides' and those that both went on from.
type commitMerge struct {
	repo   *Repo
	states map[string]*Snapshot
	stores map[string]merge.Store
	known  map[string]bool
	places map[string]map[string]Location       // by commit and id
	own    map[string]map[string]gitstore.Entry // the store's own files, by commit and path
	whole  map[string]bool                      // those that are merged as wholes
	strays map[string][]diag.Diagnostic         // in plans that are not the same in all states, by commit
}

// load reads what is not the same in all states.
func (m *commitMerge) load(ctx context.Context) error {
	m.known, m.whole, m.strays = map[string]bool{Archive: true}, map[string]bool{}, map[string][]diag.Diagnostic{}
	m.places, m.own = map[string]map[string]Location{}, map[string]map[string]gitstore.Entry{}
	for commit, s := range m.states {
		var err error
		if m.places[commit], err = s.places(ctx); err != nil {
			return err
		}
		if m.own[commit], err = s.ownFiles(ctx); err != nil {
			return err
		}
		for id := range m.places[commit] {
			m.known[id] = true
		}
	}
	for commit, s := range m.states {
		m.stores[commit] = merge.Store{Plans: map[string]merge.Entry{}, Files: map[string][]byte{}}
		for id, l := range unlike(m.places, commit) {
			stored, err := s.toMerge(ctx, l)
			if err != nil {
				return err
			}
			m.stores[commit].Plans[id] = merge.Entry{Path: l.Path, Plan: stored.Plan}
			m.strays[commit] = append(m.strays[commit], Strays(stored.Plan, stored.Found)...)
		}
		if err := m.loadOwn(ctx, commit); err != nil {
			return err
		}
	}
	for _, store := range m.stores {
		maps.DeleteFunc(store.Files, func(name string, _ []byte) bool { return m.whole[name] })
	}
	return nil
}

// unlike visits what a state has that is not the same in all.
func unlike[T comparable](all map[string]map[string]T, state string) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for key, has := range all[state] {
			if !everyone(all, key, has) && !yield(key, has) {
				return
			}
		}
	}
}

func everyone[T comparable](all map[string]map[string]T, key string, want T) bool {
	for _, m := range all {
		if m[key] != want {
			return false
		}
	}
	return true
}

// places gives where each plan is, archived ones included.
func (s *Snapshot) places(ctx context.Context) (map[string]Location, error) {
	out := map[string]Location{}
	archived, err := s.Archive(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range append(archived, s.Locations()...) {
		out[l.ID] = l
	}
	return out, nil
}

// gates reads the gate of the merged store. What is wrong with it keeps the merge
// from being made, unless it is a conflict itself.
func (m *commitMerge) gates(ctx context.Context, theirs string, result mergedStore) (gates validate.Gates, found []diag.Diagnostic, err error) {
	data, changed := result.Files[GatesFile]
	taken := slices.IndexFunc(result.whole, func(f gitstore.FileChange) bool { return f.Path == GatesFile && !f.Delete })
	switch {
	case changed:
		gates, found = validate.ParseGates(GatesFile, data)
	case taken >= 0:
		f := result.whole[taken]
		gates, found, err = m.repo.gatesOf(ctx, gitstore.Entry{Name: GatesFile, Mode: f.Mode, Object: f.Object})
	default:
		gates, found, err = m.states[theirs].Gates(ctx)
	}
	open := func(c merge.Conflict) bool { return strings.HasPrefix(c.Field, GatesFile) }
	if err != nil || slices.ContainsFunc(result.Conflicts, open) {
		return gates, nil, err
	}
	for i := range found {
		found[i].Hint = m.repo.mendGates(theirs)
	}
	if gates.Newer() {
		found = append(found, newerGates())
	}
	return gates, found, nil
}
