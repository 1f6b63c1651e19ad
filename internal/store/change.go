package store

import (
	"context"
)

// ChangeOf gives the identity of the change that a commit makes, "" where it has none.
func (r *Repo) ChangeOf(ctx context.Context, commit string) (string, error) {
	c, err := r.Store.Commit(ctx, commit)
	if err != nil {
		return "", err
	}
	return trailer(c.Message, trailerChange), nil
}

// Changed reports whether a commit changed a plan against its first parent.
func (r *Repo) Changed(ctx context.Context, commit, id string) (bool, error) {
	c, err := r.Store.Commit(ctx, commit)
	if err != nil {
		return false, err
	}
	now, err := r.At(ctx, commit)
	if err != nil {
		return false, err
	}
	before := &Snapshot{repo: r}
	if len(c.Parents) > 0 {
		if before, err = r.At(ctx, c.Parents[0]); err != nil {
			return false, err
		}
	}
	return now.plans[id].Object != before.plans[id].Object, nil
}

// ParkedPrefix is where unpublished commits are kept that could not be replayed, by
// their change.
const ParkedPrefix = "refs/plan/parked/"
