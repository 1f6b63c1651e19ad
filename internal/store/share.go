package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/gitstore"
)

// commitShared is [Repo.Commit] on the remote's newest state: what is there is
// fetched and merged first, the commit is pushed, and only then does the store
// here move. When the remote moved meanwhile the mutation runs again. So of
// several clones that claim one task, one gets it.
func (r *Repo) commitShared(ctx context.Context, mutate Mutation) (Result, error) {
	remote, err := r.remote("")
	if err != nil {
		return Result{}, err
	}
	s, result := &syncing{repo: r, remote: remote}, Result{}
	if err := r.giveTurn(ctx); err != nil {
		return Result{}, err
	}
	err = follow(ctx, remote, func() (again bool, err error) {
		result, again, err = s.shareOnce(ctx, mutate)
		return again, err
	})
	return result, err
}

// CommitMerge is [Repo.Commit] of a merge that somebody settled. It lands here
// first, whether or not [Repo.Publish] is set, as nothing can be pushed before
// it is made; that it could not be pushed then is told as a note.
func (r *Repo) CommitMerge(ctx context.Context, mutate Mutation) (Result, error) {
	result, err := r.land(ctx, mutate, nil, nil)
	if err != nil || !r.Publish {
		return result, err
	}
	shared, err := r.Sync(ctx, SyncOptions{})
	switch {
	case err != nil:
		result.Notes = append(result.Notes, fmt.Sprintf("the merge is not pushed: %v; `git plan sync` does it", err))
	case shared.Status == SyncConflict || shared.Status == SyncRejected:
		result.Notes = append(result.Notes, fmt.Sprintf("the merge is not pushed (%s): see `git plan sync`", shared.Status))
	}
	return result, nil
}

// shareOnce makes one attempt; again says that the remote moved.
func (s *syncing) shareOnce(ctx context.Context, mutate Mutation) (result Result, again bool, err error) {
	r, remote := s.repo, s.remote
	theirs, err := s.fetch(ctx)
	if err != nil {
		return Result{}, false, fmt.Errorf("fetch the plans of %s: %w; nothing was changed: run it again when the remote can be reached, or for this clone alone without --push", remote.Name, err)
	}
	if err := s.mustFit(ctx, theirs); err != nil {
		return Result{}, false, err
	}
	s.arrived.begin(s.out.Commit)
	if err := s.meet(ctx, theirs); err != nil {
		var open *MergeError
		if errors.As(err, &open) {
			err = fmt.Errorf("%w; settle that first, with `git plan sync`", err)
		}
		if errors.Is(err, errUnfit) {
			err = s.unfit()
		}
		return Result{}, false, err
	}
	push := func(commit string) error { return r.Store.Push(ctx, remote, commit) }
	result, err = r.land(ctx, s.arrived.onto(mutate), push, nil)
	var elsewhere *gitstore.PublishedError
	if errors.As(err, &elsewhere) {
		result, err = s.catchUp(ctx, result, elsewhere), nil
	}
	if err == nil && result.Repeated && s.out.Commit != theirs {
		err = push(s.out.Commit) // the answer to it was lost before it was pushed
	}
	if err == nil && !result.Changed() && result.Commit != "" && result.Commit != theirs {
		err = push(result.Commit) // of commits that were made before
	}
	result.Notes = slices.Concat(s.out.Notes, result.Notes)
	var refused *gitstore.PushRefusedError
	again = errors.As(err, &refused) && s.locked.moved(refused)
	if refused != nil && refused.Moved && !again {
		refused.Lines = append(refused.Lines, r.whyHeld(ctx, refused))
	}
	return result, again, err
}

// catchUp brings here what the remote took while the branch here was moved or
// locked by somebody else, such as native git. The change counts, as the remote
// has it: that it cannot be brought here is a note.
func (s *syncing) catchUp(ctx context.Context, result Result, elsewhere *gitstore.PublishedError) Result {
	if err := s.meet(ctx, elsewhere.Commit); err != nil {
		result.Notes = append(result.Notes, fmt.Sprintf("%s has the change, and the store here does not: %v; `git plan sync` brings it here", s.remote.Name, err))
	}
	return result
}

// mustFit refuses to go on from commits here that the server would not take.
func (s *syncing) mustFit(ctx context.Context, theirs string) error {
	if ok, err := s.fitAlone(ctx, theirs); err != nil || ok {
		return err
	}
	return s.unfit()
}

// unfit is the refusal of what the server would not take.
func (s *syncing) unfit() error {
	return &gitstore.PushRefusedError{Remote: s.remote.Name, Reason: "it would get commits that do not pass the gate", Lines: s.out.Details}
}

// giveWay goes to the state of a remote that takes no push, if it has made all that
// is here, as after a proposal was squashed there: other commits to the same end could
// be neither pushed nor proposed. The reflog keeps them. Where the remote made nothing
// since, what cancels out here happened all the same, and stays.
func (s *syncing) giveWay(ctx context.Context) (bool, error) {
	tip, theirs := s.out.Commit, s.locked.seen
	if theirs == "" {
		return false, nil
	}
	if same, err := s.repo.sameTree(ctx, tip, theirs); err != nil || !same {
		return false, err
	}
	if c, err := s.repo.Store.Commit(ctx, tip); err != nil || len(c.Parents) != 2 || c.Parents[0] != theirs {
		return false, err
	}
	up, err := s.repo.Store.Update(ctx, "plan: sync", func(now gitstore.Tip) ([]gitstore.Change, error) {
		if now.Commit != tip {
			return nil, nil // there is more here by now
		}
		return []gitstore.Change{{Existing: theirs}}, nil
	})
	if err != nil || len(up.Commits) == 0 {
		return false, err
	}
	if tip == s.made {
		tip = s.before
	}
	s.out.Commit, s.out.Status = theirs, SyncPulled
	s.out.Notes = append(s.out.Notes, fmt.Sprintf("%s has all that was here; its own commits took the place of %.10s, which the reflog of %s keeps", s.remote.Name, tip, s.repo.Branch()))
	return true, nil
}

// errUnfit is returned for a merge that the server would not take. It does not land.
var errUnfit = errors.New("the merge would not pass the gate")

// mergeMustFit judges a merge before the store moves to it: one that is in the
// store and cannot be pushed would only have to be undone.
func (s *syncing) mergeMustFit(ctx context.Context, how, commit, theirs string) error {
	if how != SyncMerged {
		return nil
	}
	tip := s.out.Commit
	s.out.Commit = commit
	if ok, err := s.fit(ctx, theirs); err != nil || ok {
		return err
	}
	s.out.Commit = tip
	return errUnfit
}
