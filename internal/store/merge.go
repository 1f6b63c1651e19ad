package store

import (
	"context"
	"maps"
	"path"
	"slices"

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

// Overlooked gives the conflicts of the merge that is staged which native git
// did not see, as it looks at one file at a time: in plans that it put together
// from both sides. A plan that the index has as one side does was chosen, unless
// both replanned it and one replan has all that is in the other.
func (r *Repo) Overlooked(ctx context.Context, s Staging, v Verdict) ([]merge.Conflict, error) {
	if s.Candidate == nil || len(s.Candidate.Parents) != 2 {
		return nil, nil
	}
	ours, theirs := s.Candidate.Parents[0], s.Candidate.Parents[1]
	base, err := r.Ancestry().Fork(ctx, ours, theirs)
	if err != nil {
		return nil, err
	}
	var states [3]*Snapshot
	for i, commit := range []string{base, ours, theirs} {
		if states[i], err = r.At(ctx, commit); err != nil {
			return nil, err
		}
	}
	merged, err := r.makeOnto(ctx, states[0], states[1], states[2], ontoOptions{})
	if err != nil {
		return nil, err
	}
	var found []merge.Conflict
	for _, c := range merged.Conflicts {
		seen := slices.Contains(v.IDs(), c.Plan)
		if !seen && c.Plan != "" && c.Task == "" && c.Field == "version" {
			if seen, err = r.comesToSide(ctx, c.Plan, base, ours, theirs); err != nil {
				return nil, err
			}
		}
		if seen {
			found = append(found, c)
		}
	}
	for _, id := range v.IDs() {
		two, err := r.madeTwice(ctx, id, base, ours, theirs)
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
