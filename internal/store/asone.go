package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/gitstore"
)

// asOne makes the commits one that were made anew and that the remote refused: what
// asks for more than is published, its own floor say, may take them together. The
// store moves only once they are pushed; else what was refused stays, and is told.
func (s *syncing) asOne(ctx context.Context) (again bool, err error) {
	tip, theirs := s.out.Commit, s.locked.seen
	next, told, err := s.repo.rewriteAsOne(ctx, tip, theirs)
	if isRefused(err) || err == nil && next == "" {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if got, err := s.receive(ctx, theirs, next); err != nil || !got.OK() {
		return false, err
	}
	up, err := s.pushFirst(ctx, tip, next)
	var refused *gitstore.PushRefusedError
	switch {
	case errors.As(err, &refused) && s.locked.moved(refused):
		s.out.Status, s.out.Details = "", nil
		return true, nil
	case errors.As(err, &refused):
		return false, nil
	case err != nil || len(up.Commits) == 0: // there is more here by now
		return false, err
	}
	s.out.Status, s.out.Commit, s.out.Details = SyncPushed, next, nil
	if next == theirs {
		s.out.Status = SyncUpToDate
	}
	followed := s.repo.tellRenamed(ctx, s.arrived.meet(told.renamed, false))
	s.out.Notes = slices.Concat(s.out.Notes, told.notes, followed, up.Warnings)
	return false, nil
}

// pushFirst moves the store from its tip to another commit once that is pushed.
func (s *syncing) pushFirst(ctx context.Context, tip, next string) (gitstore.UpdateResult, error) {
	push := func(commit string) error {
		if err := s.repo.Store.Push(ctx, s.remote, commit); err != nil {
			return fmt.Errorf("push the plans to %s: %w", s.remote.Name, err)
		}
		return nil
	}
	return s.repo.Store.UpdateVia(ctx, "plan: sync --rewrite", push, func(now gitstore.Tip) ([]gitstore.Change, error) {
		if now.Commit != tip {
			return nil, nil
		}
		return []gitstore.Change{{Existing: next}}, nil
	})
}

// rewriteAsOne is [Repo.rewrite] that makes several commits one. Last is "" where
// there are not several.
func (r *Repo) rewriteAsOne(ctx context.Context, tip, theirs string) (last string, told met, err error) {
	several := false
	last, told, err = r.anew(ctx, tip, theirs, nil, func(w *rewriter, old []gitstore.Lineage) error {
		if several = len(old) > 1; !several {
			return nil
		}
		var steps []*step
		for _, l := range old {
			c, err := w.repo.Store.Commit(ctx, l.Commit)
			if err != nil {
				return err
			}
			steps = append(steps, &step{Lineage: l, commit: c})
		}
		if _, err := w.whole(ctx, tip, steps); err != nil {
			return err
		}
		note := fmt.Sprintf("%d commits were made one, as the remote refused them one by one", len(steps))
		if w.tip == w.theirs {
			note = fmt.Sprintf("%d commits are dropped, as together they change nothing", len(steps))
		}
		w.notes = append(w.notes, note)
		return nil
	})
	if !several {
		last = ""
	}
	return last, told, err
}
