package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/git-plan/git-plan/internal/filelock"
)

// staleLock is the age from which the lock of a ref was left behind: git holds one
// for the moment in which it moves the ref. Other locks, as that of an index, git
// may hold while it waits for an editor.
const staleLock = 10 * time.Minute

// Lock is a lock file of git that is there.
type Lock struct {
	Path string
	// Age is the time since it was last written.
	Age time.Duration

	info  fs.FileInfo
	ofRef bool
}

// Locks gives git's lock files that are in the way of a command now: those of the
// ref, of packed-refs, the configuration and what a fetch notes, of the index and
// the HEAD of a worktree that has the ref checked out, and those of other refs
// that the caller works with. One of these that ends in a slash is a folder of
// refs. An index that an interrupted change left locked is left out: the next
// change, or [Store.Recover], finishes that.
func (s *Store) Locks(ctx context.Context, others ...string) ([]Lock, error) {
	paths := s.locksOfMove(ctx)
	for _, ref := range others {
		paths = append(paths, s.repo.refLocks(ref)...)
	}
	ofRefs := len(paths)
	for _, name := range []string{"packed-refs.lock", "config.lock", "shallow.lock"} {
		paths = append(paths, filepath.Join(s.repo.CommonDir, name))
	}
	if w := s.checkout(ctx); w != nil && isGone(s.repo.journalPath()) {
		paths = append(paths, w.lockPath())
	}
	var locks []Lock
	for i, path := range paths {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // with a reftable refs/heads is a file
			continue
		}
		if err != nil {
			return locks, err
		}
		locks = append(locks, Lock{path, max(0, time.Since(info.ModTime())), info, i < ofRefs})
	}
	return locks, nil
}

// refLocks gives the locks that the files of a ref may have, or all that are in
// a folder of refs.
func (r *Repo) refLocks(ref string) []string {
	if !strings.HasSuffix(ref, "/") {
		return []string{r.refPath(ref) + ".lock"}
	}
	var paths []string
	_ = filepath.WalkDir(r.refPath(ref), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".lock") { // no ref has such a name
			paths = append(paths, path)
		}
		return nil
	})
	return paths
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

// IsStale reports whether the lock is that of a ref, and so old that it was left
// behind.
func (l Lock) IsStale() bool { return l.ofRef && l.Age >= staleLock }

// Remove removes it, unless it is another by now.
func (l Lock) Remove() error {
	now, err := os.Lstat(l.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return asReadOnly(l.Path, err)
	}
	if !os.SameFile(now, l.info) || !now.ModTime().Equal(l.info.ModTime()) {
		return fmt.Errorf("%s changed meanwhile; run 'git plan doctor' again", l.Path)
	}
	return asReadOnly(l.Path, os.Remove(l.Path))
}

// gitDirs gives the git directories of all worktrees.
func (r *Repo) gitDirs() []string {
	dirs := []string{r.CommonDir}
	names, _ := readNames(filepath.Join(r.CommonDir, "worktrees")) // there may be none
	for _, name := range names {
		dirs = append(dirs, filepath.Join(r.CommonDir, "worktrees", name))
	}
	return dirs
}

// OwnLock tries the locks that git plan's own processes share. They end with
// the process that holds them, so they are never left behind and never removed.
// It is a *[LockedError] if one is held now.
func (s *Store) OwnLock() error {
	for _, path := range []string{s.repo.lockPath(), filepath.Join(s.repo.dir(), door)} {
		if isGone(path) {
			continue
		}
		unlock, err := filelock.Try(path)
		if err == nil && unlock == nil {
			return s.repo.held(path)
		}
		if unlock != nil {
			unlock()
		}
	}
	return nil
}
