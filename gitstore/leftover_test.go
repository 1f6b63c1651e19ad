package gitstore

import (
	"errors"
	"fmt"
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

// Old temporary files of every kind are found, and nothing else.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "a"))
	r.Git("worktree", "add", "-q", "--detach", filepath.Join(filepath.Dir(r.Dir), "tree"))
	pid := fmt.Sprint(keepMessage, dead(t), "\n")
	old := map[string]string{
		"objects/pack/pack-1.keep": pid, "git-plan/journal.new": "x", "git-plan/cache/a.tmp12": "x",
		"worktrees/tree/git-plan/state.json.tmp12": "x", "git-plan/agent-123": "x", "info/exclude.tmp12": "x", "git-plan/told-123": "x", "worktrees/tree/git-plan/told-7": "x",
		"worktrees/tree/git-plan-index": "x", "worktrees/tree/git-plan-index.lock": "x", "worktrees/tree/git-plan-token": "x", "git-plan-token": "x",
	}
	others := map[string]string{
		"objects/pack/pack-2.keep": "mine", "objects/pack/pack-3.keep": "", "objects/pack/pack-4.keep": keepMessage + "x",
		"objects/info/tmp_obj_x": "x", "git-plan/agent": "x", "git-plan/state.json": "x", "git-plan/a.tmp": "x",
		"git-plan/told": "x", "git-plan/tree-x": "x", "worktrees/tree/index": "x",
		"objects/17/tmp_obj_abc": "x", "objects/pack/tmp_pack_abc": "x",
	}
	for path, text := range others {
		r.Write(".git/"+path, text)
	}
	for path, text := range old {
		r.Write(".git/"+path, text)
	}
	for path := range others {
		aged(t, filepath.Join(r.Dir, ".git", path), 48*time.Hour)
	}
	want := []string{}
	for path := range old {
		full := filepath.Join(r.Dir, ".git", path)
		aged(t, full, 48*time.Hour)
		want = append(want, full)
	}
	var got []string
	for _, l := range s.Leftovers() {
		got = append(got, l.Path)
		if maker := l.Maker(); maker != "" {
			t.Errorf("%s is in use by %s", l.Path, maker)
		}
		if err := l.Remove(); err != nil {
			t.Errorf("%+v, %v", l, err)
		}
		gone(t, l.Path)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for path := range others {
		if _, err := os.Stat(filepath.Join(r.Dir, ".git", path)); err != nil {
			t.Error(err)
		}
	}
}

// While a worktree is moved along, or waits for it, what that needs stays.
func TestLeftoversOfMove(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	for _, name := range []string{".git/git-plan/journal", ".git/git-plan-index", ".git/git-plan-token"} {
		r.Write(name, "x")
		aged(t, filepath.Join(r.Dir, name), 48*time.Hour)
	}
	if found := s.Leftovers(); len(found) != 0 {
		t.Errorf("%+v", found)
	}
}

// The folder in which the tree of the files is made goes with all it holds.
func TestLeftoverFolder(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	r.Write(".git/git-plan/tree-12/objects/17/x", "xx")
	for _, name := range []string{"/objects/17/x", "/objects/17", "/objects", ""} {
		aged(t, filepath.Join(r.Dir, ".git/git-plan/tree-12"+name), 48*time.Hour)
	}
	if found := s.Leftovers(); len(found) != 1 || found[0].Remove() != nil {
		t.Fatalf("%+v", found)
	}
	gone(t, filepath.Join(r.Dir, ".git/git-plan/tree-12"))
}

// What a living process keeps is left alone.
func TestLeftoverInUse(t *testing.T) {
	t.Parallel()
	l := Leftover{Path: "x.keep", Age: 48 * time.Hour, owner: os.Getpid()}
	if got := l.Maker(); !strings.HasPrefix(got, fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("its maker is %q", got)
	}
	l.owner = dead(t)
	if got := l.Maker(); got != "" {
		t.Errorf("its maker is %q", got)
	}
}
