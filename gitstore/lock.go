package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/git-plan/git-plan/internal/filelock"
)

// dir is the folder for what is not kept in git, shared by all worktrees.
func (r *Repo) dir() string { return filepath.Join(r.CommonDir, "git-plan") }

// makeDir makes that folder as open to others as the git directory is.
func (r *Repo) makeDir() error {
	err := os.Mkdir(r.dir(), 0o777)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return asReadOnly(r.dir(), err)
	}
	r.Share(r.dir())
	return nil
}

// Share opens a file or folder that this process made in the git directory to
// those whom core.sharedRepository lets in, whatever the umask is. Git gave the
// git directory the mode that tells who they are.
func (r *Repo) Share(path string) {
	common, err := os.Stat(r.CommonDir)
	if err != nil || common.Mode()&0o022 == 0 {
		return
	}
	made, err := os.Stat(path)
	if err != nil {
		return
	}
	mode := common.Mode()
	if !made.IsDir() {
		mode = made.Mode() | mode&0o066
	}
	if mode != made.Mode() {
		_ = os.Chmod(path, mode) // who is not its owner need not: the owner did
	}
}

// lock waits for the turn of this process. Who waits first holds the place at the
// door, so that a busy writer cannot take one turn after the other.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if err := s.repo.makeDir(); err != nil {
		return nil, err
	}
	end := time.Now().Add(s.patience.flock)
	leave, err := s.repo.waitFor(ctx, s.repo.doorPath(), end)
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.repo.waitFor(ctx, s.repo.lockPath(), end)
}

// lockPath and doorPath give the files that writers lock. They stay.
func (r *Repo) lockPath() string { return filepath.Join(r.dir(), "lock") }
func (r *Repo) doorPath() string { return filepath.Join(r.dir(), "door") }

// waitFor takes the lock on one file of ours, until end at most.
func (r *Repo) waitFor(ctx context.Context, path string, end time.Time) (unlock func(), err error) {
	unlock, err = filelock.Wait(ctx, path, time.Until(end))
	switch {
	case err == nil:
		r.Share(path)
		return unlock, nil
	case errors.Is(err, filelock.ErrHeld):
		return nil, &LockedError{Path: path}
	case ctx.Err() != nil:
		return nil, err
	}
	return nil, asReadOnly(path, fmt.Errorf("lock %s: %w", path, err))
}

// reftableLocks gives the lock of the refs where they are in a reftable, and
// that of what a linked worktree has for itself: its HEAD, whose log tells of
// the ref too if the ref is checked out there.
func (r *Repo) reftableLocks() []string {
	locks := []string{filepath.Join(r.CommonDir, "reftable", "tables.list.lock")}
	if r.GitDir != r.CommonDir {
		locks = append(locks, filepath.Join(r.GitDir, "reftable", "tables.list.lock"))
	}
	return locks
}

// reftableLock gives the one of them that is there, else the first.
func (r *Repo) reftableLock() string {
	locks := r.reftableLocks()
	for _, path := range locks {
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	return locks[0]
}
