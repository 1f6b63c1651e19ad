package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const (
	// staleLock is the age from which a lock that no living process can hold
	// was left behind: no git command holds one for longer than its own run.
	staleLock = 10 * time.Minute
	// blindAge is the age from which something is taken for left behind where
	// the processes of the machine cannot be looked at.
	blindAge = 24 * time.Hour
)

// Lock is a lock file of git that is there.
type Lock struct {
	// Path is the file.
	Path string
	// Age is the time since it was last written.
	Age time.Duration

	info fs.FileInfo
}

// Locks gives git's lock files that stand in the way of the ref now: that of
// the ref itself, of packed-refs, of a reftable, and of the index of a worktree
// that has the ref checked out, unless an interrupted change left that one,
// which [Store.Recover] looks after. One that is old and has no
// [Processes.Holder] was left behind by a git that died.
func (s *Store) Locks(ctx context.Context) ([]Lock, error) {
	common := s.repo.CommonDir
	paths := []string{
		filepath.Join(common, filepath.FromSlash(s.ref)+".lock"),
		filepath.Join(common, "packed-refs.lock"),
	}
	paths = append(paths, s.repo.reftableLocks()...)
	if w := s.checkout(ctx); w != nil {
		if _, err := os.Stat(s.repo.journalPath()); errors.Is(err, fs.ErrNotExist) {
			paths = append(paths, w.lockPath())
		}
	}
	var locks []Lock
	for _, path := range paths {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // with a reftable refs/heads is a file
			continue
		}
		if err != nil {
			return locks, err
		}
		locks = append(locks, Lock{Path: path, Age: max(0, time.Since(info.ModTime())), info: info})
	}
	return locks, nil
}

// checkout gives the worktree that has the ref checked out, whether or not the
// ref can be read, or nil.
func (s *Store) checkout(ctx context.Context) *worktree {
	path := ""
	if tip, err := s.Tip(ctx); err == nil {
		path = tip.Worktree
	} else if path, err = s.unbornWorktree(ctx); err != nil {
		return nil
	}
	if path == "" {
		return nil
	}
	w, err := s.openWorktree(ctx, path)
	if err != nil {
		return nil
	}
	return w
}

// Stale reports whether the lock was left behind, and why it is not taken for
// that if it was not.
func (l Lock) Stale(p *Processes) (stale bool, why string) {
	return p.abandoned(l.Path, l.Age, staleLock)
}

// Break removes a lock that was left behind, unless it is another one by now.
func (l Lock) Break() error { return removeSame(l.Path, l.info) }

// OwnLock tries the locks that git plan's own processes share. They end with
// the process that holds them, so they are never left behind and never removed.
// It gives the path of one that is held now, or "".
func (s *Store) OwnLock() string {
	for _, name := range []string{"lock", "door"} {
		path := filepath.Join(s.repo.dir(), name)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		l := flock.New(path, flock.SetPermissions(0o666))
		if got, err := l.TryLock(); err == nil && !got {
			return path
		}
		_ = l.Unlock()
	}
	return ""
}

// removeSame removes a file or folder that is still the one that was looked at.
func removeSame(path string, info fs.FileInfo) error {
	now, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return asReadOnly(path, err)
	}
	if !os.SameFile(now, info) || !now.ModTime().Equal(info.ModTime()) {
		return fmt.Errorf("%s changed meanwhile; run 'git plan doctor' again", path)
	}
	if now.IsDir() {
		return asReadOnly(path, os.RemoveAll(path))
	}
	return asReadOnly(path, os.Remove(path))
}
