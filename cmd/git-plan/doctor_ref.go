package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan/diag"
)

// ref looks whether the branch can be read as far as its newest commit's files.
func (d *doctor) ref(ctx context.Context) error {
	r := d.app.repo
	tip, err := r.Store.Tip(ctx)
	if err == nil {
		var c *gitstore.Commit
		if c, err = r.Store.Commit(ctx, tip.Commit); err == nil {
			_, err = r.Store.Tree(ctx, c.Tree)
		}
	}
	switch {
	case errors.Is(err, gitstore.ErrNoRef):
		return nil
	case err == nil:
		return d.foreign(ctx)
	case !unreadable(err):
		return err
	}
	d.broken = true
	text := fmt.Sprintf("%s cannot be read: %v", r.Ref, err)
	if broken := (*gitstore.BrokenRefError)(nil); errors.As(err, &broken) {
		text = fmt.Sprintf("%s is broken: %s", broken.Ref, broken.Detail)
	}
	d.fault(diag.Error, "branch", d.wayBack(ctx), "%s", text)
	return nil
}

// wayBack gives git's command that sets the branch to the newest commit that its
// reflog, or the remote as it was last seen, still names.
func (d *doctor) wayBack(ctx context.Context) string {
	r := d.app.repo
	end, err := r.RefEnd(ctx, r.Ref)
	if err != nil {
		end = r.Ref
	}
	begin, commit := "", gitstore.LastLogged(ctx, r.Repo, r.Ref)
	file := filepath.Join(r.CommonDir, filepath.FromSlash(end))
	if _, err := r.Git.ReadLine(ctx, "rev-parse", "--verify", "--quiet", end); err != nil && isFile(file) {
		begin = "rm " + quote(file) + " && " // git updates no ref whose file it cannot read
	}
	if tracking := store.Tracking(r.Remote(), r.Ref); commit == "" && tracking != "" {
		commit, _ = r.Store.TipOf(ctx, tracking)
	}
	if commit == "" {
		return fmt.Sprintf("git fsck --lost-found, which lists commits that nothing names; then %sgit update-ref %s COMMIT", begin, end)
	}
	return fmt.Sprintf("%sgit update-ref %s %s", begin, end, commit)
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

// tracking looks whether it can be read where the remote was last seen. Git does
// not fetch past a ref that is broken.
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
	fix := "git update-ref --no-deref -d " + ref
	if _, err := r.Git.ReadLine(ctx, "rev-parse", "--verify", "--quiet", ref); err != nil {
		fix = "rm " + quote(filepath.Join(r.CommonDir, filepath.FromSlash(ref)))
	}
	d.fault(diag.Error, "remote", fix+" && git fetch "+r.Remote(), "%s, where the remote was last seen, is broken: %s", ref, broken.Detail)
	return nil
}
