package store

import (
	"context"
	"maps"
	"slices"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
)

// Overlooked gives the conflicts of the merge that is staged which native git
// did not see, as it looks at one file at a time: in plans that it put together
// from both sides. A plan that the index has as one side does was chosen, unless
// both replanned it and one replan has all that is in the other.
func (x Index) Overlooked(ctx context.Context, s Staging, v Verdict) ([]merge.Conflict, error) {
	if s.Candidate == nil || len(s.Candidate.Parents) != 2 {
		return nil, nil
	}
	ours, theirs := s.Candidate.Parents[0], s.Candidate.Parents[1]
	base, err := x.repo.Ancestry().Fork(ctx, ours, theirs)
	if err != nil {
		return nil, err
	}
	var states [3]*Snapshot
	for i, commit := range []string{base, ours, theirs} {
		if states[i], err = x.repo.At(ctx, commit); err != nil {
			return nil, err
		}
	}
	merged, err := x.repo.makeOnto(ctx, states[0], states[1], states[2], ontoOptions{})
	if err != nil {
		return nil, err
	}
	var found []merge.Conflict
	for _, c := range merged.Conflicts {
		seen := slices.Contains(v.IDs(), c.Plan)
		if !seen && c.Plan != "" && c.Task == "" && c.Field == "version" {
			if seen, err = x.comesToSide(ctx, c.Plan, base, ours, theirs); err != nil {
				return nil, err
			}
		}
		if seen {
			found = append(found, c)
		}
	}
	for _, id := range v.IDs() {
		two, err := x.madeTwice(ctx, id, base, ours, theirs)
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
func (x Index) madeTwice(ctx context.Context, id string, base string, sides ...string) (bool, error) {
	before, err := x.repo.At(ctx, base)
	if err != nil {
		return false, err
	}
	if _, there, err := before.Locate(ctx, id); err != nil || there {
		return false, err
	}
	var made []*plan.Plan
	for _, commit := range sides {
		stored, err := x.repo.storedAt(ctx, commit, id)
		if err != nil || stored == nil {
			return false, err
		}
		made = append(made, stored.Plan)
	}
	return !merge.SameMade(made[0], made[1]), nil
}

// comesToSide reports whether the files of a plan, merged one by one, come by
// themselves to all that one side has.
func (x Index) comesToSide(ctx context.Context, id, base, ours, theirs string) (bool, error) {
	var states []map[string][]byte
	for _, commit := range []string{base, ours, theirs} {
		stored, err := x.repo.storedAt(ctx, commit, id)
		if err != nil || stored == nil {
			return false, err
		}
		states = append(states, stored.Plan.Files())
	}
	merged, clean := merge.Files(id, states[0], states[1], states[2])
	same := func(a, b []byte) bool { return string(a) == string(b) }
	return clean && (maps.EqualFunc(merged, states[1], same) || maps.EqualFunc(merged, states[2], same)), nil
}
