package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-plan/git-plan/plan/diag"
)

// places looks whether something else stands where git plan keeps its locks and
// what it remembers, or git the branch's reflog: then nothing can be written,
// nor mended. Who put it there knows what it is.
func (d *doctor) places(context.Context) error {
	r := d.app.repo
	common, state := filepath.Join(r.CommonDir, "git-plan"), r.StateDir()
	for _, dir := range []string{common, state} {
		info, err := os.Stat(dir)
		if d.inTheWay(dir, "folder", err == nil && info.IsDir(), err) {
			return nil
		}
		if state == common {
			break
		}
	}
	for _, file := range []string{
		filepath.Join(common, "door"), filepath.Join(common, "lock"), filepath.Join(common, "journal"),
		filepath.Join(state, "state.lock"), filepath.Join(state, "commit.lock"), filepath.Join(state, "state.json"),
	} {
		info, err := os.Stat(file)
		d.inTheWay(file, "file", err == nil && info.Mode().IsRegular(), err)
	}
	log := filepath.Join(r.CommonDir, "logs", filepath.FromSlash(r.Ref))
	if below, err := os.ReadDir(log); err == nil && len(below) > 0 { // git removes an empty one
		d.inTheWay(log, "file", false, nil)
	}
	return nil
}

// inTheWay tells of a path that is there and not what it should be. Nothing is
// mended then.
func (d *doctor) inTheWay(path, want string, fits bool, err error) bool {
	info, lerr := os.Lstat(path)
	if fits || lerr != nil && errors.Is(lerr, fs.ErrNotExist) || lerr == nil && info.Mode()&fs.ModeSymlink == 0 && err != nil {
		return false // what cannot be looked at is told where it is needed
	}
	if lerr != nil {
		return false
	}
	d.blocked, d.fix = true, false
	d.fault(diag.Error, "place", "mv "+quote(path)+" "+quote(path+".away"), "%s is no %s, and stands where git plan needs one", path, want)
	return true
}

// rebase tells of one of the branch that is not finished.
func (d *doctor) rebase(ctx context.Context) error {
	open, err := d.app.repo.Store.Rebase(ctx)
	if err != nil || open == nil {
		return err
	}
	in := "git -C " + quote(open.Worktree) + " rebase "
	mend := in + "--continue; or " + in + "--abort"
	if open.Gone {
		mend = "git worktree prune"
	}
	d.fault(diag.Warning, "worktree", mend, "%s is being rebased in %s: until that ends nothing can be written", open.Ref, open.Worktree)
	return nil
}
