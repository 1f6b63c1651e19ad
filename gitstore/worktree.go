package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/git"
)

// worktree is a working tree that has the ref checked out. While its index.lock
// is ours, git leaves its index alone, and our commands work on a copy. The lock
// is a second name of our token: as long as both name the same file, no lock
// that somebody made later is taken for ours.
type worktree struct {
	path, gitDir string
	repo         *Repo
	git          git.Git
}

func (w *worktree) indexPath() string { return filepath.Join(w.gitDir, "index") }
func (w *worktree) lockPath() string  { return filepath.Join(w.gitDir, "index.lock") }
func (w *worktree) tokenPath() string { return filepath.Join(w.gitDir, "git-plan-token") }
func (w *worktree) copyPath() string  { return filepath.Join(w.gitDir, "git-plan-index") }

// innerPath is the lock of our own commands on the copy.
func (w *worktree) innerPath() string { return w.copyPath() + ".lock" }

// openWorktree gives the worktree at path, or nil if there is none on disk.
func (s *Store) openWorktree(ctx context.Context, path string) (*worktree, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, nil
	}
	found := s.repo
	if s.repo.WorkTree != path {
		other, err := Discover(ctx, s.repo.Git.Elsewhere(path), "")
		var none *NotRepositoryError
		if errors.As(err, &none) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		found = other
	}
	if found.WorkTree == "" || found.CommonDir != s.repo.CommonDir {
		return nil, nil
	}
	config, err := s.repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	w := &worktree{path: found.WorkTree, gitDir: found.GitDir, repo: s.repo}
	w.git = s.repo.Git.Elsewhere(w.path).WithEnv("GIT_DIR="+w.gitDir, "GIT_WORK_TREE="+w.path, "GIT_INDEX_FILE="+w.copyPath()).WithEnv(withoutFilters(config)...)
	return w, nil
}

// has reports whether the worktree has a ref checked out, be it there or not, or
// the branch that it leads to.
func (w *worktree) has(ctx context.Context, ref string) (bool, error) {
	if headLine(w.gitDir) == "ref: "+ref { // spares a child of git
		return true, nil
	}
	head, err := w.git.ReadLine(ctx, "symbolic-ref", "--quiet", "HEAD")
	if git.Status(err) == 1 { // it is detached
		return false, nil
	}
	if err != nil || head == ref {
		return err == nil, err
	}
	end, err := w.repo.RefEnd(ctx, ref)
	return head == end, err
}

// unbornWorktree gives the path of a worktree whose HEAD names the ref although
// it does not exist yet, or "".
func (s *Store) unbornWorktree(ctx context.Context) (string, error) {
	out, err := s.repo.Git.Read(ctx, "worktree", "list", "--porcelain")
	if err != nil {
		return "", err
	}
	path := ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "worktree "); ok {
			path = rest
		}
		if line == "branch "+s.ref {
			return path, nil
		}
	}
	return "", nil
}

// copyIndex makes a copy of the index, or an empty one. It may become the index.
func (w *worktree) copyIndex(ctx context.Context) error {
	err := CopyIndex(w.indexPath(), w.copyPath())
	if errors.Is(err, fs.ErrNotExist) {
		_, err = w.git.Write(ctx, nil, "read-tree", "--empty")
		return err
	}
	if err != nil {
		return err
	}
	return flushFile(w.copyPath())
}

// CopyIndex copies an index with its time: by that git knows which files may have
// been edited since without looking different.
func CopyIndex(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// refresh tells the copy of the index what the files hold, by their times.
func (w *worktree) refresh(ctx context.Context) error {
	_, err := w.git.Write(ctx, nil, w.repo.durable(ctx, "update-index", "-q", "--refresh")...)
	if git.Status(err) == 1 { // some files differ indeed
		return nil
	}
	return err
}

// takeLock makes index.lock ours, unless there is another.
func (w *worktree) takeLock() error {
	if w.ownsLock() { // left behind, its journal lost
		return remove(w.innerPath())
	}
	err := remove(w.tokenPath()) // never one that a lock of ours had before
	if err == nil {
		err = os.WriteFile(w.tokenPath(), []byte("git plan moves this worktree along; if none runs, 'git plan doctor --fix' finishes\n"), 0o666)
	}
	if err != nil {
		return err
	}
	err = os.Link(w.tokenPath(), w.lockPath())
	if errors.Is(err, fs.ErrExist) {
		return &retryError{&LockedError{Path: w.lockPath(), Age: age(w.lockPath())}}
	}
	if err != nil {
		return asReadOnly(w.lockPath(), fmt.Errorf("lock the index of the worktree %s: %w", w.path, err))
	}
	// Nobody works on the copy yet: an inner lock is that of a command that was
	// killed.
	return remove(w.innerPath())
}

// ownsLock reports whether index.lock is ours.
func (w *worktree) ownsLock() bool {
	ours, err := os.Lstat(w.tokenPath())
	if err != nil {
		return false
	}
	there, err := os.Lstat(w.lockPath())
	return err == nil && os.SameFile(ours, there)
}

// release takes our lock and what belongs to it away, and nothing else. The token
// stays as long as the lock does.
func (w *worktree) release() error {
	if w.ownsLock() {
		if err := remove(w.lockPath()); err != nil {
			return err
		}
	}
	return errors.Join(remove(w.innerPath()), remove(w.copyPath()), remove(w.tokenPath()))
}

// outlive waits for the end of a command that a killed process may have left
// running on the copy of the index. If a loss of power ended it, its own lock
// stays; that goes, as nobody else works on the copy.
func (w *worktree) outlive(ctx context.Context) error {
	for range 100 {
		if _, err := os.Stat(w.innerPath()); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err := sleep(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
	return remove(w.innerPath())
}

// dryRun tries whether index and files can be moved. Git takes a file for changed
// whose times are not those in the index, as after a copy of the folder or a
// restored backup; before it refuses for that, the copy of the index is told
// what the files hold.
func (w *worktree) dryRun(ctx context.Context, from, to string) error {
	err := w.readTree(ctx, from, to, "-n", "-u")
	var refused *WorktreeError
	if !errors.As(err, &refused) {
		return err
	}
	if w.refresh(ctx) != nil {
		return err
	}
	return w.readTree(ctx, from, to, "-n", "-u")
}

// readTree moves index and files from one commit or tree to another. With
// "-n" it only tries; git's refusal is a *[WorktreeError].
func (w *worktree) readTree(ctx context.Context, from, to string, flags ...string) error {
	args := append(w.repo.durable(ctx, "read-tree"), flags...)
	_, err := w.git.Write(ctx, nil, append(args, "-m", from, to)...)
	var refused *git.Error
	if !errors.As(err, &refused) {
		return err
	}
	if wasKilled(err) {
		return errors.Join(err, remove(w.innerPath()))
	}
	if git.Said(err, "failed to unpack tree object") || git.Said(err, "unable to read tree") { // see [refTx.explain]
		return &retryError{fmt.Errorf("move the worktree %s along: %w", w.path, err)}
	}
	if strings.HasPrefix(refused.Stderr, "fatal: ") { // it is not about what is in the way
		return fmt.Errorf("move the worktree %s along: %w", w.path, err)
	}
	var lines []string
	for line := range strings.Lines(refused.Stderr) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "error: "))
		if line != "" && line != "Aborting" {
			lines = append(lines, line)
		}
	}
	return &WorktreeError{Worktree: w.path, Lines: lines}
}

// withoutFilters gives the settings, for the environment, under which git runs
// no filter on files, whatever is configured. The attributes that ask for
// filters come with the branch, from whoever may push to it; plans are text and
// need none.
func withoutFilters(c *Config) []string {
	var env []string
	keys := c.Keys("filter.")
	slices.Sort(keys)
	for _, key := range keys {
		value := ""
		switch key[strings.LastIndexByte(key, '.'):] {
		case ".clean", ".smudge", ".process":
		case ".required":
			value = "false"
		default:
			continue
		}
		n := strconv.Itoa(len(env) / 2)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+key, "GIT_CONFIG_VALUE_"+n+"="+value)
	}
	return append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(env)/2))
}
