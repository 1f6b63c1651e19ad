package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
)

// fixCommand fixes what the doctor fixes itself.
const fixCommand = "git plan doctor --fix"

// fsckPatience bounds git fsck, which reads every object of the repository.
const fsckPatience = 30 * time.Second

// locks looks for locks of git that a killed process left, and names the process
// that has git plan's own.
func (d *doctor) locks(ctx context.Context) error {
	store := d.app.repo.Store
	if held := store.OwnLock(); held != nil {
		d.fault(diag.Warning, "lock", "wait for it to end", "%v", held)
	}
	locks, err := store.Locks(ctx, d.refs()...)
	for _, l := range locks {
		d.lock(l)
	}
	return err
}

// refs gives the refs that commands work with beside the branch itself, and the
// folders of such.
func (d *doctor) refs() []string {
	refs := []string{store.ProposalPrefix}
	remote := d.app.repo.Remote()
	if tracking := store.Tracking(remote, d.app.repo.Ref); tracking != "" {
		refs = append(refs, tracking, "refs/remotes/"+remote+strings.TrimPrefix(store.ProposalPrefix, "refs/heads"))
	}
	return refs
}

// lock reports a lock, and removes one that was left behind.
func (d *doctor) lock(l gitstore.Lock) {
	age := l.Age.Round(time.Second)
	switch {
	case !l.IsStale():
		d.fault(diag.Warning, "lock", "wait, then run `git plan doctor` again; or, if no git is at work there: rm "+quote(l.Path), "%s is held since %s", l.Path, age)
	case !d.fix:
		d.fault(diag.Error, "lock", fixCommand, "%s was left behind %s ago", l.Path, age)
	default:
		if err := l.Break(); err != nil {
			d.fault(diag.Error, "lock", "rm "+quote(l.Path), "%v", err)
			return
		}
		d.ok("lock", "removed %s, left behind %s ago", l.Path, age)
	}
}

// quote gives a path as a shell takes it.
func quote(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@,", r)
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// objects lets git look for damage among the objects, and for what the branch's
// history lacks.
func (d *doctor) objects(ctx context.Context) error {
	r := d.app.repo
	if d.broken {
		return nil
	}
	if _, err := r.Store.Tip(ctx); err != nil {
		return nil // there is no branch, which is reported elsewhere
	}
	bounded, stop := context.WithTimeout(ctx, fsckPatience)
	defer stop()
	faults, err := gitstore.Fsck(bounded, r.Repo, r.Ref)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case bounded.Err() != nil:
		d.fault(diag.Warning, "objects", "git fsck "+r.Ref, "git fsck takes longer than %s here", fsckPatience)
	case err != nil:
		return err
	case len(faults) > 0:
		d.fault(diag.Error, "objects", d.refetch(), "git fsck: %s", words.Few(faults, 5))
	default:
		d.ok("objects", "git fsck finds no fault")
	}
	return nil
}

// refetch says how to bring back objects that only others have.
func (d *doctor) refetch() string {
	if remote := d.app.repo.Remote(); remote != "" {
		return "git fetch --refetch " + remote
	}
	return "copy the objects from another clone: see 'git help fsck'"
}

// unreadable reports whether an error is about what the repository should hold.
func unreadable(err error) bool {
	var missing *gitstore.MissingObjectError
	var corrupt *gitstore.CorruptObjectError
	var broken *gitstore.BrokenRefError
	return errors.As(err, &missing) || errors.As(err, &corrupt) || errors.As(err, &broken)
}

// unread reports an object of the branch that cannot be read.
func (d *doctor) unread(name, text string) {
	d.fault(diag.Error, name, d.refetch(), "%s", text)
}
