package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Lock is a lock file of git that is there.
type Lock struct {
	// Path is the file.
	Path string
	// Age is the time since it was last written.
	Age time.Duration
}

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
	if info, err := os.Stat(r.CommonDir); err == nil {
		_ = os.Chmod(r.dir(), info.Mode()) // core.sharedRepository set that mode
	}
	return nil
}

// lock waits for the turn of this process. The kernel ends the lock with the
// process, so it is never stale. Who waits first holds the place at the door,
// so that a busy writer cannot take one turn after the other.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if err := s.repo.makeDir(); err != nil {
		return nil, err
	}
	end := time.Now().Add(s.patience.flock)
	leave, err := waitFor(ctx, filepath.Join(s.repo.dir(), "door"), end)
	if err != nil {
		return nil, err
	}
	defer leave()
	return waitFor(ctx, filepath.Join(s.repo.dir(), "lock"), end)
}

// waitFor takes the lock on one file, until end at most.
func waitFor(ctx context.Context, path string, end time.Time) (unlock func(), err error) {
	l := flock.New(path, flock.SetPermissions(0o666))
	for {
		got, err := l.TryLock()
		if err != nil {
			return nil, asReadOnly(path, fmt.Errorf("lock %s: %w", path, err))
		}
		if got {
			return func() { _ = l.Unlock() }, nil
		}
		if time.Now().After(end) {
			return nil, &LockedError{Path: path}
		}
		if err := sleep(ctx, time.Millisecond+rand.N(4*time.Millisecond)); err != nil {
			return nil, err
		}
	}
}

// Locks gives git's lock files that stand in the way of the ref now. One that
// is old was left behind by a git that died.
func (s *Store) Locks(ctx context.Context) ([]Lock, error) {
	common := s.repo.CommonDir
	paths := []string{
		filepath.Join(common, filepath.FromSlash(s.ref)+".lock"),
		filepath.Join(common, "packed-refs.lock"),
		filepath.Join(common, "reftable", "tables.list.lock"),
	}
	if tip, err := s.Tip(ctx); err == nil && tip.Worktree != "" {
		if w, err := s.openWorktree(ctx, tip.Worktree); err == nil && w != nil {
			paths = append(paths, w.lockPath())
		}
	}
	var locks []Lock
	for _, path := range paths {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return locks, err
		}
		locks = append(locks, Lock{Path: path, Age: max(0, time.Since(info.ModTime()))})
	}
	return locks, nil
}

// Maintain lets git tidy the repository if that is due. It returns at once; the
// work goes on in the background, its output discarded.
func (s *Store) Maintain(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.repo.Git.Detach("maintenance", "run", "--auto", "--quiet")
}
