package gitstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"time"
)

// Previous stands, as a parent or a base, for the commit of the change before
// in the same list.
const Previous = "@previous"

// Change is one commit to make.
type Change struct {
	// Existing is the name of a commit that is there already and only has to
	// become the tip; all else is empty then.
	Existing string
	// Parents are the names of the parents, or [Previous].
	Parents []string
	// Root says that the commit has no parents on purpose.
	Root bool
	// Base is the commit whose tree Files apply to, or [Previous]; "" is the
	// empty tree.
	Base string
	// Files are applied in order.
	Files []FileChange
	// Message is UTF-8; a line end is added if it lacks one.
	Message string
	// Author and Committer are git's own where they are nil. One whose When is
	// zero gets the present moment.
	Author, Committer *Ident
	// Unsigned says that the commit is never signed. Others are when
	// commit.gpgSign is set.
	Unsigned bool
}

// FileChange is one file or folder to set or delete. Folders come and go with
// what is in them.
type FileChange struct {
	// Path has slashes and is relative to the root.
	Path string
	// Data is the file's new content.
	Data []byte
	// Delete takes a file or a whole folder away; it may be absent already.
	Delete bool
	// Object is the name of a blob or tree that the repository has, to put at
	// Path instead of Data. A tree replaces the whole folder.
	Object string
	// Mode is the entry's mode; 0 is [ModeFile]. [ModeFolder] needs Object.
	Mode uint32
}

// UpdateResult says what an [Store.Update] did.
type UpdateResult struct {
	// Commits are the names of the commits made, in the order of the changes;
	// the ref is at the last. It is empty if there was nothing to do.
	Commits []string
	// Old is the commit the ref was at before, or "".
	Old string
	// Warnings tell what went wrong after the commits had landed.
	Warnings []string
}

// Update moves the ref to new commits, all of them or none. It takes the lock
// that git plan's own processes share, asks fn for the changes to make on top
// of the tip, writes their objects and moves the ref in one transaction that
// expects the tip fn was given. When the ref moved meanwhile, fn is called again
// with the new tip: it must be free of side effects other than values it sets
// anew each time. fn gets the zero [Tip] when the ref does not exist. If it
// returns no changes nothing happens.
//
// An error means that the ref is as it was. A worktree that has the ref checked
// out is moved along; if changes there are in the way it is a *[WorktreeError],
// and where the ref is being rebased and that does not end, a *[RebaseError].
// Other errors are *[ReadOnlyError], *[LockedError], *[BusyError],
// *[ChangeError], those of git, and what fn returned.
func (s *Store) Update(ctx context.Context, reason string, fn func(tip Tip) ([]Change, error)) (UpdateResult, error) {
	return s.UpdateIf(ctx, reason, func(string) error { return nil }, fn)
}

// UpdateIf is [Store.Update] that asks about the new tip first: allow gets it once
// all its objects are in the repository, and the ref moves only if that succeeds.
// A failure of allow is returned as it is.
func (s *Store) UpdateIf(ctx context.Context, reason string, allow func(commit string) error, fn func(tip Tip) ([]Change, error)) (UpdateResult, error) {
	seen := ""
	if s.ref == s.repo.glanced {
		seen = s.repo.Glance() // whatever it is, it is out of date after this
	}
	go s.repo.isFlushedByUs(ctx) // which git has to say, and is needed soon
	begun := time.Now()
	unlock, err := s.lock(ctx)
	if err != nil {
		return UpdateResult{}, err
	}
	defer unlock()
	if time.Since(begun) > s.patience.moved {
		seen = ""
	}
	u := &update{ctx: ctx, store: s, reason: reason, allow: allow, fn: fn, who: s.repo.askIdentities(ctx), seen: seen}
	result, err := u.run()
	result.Warnings = append(u.mended, result.Warnings...)
	return result, err
}

// update is one call of Update or UpdateIf.
type update struct {
	ctx    context.Context
	store  *Store
	reason string
	allow  func(commit string) error // must succeed before the ref moves
	fn     func(tip Tip) ([]Change, error)
	who    identities
	seen   string       // the tip as it was a moment ago, or ""
	read   time.Time    // when the tip was asked for
	rebase *RebaseError // what was open then: its worktree may come back to the ref at any moment
	mended []string     // what was done about an interrupted update
}

// run makes attempts until one lands or patience is over.
func (u *update) run() (UpdateResult, error) {
	begun := time.Now()
	for attempt := 1; ; attempt++ {
		result, err := u.try(attempt == 1)
		var again *retryError
		if !errors.As(err, &again) {
			return result, err
		}
		if u.over(again.err, attempt, time.Since(begun)) {
			return UpdateResult{}, again.err
		}
		pause := time.Duration(rand.Int64N(int64(min(attempt, 20)) * int64(time.Millisecond)))
		if err := sleep(u.ctx, pause); err != nil {
			return UpdateResult{}, err
		}
	}
}

// minAttempts is how often an update is tried at least, however slow the
// machine is, against what comes and goes.
const minAttempts = 3

// over reports whether to give up after a failure that might pass.
func (u *update) over(err error, attempt int, spent time.Duration) bool {
	p := u.store.patience
	var busy *BusyError
	if errors.As(err, &busy) {
		busy.Attempts = attempt
		return attempt >= p.attempts
	}
	return spent >= p.refLock && attempt >= minAttempts || standing(err) >= p.stale
}

// standing gives how long nothing has happened to what is in the way, a lock or a
// rebase.
func standing(err error) time.Duration {
	var held *LockedError
	var open *RebaseError
	switch {
	case errors.As(err, &held):
		return held.Age
	case errors.As(err, &open):
		return open.Age
	}
	return 0
}

// try finishes or undoes what a crash left, and makes one attempt on the present
// tip. The children start ahead, while the change is worked out, to be quicker than
// whoever moves the ref meanwhile.
func (u *update) try(first bool) (UpdateResult, error) {
	done, err := u.store.recover(u.ctx)
	if u.mended = append(u.mended, done...); err != nil {
		return UpdateResult{}, err
	}
	out := u.store.newWriter(u.ctx)
	defer out.close()
	tx := &refTx{store: u.store}
	defer tx.close()
	out.ready, _ = out.unpack() // objects come soon
	tx.start(u.ctx, u.reason)
	tip, err := u.tip(first)
	if err != nil && !errors.Is(err, ErrNoRef) {
		return UpdateResult{}, err
	}
	result := UpdateResult{Old: tip.Commit}
	changes, err := u.fn(tip)
	if err != nil || len(changes) == 0 {
		return result, err
	}
	commits, err := u.write(tx, out, changes)
	if err == nil {
		<-tx.started
		err = tx.failed
	}
	if err != nil {
		return UpdateResult{}, err
	}
	tx.old, tx.new = tip.Commit, commits[len(commits)-1]
	if tx.new == tx.old {
		return result, nil
	}
	if u.rebase != nil { // also for its sake: it wants the ref's lock itself
		return UpdateResult{}, &retryError{u.rebase}
	}
	if err := u.allow(tx.new); err != nil {
		return UpdateResult{}, err
	}
	if result.Warnings, err = u.land(tip, tx, out); err != nil {
		return UpdateResult{}, err
	}
	result.Commits = commits
	return result, nil
}

// tip reads the ref. What was seen of it when the repository was found is as
// good for a first attempt: the transaction expects the ref to be still there.
func (u *update) tip(first bool) (_ Tip, err error) {
	u.read = time.Now()
	if u.rebase, err = u.store.Rebase(u.ctx); err != nil {
		return Tip{}, err
	}
	if first && u.seen != "" && u.store.isNowhere(u.ctx) {
		return Tip{Commit: u.seen}, nil
	}
	return u.store.Tip(u.ctx)
}

// write puts the objects of all changes into the repository.
func (u *update) write(tx *refTx, out *packWriter, changes []Change) ([]string, error) {
	commits, graft, err := u.build(out, changes)
	if err != nil {
		return nil, err
	}
	if err := out.flush(); err != nil {
		return nil, err
	}
	tx.objects, tx.secure = maps.Clone(out.types), out.secure
	maps.Copy(tx.objects, graft)
	return commits, nil
}

// land moves the ref, and a worktree along with it.
func (u *update) land(tip Tip, tx *refTx, out *packWriter) (warnings []string, err error) {
	s := u.store
	if tip.Worktree, err = u.worktree(tip); err != nil {
		return nil, err
	}
	move, err := s.beginMove(u.ctx, tip, tx.new)
	if err != nil {
		return nil, err
	}
	if err := tx.run(u.ctx); err != nil {
		return nil, errors.Join(err, move.undo())
	}
	if err := s.repo.flushRefName(s.ref); err != nil {
		warnings = append(warnings, fmt.Sprintf("the commit landed, and may not outlast a loss of power: %v", err))
	}
	// A gc that began a moment ago may have read the ref before it moved.
	if err := out.secure(); err != nil {
		warnings = append(warnings, fmt.Sprintf("the commit may not outlast the `git gc` that is at work: %v; run `git plan doctor` after it", err))
	}
	return append(warnings, move.finish(context.WithoutCancel(u.ctx))...), nil
}

// longAgo is the age from which it is looked anew who has the ref checked out.
const longAgo = 50 * time.Millisecond

// worktree gives the worktree that has the ref checked out, or "". To work a
// change out may take long, and so may asking whether it is allowed.
func (u *update) worktree(tip Tip) (string, error) {
	if tip.Commit == "" {
		return u.store.unbornWorktree(u.ctx)
	}
	if time.Since(u.read) < longAgo {
		return tip.Worktree, nil
	}
	now, err := u.store.Tip(u.ctx)
	if err != nil { // which the transaction finds out
		return tip.Worktree, nil
	}
	return now.Worktree, nil
}

// sleep waits, or ends early with ctx's error.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
