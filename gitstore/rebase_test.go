package gitstore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// stopped begins a rebase of the store in a worktree, and leaves it open.
func stopped(t *testing.T, tree *gittest.Repo, args ...string) {
	t.Helper()
	args = append([]string{"rebase", "-q"}, args...)
	if out, err := tree.TryGit(args...); err == nil {
		t.Fatalf("the rebase did not stop: %s", out)
	}
}

// While a worktree rebases the ref git moves it for nobody: what landed would be
// dropped by an abort. Nor does the store.
func TestRebasedStoreStays(t *testing.T) {
	t.Parallel()
	linked := func(t *testing.T) (tree *gittest.Repo, s *Store) {
		_, tree, s = checkedOut(t)
		return tree, s
	}
	for name, tt := range map[string]struct {
		make func(t *testing.T) (tree *gittest.Repo, s *Store)
		args []string
	}{
		"linked": {linked, []string{"--exec", "false", "HEAD~1"}},
		"seen from there": {func(t *testing.T) (*gittest.Repo, *Store) {
			_, tree, _ := checkedOut(t)
			return tree, open(t, tree)
		}, []string{"--exec", "false", "HEAD~1"}},
		"main": {func(t *testing.T) (*gittest.Repo, *Store) {
			r := gittest.New(t)
			s := open(t, r)
			put(t, s, file("b.md", "b1"))
			r.Git("checkout", "-q", "plans")
			return r, s
		}, []string{"--exec", "false", "HEAD~1"}},
		"by mails": {func(t *testing.T) (*gittest.Repo, *Store) {
			tree, s := linked(t)
			tree.Git("checkout", "-q", "-b", "other")
			tree.Write("b.md", "other")
			tree.Commit("other")
			tree.Git("checkout", "-q", "plans")
			return tree, s
		}, []string{"--apply", "other"}},
		"by another name": {func(t *testing.T) (*gittest.Repo, *Store) {
			tree, s := linked(t)
			tree.Git("symbolic-ref", "refs/heads/agents", testRef)
			other := Open(s.repo, "refs/heads/agents")
			t.Cleanup(func() { _ = other.Close() })
			return tree, other
		}, []string{"--exec", "false", "HEAD~1"}},
		"reftable": {func(t *testing.T) (*gittest.Repo, *Store) {
			r := withReftable(t)
			s := open(t, r)
			put(t, s, file("b.md", "b1"))
			dir := filepath.Join(filepath.Dir(r.Dir), "tree")
			r.Git("worktree", "add", "-q", dir, "plans")
			return r.At(dir), s
		}, []string{"--exec", "false", "HEAD~1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, s := tt.make(t)
			tree.Write("b.md", "by hand")
			tree.Commit("by hand")
			stopped(t, tree, tt.args...)
			before := tree.Git("rev-parse", "plans")
			if _, err := tree.TryGit("branch", "-f", "plans", "plans~1"); err == nil {
				t.Error("git itself moves it")
			}
			hurry(s)
			_, err := s.UpdateIf(t.Context(), "x", func(string) error { t.Error("asked whether it may land"); return nil }, adding("x", file("a.md", "a2")))
			var refused *RebaseError
			if !errors.As(err, &refused) || refused.Worktree != tree.Dir || refused.Ref != testRef || refused.Gone {
				t.Fatalf("err = %v", err)
			}
			if got := tree.Git("rev-parse", "plans"); got != before {
				t.Errorf("it moved to %s", got)
			}
			if result, err := s.Update(t.Context(), "x", func(Tip) ([]Change, error) { return nil, nil }); err != nil || len(result.Commits) > 0 {
				t.Errorf("nothing to do: %+v, %v", result, err)
			}
			tree.Git("rebase", "--abort")
			if got := tree.Git("rev-parse", "plans"); got != before {
				t.Errorf("after the abort it is at %s", got)
			}
			put(t, s, file("a.md", "a2"))
			quiet(t, s)
			fsck(t, tree)
		})
	}
}

// A rebase that nothing stops is waited for.
func TestRebaseIsWaitedFor(t *testing.T) {
	t.Parallel()
	_, tree, s := checkedOut(t)
	put(t, s, file("b.md", "b2"))
	stopped(t, tree, "--exec", "false", "HEAD~1")
	tries := 0
	_, err := s.Update(t.Context(), "x", func(tip Tip) ([]Change, error) {
		if tries++; tries == 3 {
			tree.Git("rebase", "--skip")
		}
		return adding("x", file("a.md", "a2"))(tip)
	})
	if err != nil || tries != 4 || tree.Read("a.md") != "a2" {
		t.Errorf("%d tries, %v", tries, err)
	}
}

// One that begins while a change is about to land is seen in the last moment, and
// one at which nothing happens any more is not waited for.
func TestRebaseThatBeginsLate(t *testing.T) {
	t.Parallel()
	_, tree, s := checkedOut(t)
	put(t, s, file("b.md", "b2"))
	long := time.Now().Add(-time.Minute)
	_, err := s.UpdateIf(t.Context(), "x", func(string) error {
		stopped(t, tree, "--exec", "false", "HEAD~1")
		return os.Chtimes(filepath.Join(tree.Git("rev-parse", "--absolute-git-dir"), "rebase-merge"), long, long)
	}, adding("x", file("a.md", "a2")))
	var refused *RebaseError
	if !errors.As(err, &refused) || refused.Age < time.Minute {
		t.Errorf("allowed: %v", err)
	}
	tries := 0
	_, err = s.Update(t.Context(), "x", func(tip Tip) ([]Change, error) {
		tries++
		return adding("x", file("a.md", "a2"))(tip)
	})
	if !errors.As(err, &refused) || tries != 1 {
		t.Errorf("%d tries: %v", tries, err)
	}
}

// A rebase of another branch is in nobody's way, and one in a worktree that is
// gone ends when git forgets that.
func TestRebasesElsewhere(t *testing.T) {
	t.Parallel()
	r, tree, s := checkedOut(t)
	r.Commit("code")
	r.Commit("more code")
	if _, err := r.TryGit("rebase", "-q", "--exec", "false", "HEAD~1"); err == nil {
		t.Fatal("the rebase did not stop")
	}
	put(t, s, file("a.md", "a2"))
	stopped(t, tree, "--exec", "false", "HEAD~1")
	if err := os.RemoveAll(tree.Dir); err != nil {
		t.Fatal(err)
	}
	open, err := s.Rebase(t.Context())
	if err != nil || open == nil || !open.Gone || open.Worktree != tree.Dir {
		t.Fatalf("%+v, %v", open, err)
	}
	r.Git("worktree", "prune")
	if open, err := s.Rebase(t.Context()); err != nil || open != nil {
		t.Errorf("%+v, %v", open, err)
	}
	put(t, s, file("a.md", "a3"))
}
