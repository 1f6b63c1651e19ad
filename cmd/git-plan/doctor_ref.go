package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
)

// ref looks whether the branch names a commit that can be read. Only the reflog
// tells what it named before; anything else is for a person to decide.
func (d *doctor) ref(ctx context.Context) error {
	r := d.app.repo
	fault, err := r.Store.RefFault(ctx)
	if err != nil {
		return err
	}
	if fault == nil {
		return errors.Join(d.behind(ctx), d.foreign(ctx))
	}
	d.broken = true
	switch {
	case fault.Obstacle != "":
		d.fault(diag.Error, "branch", letRead, "%s cannot be read: %s; %s", r.Ref, fault.Detail, fault.Obstacle)
	case fault.Good == "":
		d.fault(diag.Error, "branch", d.candidate(ctx, fault), "%s is broken: %s; its reflog names no commit that can be read", r.Ref, fault.Detail)
	case !d.fix:
		d.fault(diag.Error, "branch", fixCommand, "%s is broken: %s; the newest commit of its reflog that can be read is %s%s",
			r.Ref, fault.Detail, fault.Good, lost(fault))
	default:
		if err := r.Store.MendRef(ctx, fault); err != nil {
			d.fault(diag.Error, "branch", fixCommand, "%s is broken: %s; it was not mended: %v", r.Ref, fault.Detail, err)
			return nil
		}
		d.broken, d.mended = false, true
		r.Glance() // what it was before
		d.ok("branch", "set %s, broken as %s, back to %s%s", r.Ref, fault.Detail, fault.Good, lost(fault))
	}
	return nil
}

// behind tells of a commit that the branch had by its reflog, and left without a
// word there. Whether that was lost, or never came to be, only a person can say.
func (d *doctor) behind(ctx context.Context) error {
	r := d.app.repo
	newer, tip, ahead, err := r.Store.Behind(ctx)
	if err != nil || newer == "" {
		return err
	}
	went := fmt.Sprintf("it was at %.10s, of which it has nothing now", newer)
	if ahead {
		went = fmt.Sprintf("it went on from there to %.10s", newer)
	}
	mend, err := d.bringBack(ctx, newer, tip, ahead)
	if err != nil {
		return err
	}
	mend += fmt.Sprintf("; or, where that is as it should be: git reflog expire --expire=never --expire-unreachable=now %s", r.Ref)
	d.fault(diag.Warning, "branch", mend, "%s is at %.10s, and by its reflog %s: a disk that failed, a copy of the repository, or a program that is not git may have set it back", r.Ref, tip, went)
	return nil
}

// bringBack gives the command by which the branch has again what it lost, besides
// what came since, and by which a worktree of it follows.
func (d *doctor) bringBack(ctx context.Context, newer, tip string, ahead bool) (string, error) {
	r := d.app.repo
	at, err := r.Store.Tip(ctx)
	if err != nil {
		return "", err
	}
	now, err := r.At(ctx, tip)
	if err != nil {
		return "", err
	}
	holdsPlans := now.MustBeStore(ctx) == nil
	switch {
	case ahead && at.Worktree != "":
		return fmt.Sprintf("git -C %s merge --ff-only %s", quote(at.Worktree), newer), nil
	case !ahead && holdsPlans && at.Worktree != "": // it still has what was lost, which git would not overwrite
		return fmt.Sprintf("git -C %s stash && git -C %[1]s merge %s", quote(at.Worktree), newer), nil
	case !ahead && holdsPlans:
		return fmt.Sprintf("in a worktree of %s: git merge %s", r.Branch(), newer), nil
	}
	return fmt.Sprintf("git update-ref -m 'bring back what was lost' %s %s %s", r.Ref, newer, tip), nil
}

// foreign tells where the branch holds something other than plans.
func (d *doctor) foreign(ctx context.Context) error {
	r := d.app.repo
	s, err := r.Snapshot(ctx)
	if err != nil || !s.Exists() {
		return err
	}
	var taken *store.ExistsError
	if err := s.MustBeStore(ctx); !errors.As(err, &taken) {
		return err
	}
	d.fault(diag.Error, "branch", fmt.Sprintf("git log %s, to see what it is", r.Branch()), "%s", taken.Message)
	return nil
}

// tracking looks whether it can be read where the remote was last seen. Git can
// not fetch past a ref that is broken; without it, it only asks for more.
func (d *doctor) tracking(ctx context.Context) error {
	r := d.app.repo
	ref := store.Tracking(r.Remote(), r.Ref)
	if ref == "" {
		return nil
	}
	_, err := r.Store.TipOf(ctx, ref)
	var broken *gitstore.BrokenRefError
	if !errors.As(err, &broken) {
		if errors.Is(err, gitstore.ErrNoRef) {
			return nil
		}
		return err
	}
	d.blind = true
	if why := r.Store.OutOfReach(broken.Detail); why != "" {
		d.fault(diag.Error, "remote", letRead, "%s, which tells where the remote was last seen, cannot be read: %s; %s", ref, broken.Detail, why)
		return nil
	}
	if !d.fix {
		d.fault(diag.Error, "remote", fixCommand, "%s, which tells where the remote was last seen, is broken: %s", ref, broken.Detail)
		return nil
	}
	if err := r.Store.ForgetRef(ctx, ref); err != nil {
		d.fault(diag.Error, "remote", fixCommand, "%s is broken: %s; it was not mended: %v", ref, broken.Detail, err)
		return nil
	}
	d.blind = false
	d.ok("remote", "removed %s, broken: %s; `git plan sync` looks again where the remote is", ref, broken.Detail)
	return nil
}

// lost tells of the commits that a mended branch no longer has.
func lost(fault *gitstore.RefFault) string {
	if len(fault.Lost) == 0 {
		return ""
	}
	var names []string
	for _, l := range fault.Lost {
		names = append(names, fmt.Sprintf("%s (%s)", l.Name, l.Detail))
	}
	return fmt.Sprintf("; lost: %s: %s", count(len(names), "commit"), words.Few(names, 10))
}

// candidate gives the command that sets the branch to the best commit that is
// known apart from the reflog.
func (d *doctor) candidate(ctx context.Context, fault *gitstore.RefFault) string {
	r := d.app.repo
	begin := ""
	if fault.Old == "" { // git refuses to update such a file
		begin = "rm " + quote(filepath.Join(r.CommonDir, filepath.FromSlash(fault.Ref))) + " && "
	}
	if tracking := store.Tracking(r.Remote(), r.Ref); tracking != "" {
		if name, err := r.Store.TipOf(ctx, tracking); err == nil {
			return fmt.Sprintf("%sgit update-ref %s %s (where %s was last seen)", begin, r.Ref, name, tracking)
		}
	}
	return fmt.Sprintf("git fsck --lost-found, which lists commits that nothing names; then %sgit update-ref %s COMMIT", begin, r.Ref)
}
