package gitstore

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// aged sets the age of a file or folder.
func aged(t *testing.T, path string, ago time.Duration) {
	t.Helper()
	at := time.Now().Add(-ago)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// A lock that a command of ours would meet is found. That of a ref is stale once it is
// old; others a git may hold that waits for an editor.
func TestLocks(t *testing.T) {
	t.Parallel()
	r, tree, s := checkedOut(t)
	head := tree.Git("rev-parse", "--path-format=absolute", "--git-path", "HEAD.lock")
	index := tree.Git("rev-parse", "--path-format=absolute", "--git-path", "index.lock")
	for _, name := range []string{testRef + ".lock", "packed-refs.lock", "config.lock", "shallow.lock", "refs/remotes/origin/plans.lock", "refs/heads/proposals/a/b.lock", "refs/heads/main.lock", "HEAD.lock"} {
		r.Write(".git/"+name, "")
		aged(t, filepath.Join(r.Dir, ".git", name), time.Hour)
	}
	for _, path := range []string{head, index} {
		write(t, path, "")
		aged(t, path, time.Hour)
	}
	locks, err := s.Locks(t.Context(), "refs/remotes/origin/plans", "refs/heads/proposals/", "refs/remotes/none/")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range locks {
		rel, _ := filepath.Rel(filepath.Join(r.Dir, ".git"), l.Path)
		got = append(got, rel)
		if l.IsStale() != slices.Contains([]string{"plans.lock", "HEAD.lock", "b.lock"}, filepath.Base(l.Path)) {
			t.Errorf("%s of %s is stale: %v", l.Path, l.Age, l.IsStale())
		}
	}
	within := func(path string) string { return strings.TrimPrefix(path, filepath.Join(r.Dir, ".git")+"/") }
	want := []string{testRef + ".lock", within(head), "refs/remotes/origin/plans.lock", "refs/heads/proposals/a/b.lock", "packed-refs.lock", "config.lock", "shallow.lock", within(index)}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	inside := hurry(open(t, tree))
	if _, err := inside.Update(t.Context(), "test", adding("change", file("a.md", "inside"))); err == nil {
		t.Error("a change made in the worktree does not meet the lock of its HEAD")
	}
	for _, l := range locks {
		if err := l.Remove(); err != nil {
			t.Error(err)
		}
	}
	put(t, inside, file("a.md", "inside"))
}

// A lock that was taken anew is not the one that was looked at.
func TestBreakExpectsTheLock(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a", "1"))
	r.Write(".git/"+testRef+".lock", "")
	path := filepath.Join(r.Dir, ".git", testRef+".lock")
	aged(t, path, time.Hour)
	locks, err := s.Locks(t.Context())
	if err != nil || len(locks) != 1 {
		t.Fatalf("%v, %v", locks, err)
	}
	replace(t, path, nil)
	if err := locks[0].Remove(); err == nil {
		t.Error("a fresh lock was broken")
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// The lock of git plan itself is reported while it is held, and only then.
func TestOwnLock(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	if held := s.OwnLock(); held != nil {
		t.Errorf("before the first write: %v", held)
	}
	unlock, err := s.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var locked *LockedError
	if held := s.OwnLock(); !errors.As(held, &locked) || locked.Path != s.repo.lockPath() || locked.Holder != thisProcess().String() {
		t.Errorf("held: %v", held)
	}
	if _, err := hurry(open(t, r)).Update(t.Context(), "x", beginning); !errors.As(err, &locked) || locked.Holder != thisProcess().String() {
		t.Errorf("a write meanwhile: %v", err)
	}
	unlock()
	gittest.Until(t, "the lock to be free", func() bool { return s.OwnLock() == nil }) // who waited may still take it for a moment
}

// dead is the id of a process that is gone.
func dead(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("git", "version")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// What killed processes left long ago goes, and nothing else.
func TestTidy(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "a"))
	stale := []string{"git-plan/told-12", "git-plan/journal.new", "git-plan/cache/summaries.tmp12"}
	kept := []string{"git-plan/notes", "git-plan/cache/summaries", "git-plan/told-fresh", "objects/pack/own.keep"}
	for _, name := range append(slices.Clone(stale), kept...) {
		r.Write(".git/"+name, "x")
		aged(t, filepath.Join(r.Dir, ".git", name), 2*time.Hour)
	}
	r.Write(".git/git-plan/told-13", "x") // of a process that may be at work
	s.tidy()
	for _, name := range stale {
		if !isGone(filepath.Join(r.Dir, ".git", name)) {
			t.Errorf("%s is there", name)
		}
	}
	for _, name := range append(kept, "git-plan/told-13") {
		if isGone(filepath.Join(r.Dir, ".git", name)) {
			t.Errorf("%s is gone", name)
		}
	}
}
