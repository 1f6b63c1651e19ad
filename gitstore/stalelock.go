package gitstore

import (
	"cmp"
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

	info  fs.FileInfo
	after time.Duration // the age from which it was left behind
}

// Locks gives git's lock files that stand in the way of a command now: that of
// the ref itself, of packed-refs, of a reftable, of the configuration, of what a
// fetch notes, of the index and the HEAD of a worktree that has the ref checked
// out, unless an interrupted change left that index locked, which
// [Store.Recover] looks after; and those of other refs that the caller works
// with. One of these that ends in a slash is a folder of refs. A lock that is
// old and has no [Processes.Holder] was left behind by a git that died.
func (s *Store) Locks(ctx context.Context, others ...string) ([]Lock, error) {
	common := s.repo.CommonDir
	paths := []string{s.repo.refPath(s.ref) + ".lock", filepath.Join(common, "packed-refs.lock"), filepath.Join(common, "config.lock"), filepath.Join(common, "shallow.lock")}
	paths = append(paths, s.repo.reftableLocks()...)
	for _, ref := range others {
		paths = append(paths, s.repo.refLocks(ref)...)
	}
	if w := s.checkout(ctx); w != nil {
		paths = append(paths, filepath.Join(w.gitDir, "HEAD.lock")) // git notes in its log, too, where its branch is
		if _, err := os.Stat(s.repo.journalPath()); errors.Is(err, fs.ErrNotExist) {
			paths = append(paths, w.lockPath())
		}
	}
	return locksAt(paths, staleLock)
}

// UpkeepLocks gives git's lock files that keep it from tidying the repository:
// no command fails for them, but nothing is ever packed again, or, for gc.pid,
// each commit becomes a pack of its own.
func (s *Store) UpkeepLocks() ([]Lock, error) {
	common, objects := s.repo.CommonDir, s.repo.objectDir()
	locks, err := locksAt([]string{
		filepath.Join(objects, "maintenance.lock"), filepath.Join(objects, "pack", "multi-pack-index.lock"),
		filepath.Join(objects, "info", "commit-graph.lock"), filepath.Join(objects, "info", "commit-graphs", "commit-graph-chain.lock"),
		filepath.Join(common, "gc.pid.lock"), filepath.Join(common, "gc.log.lock"),
		filepath.Join(common, "packed-refs.new"), // git makes it under packed-refs.lock, and only where there is none
	}, staleLeftover)
	if err != nil {
		return nil, err
	}
	collecting := filepath.Join(common, "gc.pid")
	after := staleLock
	if !isOfThisMachine(collecting) {
		after = blindAge
	}
	more, err := locksAt([]string{collecting}, after)
	return append(locks, more...), err
}

// isOfThisMachine reports whether the process that a gc.pid names runs, or ran,
// where this one does: the file holds its id and the name of its machine.
func isOfThisMachine(path string) bool {
	data, err := os.ReadFile(path)
	_, host, _ := strings.Cut(strings.TrimSpace(string(data)), " ")
	here, unnamed := os.Hostname()
	return err == nil && unnamed == nil && host == here
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

// locksAt gives those of the files that are there.
func locksAt(paths []string, after time.Duration) ([]Lock, error) {
	var locks []Lock
	for _, path := range paths {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // with a reftable refs/heads is a file
			continue
		}
		if err != nil {
			return locks, err
		}
		locks = append(locks, Lock{Path: path, Age: max(0, time.Since(info.ModTime())), info: info, after: after})
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
	return p.abandoned(l.Path, l.Age, cmp.Or(l.after, staleLock))
}

// Break removes a lock that was left behind, unless it is another one by now.
func (l Lock) Break() error { return removeSame(l.Path, l.info) }

// OwnLock tries the locks that git plan's own processes share. They end with
// the process that holds them, so they are never left behind and never removed.
// It gives the path of one that is held now, or "".
func (s *Store) OwnLock() string {
	for _, path := range []string{s.repo.lockPath(), s.repo.doorPath()} {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		unlock, err := filelock.Try(path)
		if err == nil && unlock == nil {
			return path
		}
		if unlock != nil {
			unlock()
		}
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
