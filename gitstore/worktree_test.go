package gitstore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// checkedOut makes a repository with a worktree of the store, holding a.md,
// b.md and plan/c.md.
func checkedOut(t *testing.T) (r, tree *gittest.Repo, s *Store) {
	t.Helper()
	r = gittest.New(t)
	s = open(t, r)
	put(t, s, file("a.md", "a1"), file("b.md", "b1"), file("plan/c.md", "c1"))
	dir := filepath.Join(filepath.Dir(r.Dir), "plans tree")
	r.Git("worktree", "add", "-q", dir, "plans")
	return r, r.At(dir), s
}

// quiet fails the test if a lock or the journal is left.
func quiet(t *testing.T, s *Store) {
	t.Helper()
	locks, err := s.Locks(t.Context())
	if err != nil || len(locks) != 0 {
		t.Errorf("locks left: %+v, %v", locks, err)
	}
	for _, pattern := range []string{"git-plan/journal*", "worktrees/*/git-plan-*", "git-plan-*"} {
		if left, _ := filepath.Glob(filepath.Join(s.repo.CommonDir, pattern)); len(left) != 0 {
			t.Errorf("left behind: %q", left)
		}
	}
}

func TestCheckedOutStoreMovesAlong(t *testing.T) {
	t.Parallel()
	r, tree, s := checkedOut(t)
	put(t, s, file("a.md", "a2"), file("new/d.md", "d1"), FileChange{Path: "plan", Delete: true})
	if got := tree.Git("status", "--porcelain"); got != "" {
		t.Errorf("status:\n%s", got)
	}
	if tree.Read("a.md") != "a2" || tree.Read("new/d.md") != "d1" {
		t.Error("the files stayed behind")
	}
	if _, err := os.Stat(filepath.Join(tree.Dir, "plan")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the deleted folder is there: %v", err)
	}
	quiet(t, s)

	tree.Write("b.md", "my edit")
	tree.Write("mine.md", "staged")
	tree.Git("add", "mine.md")
	tree.Write("untracked", "x")
	put(t, s, file("a.md", "a3"))
	if got := tree.Git("status", "--porcelain"); got != " M b.md\nA  mine.md\n?? untracked" {
		t.Errorf("unrelated changes:\n%s", got)
	}
	if tree.Read("b.md") != "my edit" || tree.Read("a.md") != "a3" {
		t.Error("an unrelated change was lost")
	}
	tree.Git("commit", "-q", "-m", "mine")
	if got := tree.Git("show", "--format=", "--name-status", "HEAD"); got != "A\tmine.md" {
		t.Errorf("a commit in the worktree holds:\n%s", got)
	}
	inside := open(t, tree) // and when run from there
	put(t, inside, file("a.md", "a4"))
	if tree.Read("a.md") != "a4" || tree.Git("status", "--porcelain") != " M b.md\n?? untracked" {
		t.Errorf("from inside: %s", tree.Git("status", "--porcelain"))
	}
	quiet(t, s)
	fsck(t, r)
}

func TestCheckedOutStoreRefusesOverlap(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(tree *gittest.Repo){
		"edited":    func(tree *gittest.Repo) { tree.Write("a.md", "my edit") },
		"staged":    func(tree *gittest.Repo) { tree.Write("a.md", "my edit"); tree.Git("add", "a.md") },
		"untracked": func(tree *gittest.Repo) { tree.Write("new.md", "mine") },
		"same size": func(tree *gittest.Repo) { tree.Write("a.md", "zz") }, // perhaps in the same second
	} {
		t.Run(name, func(t *testing.T) {
			r, tree, s := checkedOut(t)
			spoil(tree)
			before, status := state(r), tree.Git("status", "--porcelain")
			_, err := s.Update(t.Context(), "x", adding("x", file("a.md", "a2"), file("new.md", "n")))
			var refused *WorktreeError
			if !errors.As(err, &refused) || refused.Worktree != tree.Dir || len(refused.Lines) == 0 {
				t.Fatalf("err = %v", err)
			}
			contains(t, err.Error(), tree.Dir, ".md")
			if state(r) != before || tree.Git("status", "--porcelain") != status {
				t.Error("something changed")
			}
			quiet(t, s)
		})
	}
}

// A worktree may go on to another branch, or be made for this one, while a change
// is worked out or allowed: the one gets nothing of it, and the other all.
func TestWorktreesThatChangeMeanwhile(t *testing.T) {
	t.Parallel()
	for name, long := range map[string]func(s *Store, meanwhile func()) error{
		"worked out": func(s *Store, meanwhile func()) error {
			_, err := s.Update(t.Context(), "x", func(tip Tip) ([]Change, error) {
				meanwhile()
				return adding("x", file("new.md", "n"))(tip)
			})
			return err
		},
		"allowed": func(s *Store, meanwhile func()) error {
			allow := func(string) error { meanwhile(); return nil }
			_, err := s.UpdateIf(t.Context(), "x", allow, adding("x", file("new.md", "n")))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, tree, s := checkedOut(t)
			other := filepath.Join(filepath.Dir(r.Dir), "other")
			meanwhile := func() {
				time.Sleep(2 * longAgo)
				tree.Git("checkout", "-q", "-B", "work", "main")
				r.Git("worktree", "add", "-q", other, "plans")
			}
			if err := long(s, meanwhile); err != nil {
				t.Fatal(err)
			}
			for _, dir := range []string{tree.Dir, other} {
				if got := r.At(dir).Git("status", "--porcelain"); got != "" {
					t.Errorf("status in %s:\n%s", dir, got)
				}
			}
			gone(t, filepath.Join(tree.Dir, "new.md"))
			if r.At(other).Read("new.md") != "n" {
				t.Error("the new worktree is behind")
			}
			quiet(t, s)
		})
	}
}

// Nor does it get anything in the last moment, after it was looked for.
func TestWorktreeThatHasJustGoneOn(t *testing.T) {
	t.Parallel()
	r, tree, s := checkedOut(t)
	tip, err := s.Tip(t.Context())
	if err != nil || tip.Worktree != tree.Dir {
		t.Fatalf("%+v, %v", tip, err)
	}
	tree.Git("checkout", "-q", "-B", "work", "main")
	next := put(t, s, file("new.md", "n"))
	if m, err := s.beginMove(t.Context(), tip, next); m != nil || err != nil {
		t.Errorf("begun: %+v, %v", m, err)
	}
	if got := tree.Git("status", "--porcelain"); got != "" {
		t.Errorf("status:\n%s", got)
	}
	quiet(t, s)
	fsck(t, r)
}

// A worktree that cannot be moved along, as its path has a line end, is not left
// behind in silence.
func TestCheckedOutWithALineEnd(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	old := put(t, s, file("a.md", "a1"))
	dir := filepath.Join(filepath.Dir(r.Dir), "plans\ntree")
	r.Git("worktree", "add", "-q", dir, "plans")
	if _, err := s.Update(t.Context(), "x", adding("x", file("a.md", "a2"))); err == nil || !strings.Contains(err.Error(), "line end") {
		t.Errorf("err = %v", err)
	}
	if got := r.Git("rev-parse", testRef); got != old || r.At(dir).Git("status", "--porcelain") != "" {
		t.Errorf("the ref moved to %s", got)
	}
	quiet(t, s)
}

// A file that only looks changed, by its time, is in nobody's way.
func TestCheckedOutStoreMovesTouchedFiles(t *testing.T) {
	t.Parallel()
	_, tree, s := checkedOut(t)
	touched := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(tree.Dir, "a.md"), touched, touched); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Update(t.Context(), "x", adding("x", file("a.md", "a2"))); err != nil {
		t.Fatal(err)
	}
	if status := tree.Git("status", "--porcelain"); status != "" {
		t.Errorf("status %q", status)
	}
}

// Someone else's index.lock is respected.
func TestCheckedOutStoreLocked(t *testing.T) {
	t.Parallel()
	r, tree, s := checkedOut(t)
	lock := tree.Git("rev-parse", "--path-format=absolute", "--git-path", "index.lock")
	if err := os.WriteFile(lock, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	before := r.Git("rev-parse", testRef)
	_, err := hurry(s).Update(t.Context(), "x", adding("x", file("a.md", "a2")))
	var held *LockedError
	if !errors.As(err, &held) || held.Path != lock {
		t.Errorf("err = %v", err)
	}
	if locks, err := s.Locks(t.Context()); err != nil || len(locks) != 1 || locks[0].Path != lock {
		t.Errorf("Locks = %+v, %v", locks, err)
	}
	if r.Git("rev-parse", testRef) != before {
		t.Error("the ref moved")
	}
	if done, err := s.Recover(t.Context()); err != nil || len(done) != 0 {
		t.Errorf("Recover = %q, %v", done, err)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Error("a stranger's lock was removed")
	}
}

// HEAD of the worktree may name the ref before it exists.
func TestUnbornWorktree(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	dir := filepath.Join(filepath.Dir(r.Dir), "unborn")
	r.Git("worktree", "add", "-q", "--detach", "--no-checkout", dir)
	tree := r.At(dir)
	tree.Git("symbolic-ref", "HEAD", testRef)
	tree.Write("note", "mine")
	s := open(t, r)
	put(t, s, file("a.md", "a1"))
	if tree.Read("a.md") != "a1" || tree.Git("status", "--porcelain") != "?? note" {
		t.Errorf("status:\n%s", tree.Git("status", "--porcelain"))
	}
	quiet(t, s)

	r = gittest.New(t)
	r.Git("checkout", "-q", "--orphan", "plans") // the main worktree, its index full of code
	put(t, open(t, r), file("a.md", "a1"))
	if got := r.Git("status", "--porcelain"); got != "A  README.md" || r.Read("a.md") != "a1" {
		t.Errorf("status:\n%s", got)
	}
	bare := gittest.NewBare(t)
	bare.Git("symbolic-ref", "HEAD", testRef)
	put(t, open(t, bare), file("a.md", "a1"))
	put(t, open(t, bare), file("a.md", "a2"))
}

func TestWorktreeThatIsGone(t *testing.T) {
	t.Parallel()
	r, tree, s := checkedOut(t)
	if err := os.RemoveAll(tree.Dir); err != nil {
		t.Fatal(err)
	}
	put(t, s, file("a.md", "a2"))
	if err := os.Mkdir(tree.Dir, 0o755); err != nil { // or is something else by now
		t.Fatal(err)
	}
	put(t, s, file("a.md", "a3"))
	quiet(t, s)
	fsck(t, r)
}

func TestSubmoduleWithTheStoreCheckedOut(t *testing.T) {
	t.Parallel()
	source, outer := gittest.New(t), gittest.New(t)
	outer.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source.Dir, "mod")
	mod := outer.At(filepath.Join(outer.Dir, "mod"))
	s := open(t, mod)
	put(t, s, file("a.md", "a1"))
	mod.Git("checkout", "-q", "plans")
	put(t, s, file("a.md", "a2"))
	if got := mod.Git("status", "--porcelain"); got != "" || mod.Read("a.md") != "a2" {
		t.Errorf("status:\n%s", got)
	}
}

// The copy of the index keeps its time: git must go on distrusting entries that
// were written in the same moment as their files.
func TestIndexCopyKeepsItsTime(t *testing.T) {
	t.Parallel()
	_, tree, s := checkedOut(t)
	w, err := s.openWorktree(t.Context(), tree.Dir)
	if err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(w.indexPath(), past, past); err != nil {
		t.Fatal(err)
	}
	if err := w.copyIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(w.copyPath())
	if err != nil || !info.ModTime().Equal(past) {
		t.Errorf("time %v, %v", info.ModTime(), err)
	}
}

// An index that is missing is not made of what a change brings alone: the next
// commit there would delete the rest.
func TestNoChangeMakesAMissingIndex(t *testing.T) {
	t.Parallel()
	r, tree, s := checkedOut(t)
	tip := r.Git("rev-parse", testRef)
	index := tree.Git("rev-parse", "--path-format=absolute", "--git-path", "index")
	if err := os.Remove(index); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Update(t.Context(), "x", adding("x", file("new.md", "n"))); err == nil || !strings.Contains(err.Error(), "its index is missing: run 'git -C ") {
		t.Errorf("err = %v", err)
	}
	gone(t, index)
	if got := r.Git("rev-parse", testRef); got != tip {
		t.Errorf("the ref moved to %s", got)
	}
	tree.Git("reset", "-q")
	put(t, s, file("new.md", "n"))
	if got := tree.Git("status", "--porcelain"); got != "" {
		t.Errorf("status:\n%s", got)
	}
}
