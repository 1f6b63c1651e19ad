package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// fsckPatience bounds git fsck, which reads every object of the repository.
const fsckPatience = 30 * time.Second

func (d *doctor) checkGit(ctx context.Context) error {
	v, err := d.repo.Git.Version(ctx)
	if err != nil && v.Text == "" {
		return err
	}
	if err == nil && !v.AtLeast(2, 34) { // what calls itself by no number is taken for new enough
		d.fault(diag.Error, "git", "update git", "version %s is older than 2.34", v.Text)
		return nil
	}
	shape := "with a working tree"
	if d.repo.Bare {
		shape = "bare"
	}
	d.ok("git", "version %s; repository %s, %s, engine %s", v.Text, shape, d.repo.ObjectFormat, d.repo.Store.Engine())
	return nil
}

// checkBranch reads the branch as far as its newest commit's files.
func (d *doctor) checkBranch(ctx context.Context) error {
	s, err := d.repo.Snapshot(ctx)
	var taken *store.ExistsError
	switch {
	case unreadable(err):
		d.broken = true
		text := fmt.Sprintf("%s cannot be read: %v", d.repo.Ref, err)
		if broken := (*gitstore.BrokenRefError)(nil); errors.As(err, &broken) {
			text = fmt.Sprintf("%s is broken: %s", broken.Ref, broken.Detail)
		}
		d.fault(diag.Error, "branch", d.wayBack(ctx), "%s", text)
		return nil
	case err != nil || !s.Exists():
		return err
	case errors.As(s.MustBeStore(ctx), &taken):
		d.fault(diag.Error, "branch", fmt.Sprintf("git log %s, to see what it is", d.repo.Branch()), "%s", taken.Message)
	}
	return nil
}

// wayBack says how to set the branch to a commit again.
func (d *doctor) wayBack(ctx context.Context) string {
	r := d.repo
	end, err := r.RefEnd(ctx, r.Ref)
	if err != nil {
		end = r.Ref
	}
	set := fmt.Sprintf("git update-ref %s COMMIT", end)
	if file := d.refFile(ctx, end); file != "" { // git updates no ref whose file it cannot read
		set = "rm " + quote(file) + " && " + set
	}
	log := filepath.Join(r.CommonDir, "logs", filepath.FromSlash(end))
	return fmt.Sprintf("find its newest commit at the end of %s, or with git fsck --lost-found; then %s", quote(log), set)
}

// refFile gives the file of a ref, if git cannot read the ref from it.
func (d *doctor) refFile(ctx context.Context, ref string) string {
	file := filepath.Join(d.repo.CommonDir, filepath.FromSlash(ref))
	if _, err := d.repo.Git.ReadLine(ctx, "rev-parse", "--verify", "--quiet", ref); err == nil || !isFile(file) {
		return ""
	}
	return file
}

// checkTracking looks whether it can be read where the remote was last seen. Git
// does not fetch past a ref that is broken.
func (d *doctor) checkTracking(ctx context.Context) error {
	ref := store.Tracking(d.repo.Remote(), d.repo.Ref)
	if ref == "" {
		return nil
	}
	_, err := d.repo.Store.TipOf(ctx, ref)
	var broken *gitstore.BrokenRefError
	switch {
	case errors.Is(err, gitstore.ErrNoRef):
		return nil
	case !errors.As(err, &broken):
		return err
	}
	d.blind = true
	fix := "git update-ref --no-deref -d " + ref
	if file := d.refFile(ctx, ref); file != "" {
		fix = "rm " + quote(file)
	}
	d.fault(diag.Error, "remote", fix+" && git fetch "+d.repo.Remote(), "%s, where the remote was last seen, is broken: %s", ref, broken.Detail)
	return nil
}

// checkRebase reports one of the branch that is not finished.
func (d *doctor) checkRebase(ctx context.Context) error {
	open, err := d.repo.Store.Rebase(ctx)
	if err != nil || open == nil {
		return err
	}
	in := "git -C " + quote(open.Worktree) + " rebase "
	fix := in + "--continue; or " + in + "--abort"
	if open.Gone {
		fix = "git worktree prune"
	}
	d.fault(diag.Warning, "worktree", fix, "%s is being rebased in %s: until that ends nothing can be written", open.Ref, open.Worktree)
	return nil
}

// checkObjects lets git look for damage among the objects, and for what the
// branch's history lacks.
func (d *doctor) checkObjects(ctx context.Context) error {
	if d.broken {
		return nil
	}
	if _, err := d.repo.Store.Tip(ctx); err != nil {
		return nil // there is no branch, which is reported elsewhere
	}
	bounded, stop := context.WithTimeout(ctx, fsckPatience)
	defer stop()
	faults, err := gitstore.Fsck(bounded, d.repo.Repo, d.repo.Ref)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case bounded.Err() != nil:
		d.fault(diag.Warning, "objects", "git fsck "+d.repo.Ref, "git fsck takes longer than %s here", fsckPatience)
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
	if remote := d.repo.Remote(); remote != "" {
		return "git fetch --refetch " + remote
	}
	return "copy the objects from another clone: see 'git help fsck'"
}

// unreadable reports whether an error is about what the repository should hold.
func unreadable(err error) bool {
	return isA[*gitstore.MissingObjectError](err) || isA[*gitstore.CorruptObjectError](err) || isA[*gitstore.BrokenRefError](err)
}

// read passes on an error unless it is about an object of the branch, which it
// reports under a name.
func (d *doctor) read(name string, err error) error {
	if !unreadable(err) {
		return err
	}
	d.fault(diag.Error, name, d.refetch(), "%s", strings.TrimPrefix(err.Error(), name+": "))
	return nil
}

func (d *doctor) checkStore(ctx context.Context) error {
	if d.broken {
		return nil
	}
	s, err := d.repo.Snapshot(ctx)
	if err != nil {
		return d.read("store", err)
	}
	if !s.Exists() {
		d.fault(diag.Warning, "store", "git plan init", "there is no branch %s", d.repo.Branch())
		return nil
	}
	gates, found, err := s.Gates(ctx)
	if err != nil {
		return d.read("gates.yaml", err)
	}
	switch {
	case gates.Newer():
		d.fault(diag.Error, "gates.yaml", "update git plan", "its format %d is newer than this program knows", gates.Format)
	case len(found) > 0:
		d.fault(diag.Error, "gates.yaml", "mend it on branch "+d.repo.Branch(), "%s: %s", found[0].Pos, found[0].Message)
	default:
		d.ok("gates.yaml", "gate %s", gates.Gate)
	}
	d.checkModel(ctx, gates)
	strays, err := s.Strays(ctx)
	if err != nil {
		return err
	}
	for _, f := range strays {
		d.fault(f.Severity, "store", "git rm it in a worktree of "+d.repo.Branch(), "%s: %s", f.Path, f.Message)
	}
	if err := d.checkPublished(ctx, s.Commit); err != nil {
		return err
	}
	return d.checkPlans(ctx, s, gates)
}

// checkPublished reports commits that the remote does not have, or that are only
// there.
func (d *doctor) checkPublished(ctx context.Context, tip string) error {
	if d.blind {
		return nil
	}
	here, there, err := d.repo.Apart(ctx, tip)
	if err == nil && here+there > 0 {
		d.fault(diag.Warning, "remote", "git plan sync", "%s here and %s at the remote are not shared yet, as it was last seen",
			count(here, "commit"), count(there, "commit"))
	}
	return err
}

func (d *doctor) checkPlans(ctx context.Context, s *store.Snapshot, gates validate.Gates) error {
	world, err := d.repo.Project().World(ctx, "")
	if err != nil {
		return err
	}
	for _, l := range s.Locations() {
		p, err := s.LoadAt(ctx, l)
		if err != nil {
			if err := d.read("plan "+l.ID, err); err != nil {
				return err
			}
			continue
		}
		subject := store.Subject{Plan: p.Plan, Found: p.Found, Stored: true}
		if errs := store.Errors(subject, store.Policy{Gates: gates}, world); len(errs) > 0 {
			d.fault(diag.Error, "plan "+l.ID, "git plan check "+l.ID, "%s", count(len(errs), "error"))
		}
	}
	d.ok("plans", "%s looked at", count(len(s.Locations()), "plan"))
	return nil
}
