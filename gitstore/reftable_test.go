package gitstore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// withReftable makes a repository with the newest kind of ref storage, or skips
// the test where git has none.
func withReftable(t *testing.T, args ...string) *gittest.Repo {
	t.Helper()
	args = append([]string{"--ref-format=reftable"}, args...)
	if _, err := gittest.New(t).TryGit(append([]string{"init", "-q", "x"}, args...)...); err != nil {
		t.Skip("this needs git 2.45, which has reftables")
	}
	return gittest.New(t, gittest.Init(args...))
}

// formats are the names that objects of a repository with a reftable can have.
func formats(t *testing.T, test func(t *testing.T, r *gittest.Repo)) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			test(t, withReftable(t, "--object-format="+format))
		})
	}
}

func TestReftable(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, r *gittest.Repo) {
		s := open(t, r)
		if _, err := s.Tip(t.Context()); !errors.Is(err, ErrNoRef) {
			t.Errorf("no ref: %v", err)
		}
		first := put(t, s, file("a", "1"))
		commit := put(t, s, file("a", "2"))
		if tip, err := s.Tip(t.Context()); err != nil || tip != (Tip{Commit: commit}) {
			t.Errorf("tip %+v, %v", tip, err)
		}
		if name, err := s.Resolve(t.Context(), "plans~1"); err != nil || name != first {
			t.Errorf("resolved %s, %v", name, err)
		}
		seen, err := Discover(t.Context(), r.G(), testRef)
		if err != nil || seen.Glance() != commit {
			t.Errorf("a glance: %+v, %v", seen, err)
		}
		// Refs that replace objects are in the reftable, too: only git sees them.
		if got := s.Engine(); got != engineNative {
			t.Errorf("engine %s", got)
		}
		r.Git("replace", commit, first)
		if got := content(t, reopen(t, s), commit, "a"); got != "1" {
			t.Errorf("the replaced commit holds %q", got)
		}
		r.Git("replace", "-d", commit)
		r.Git("symbolic-ref", testRef, "refs/heads/main")
		if seen, err := Discover(t.Context(), r.G(), testRef); err != nil || seen.Glance() != "" {
			t.Errorf("a symbolic ref: %+v, %v", seen, err)
		}
		fsck(t, r)
	})
}

// A worktree that has the ref checked out follows it, wherever the writer is.
func TestReftableWorktree(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, r *gittest.Repo) {
		put(t, open(t, r), file("a", "1"))
		tree := r.At(filepath.Join(filepath.Dir(r.Dir), "tree"))
		r.Git("worktree", "add", "-q", tree.Dir, "plans")
		for i, from := range []*gittest.Repo{r, tree} {
			s, want := open(t, from), []string{"2", "3"}[i]
			commit := put(t, s, file("a", want))
			if tip, err := s.Tip(t.Context()); err != nil || tip != (Tip{commit, tree.Dir}) {
				t.Errorf("tip %+v, %v", tip, err)
			}
			if got := tree.Read("a"); got != want {
				t.Errorf("the worktree has %q, want %q", got, want)
			}
			if got := tree.Git("status", "--porcelain"); got != "" {
				t.Errorf("the worktree is not clean: %s", got)
			}
		}
		fsck(t, r)
	})
}

// A writer in the worktree that has the ref checked out needs the lock of that
// worktree's own refs as well.
func TestReftableLockOfAWorktree(t *testing.T) {
	t.Parallel()
	r := withReftable(t)
	put(t, open(t, r), file("a", "1"))
	tree := r.At(filepath.Join(filepath.Dir(r.Dir), "tree"))
	r.Git("worktree", "add", "-q", tree.Dir, "plans")
	r.Write(".git/worktrees/tree/reftable/tables.list.lock", "")
	lock := filepath.Join(r.Dir, ".git/worktrees/tree/reftable/tables.list.lock")
	s := hurry(open(t, tree))
	if locks, err := s.Locks(t.Context()); err != nil || len(locks) != 1 || locks[0].Path != lock {
		t.Errorf("locks %+v, %v", locks, err)
	}
	var held *LockedError
	if _, err := s.Update(t.Context(), "x", adding("x", file("a", "2"))); !errors.As(err, &held) || held.Path != lock || held.Age <= 0 {
		t.Errorf("locked: %v", err)
	}
	if got := tree.Read("a") + tree.Git("status", "--porcelain"); got != "1" {
		t.Errorf("the worktree has %q", got)
	}
	put(t, open(t, r), file("a", "3")) // from elsewhere it can be written
	if got := tree.Read("a"); got != "3" {
		t.Errorf("the worktree has %q", got)
	}
}

// One lock is for all refs. It is waited for, and one that stays is named.
func TestReftableLock(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, r *gittest.Repo) {
		s := open(t, r)
		before := put(t, s, file("a", "1"))
		if locks, err := s.Locks(t.Context()); err != nil || len(locks) != 0 {
			t.Errorf("locks %+v, %v", locks, err)
		}
		lock := filepath.Join(r.Dir, ".git/reftable/tables.list.lock")
		r.Write(".git/reftable/tables.list.lock", "")
		if locks, err := s.Locks(t.Context()); err != nil || len(locks) != 1 || locks[0].Path != lock {
			t.Errorf("locks %+v, %v", locks, err)
		}
		var held *LockedError
		if _, err := hurry(open(t, r)).Update(t.Context(), "x", adding("x", file("a", "2"))); !errors.As(err, &held) || held.Path != lock || held.Age <= 0 {
			t.Errorf("locked: %v", err)
		}
		if tip, err := s.Tip(t.Context()); err != nil || tip.Commit != before {
			t.Errorf("after the refusal: %+v, %v", tip, err)
		}
		released := time.AfterFunc(600*time.Millisecond, func() { _ = os.Remove(lock) }) // git itself waits 100 ms
		defer released.Stop()
		if commit := put(t, s, file("a", "3")); content(t, s, commit, "a") != "3" {
			t.Error("the change did not land once the lock was gone")
		}
	})
}
