package store

import (
	"context"
	"maps"
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// mustKnow makes sure that each plan whose conflicts are to be settled is here or
// there: by a misspelt name none would be, without a word.
func (s *syncing) mustKnow(ctx context.Context, theirs string) error {
	if len(s.opts.Prefer) == 0 {
		return nil
	}
	here, err := s.repo.Snapshot(ctx)
	if err != nil {
		return err
	}
	there, err := s.repo.At(ctx, theirs)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(s.opts.Prefer)) {
		known, err := anyKnows(ctx, id, here, there)
		if err != nil {
			return err
		}
		if !known && plan.Meant(id, here.IDs()) == "" && there.Exists() {
			return there.unknownPlan(ctx, id) // it may be one of theirs that is meant
		}
		if !known {
			return here.unknownPlan(ctx, id)
		}
	}
	return nil
}

// anyKnows reports whether a plan is in one of the states.
func anyKnows(ctx context.Context, id string, states ...*Snapshot) (bool, error) {
	for _, s := range states {
		if _, ok, err := s.Locate(ctx, id); err != nil || ok {
			return ok, err
		}
	}
	return false, nil
}
