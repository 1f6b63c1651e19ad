package gitstore

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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

// crash runs an update's last steps by hand and stops after the named one.
func crash(t *testing.T, s *Store, stage string) (old, next string) {
	t.Helper()
	ctx := t.Context()
	tip, err := s.Tip(ctx)
	if err != nil {
		t.Fatal(err)
	}
	out := s.newWriter(ctx)
	u := &update{ctx: ctx, store: s, who: s.repo.askIdentities(ctx)}
	changes, _ := adding("crashed", file("a.md", "a2"), file("new.md", "n1"), FileChange{Path: "plan", Delete: true})(tip)
	commits, _, err := u.build(out, changes)
	if err == nil {
		err = out.flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	next = commits[0]
	m, err := s.beginMove(ctx, tip, next)
	if err != nil {
		t.Fatal(err)
	}
	switch stage {
	case "begun": // as if the link to index.lock was the last thing done
		if err := errors.Join(os.Remove(m.worktree.copyPath()), m.record(phaseBegun)); err != nil {
			t.Fatal(err)
		}
		return tip.Commit, next
	case "locked":
		return tip.Commit, next
	}
	if err := startedTx(t, s, tip.Commit, next).run(ctx); err != nil {
		t.Fatal(err)
	}
	if stage == "power" {
		if err := os.WriteFile(m.worktree.innerPath(), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if slices.Contains([]string{"files", "unrenamed", "renamed", "released", "torn copy"}, stage) {
		if err := m.worktree.readTree(ctx, m.Old, m.New, "-u"); err != nil {
			t.Fatal(err)
		}
	}
	switch stage {
	case "half": // some files are written, the index is not
		w := m.worktree.path
		if err := errors.Join(os.WriteFile(filepath.Join(w, "new.md"), []byte("n1"), 0o644), os.Remove(filepath.Join(w, "a.md"))); err != nil {
			t.Fatal(err)
		}
	case "torn": // files are not written to their end
		w := m.worktree.path
		if err := errors.Join(os.WriteFile(filepath.Join(w, "new.md"), []byte("n"), 0o644), os.WriteFile(filepath.Join(w, "a.md"), nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	case "unrenamed", "renamed", "released", "torn copy":
		if err := halfPublished(m, stage); err != nil {
			t.Fatal(err)
		}
	}
	return tip.Commit, next
}

// halfPublished does what publishing a move does, up to a stage.
func halfPublished(m *move, stage string) (err error) {
	if m.Digest, err = fileDigest(m.worktree.copyPath()); err != nil {
		return err
	}
	err = m.record(phaseMoved)
	switch stage {
	case "torn copy":
		return errors.Join(err, os.Truncate(m.worktree.copyPath(), 20))
	case "renamed", "released":
		err = errors.Join(err, os.Rename(m.worktree.copyPath(), m.worktree.indexPath()))
	}
	if stage == "released" {
		err = errors.Join(err, m.worktree.release())
	}
	return err
}

// Whatever the moment of a crash, the next command ends at the old state or at
// the new one, with a worktree that agrees with the ref.
func TestCrashInTheWorktreeIsRecovered(t *testing.T) {
	t.Parallel()
	for stage, landed := range map[string]bool{
		"begun": false, "locked": false, "moved": true, "half": true, "torn": true, "files": true, "power": true,
		"unrenamed": true, "torn copy": true, "renamed": true, "released": true,
	} {
		t.Run(stage, func(t *testing.T) {
			r, tree, s := checkedOut(t)
			old, next := crash(t, s, stage)
			want := old
			if landed {
				want = next
			}
			if got := r.Git("rev-parse", testRef); got != want {
				t.Fatalf("the ref is at %s", got)
			}
			if stage != "released" { // the lock stops a commit from a stale index
				if _, err := tree.TryGit("commit", "--allow-empty", "-m", "x"); err == nil {
					t.Error("a commit was possible")
				}
			}
			done, err := open(t, r).Recover(t.Context())
			if err != nil || len(done) != 1 {
				t.Errorf("Recover = %q, %v", done, err)
			}
			if got := tree.Git("status", "--porcelain"); got != "" {
				t.Errorf("status:\n%s", got)
			}
			quiet(t, s)
			put(t, s, file("a.md", "a3"))
			if tree.Read("a.md") != "a3" || tree.Git("status", "--porcelain") != "" {
				t.Error("the next update did not reach the worktree")
			}
		})
	}
}

// An edit after the crash is kept and named.
func TestRecoverKeepsEdits(t *testing.T) {
	t.Parallel()
	r, tree, s := checkedOut(t)
	crash(t, s, "moved")
	tree.Write("a.md", "edited since")
	done, err := s.Recover(t.Context())
	if err != nil || len(done) != 2 {
		t.Fatalf("Recover = %q, %v", done, err)
	}
	contains(t, done[0], "a.md", tree.Dir)
	if got := tree.Git("status", "--porcelain"); got != " M a.md" || tree.Read("new.md") != "n1" {
		t.Errorf("status:\n%s", got)
	}
	quiet(t, s)
	fsck(t, r)
}

// The lock may be removed by hand, the ref may have gone on, the worktree may be
// gone, the journal may be unreadable.
func TestRecoverOddities(t *testing.T) {
	t.Parallel()
	r, tree, s := checkedOut(t)
	crash(t, s, "moved")
	lock := tree.Git("rev-parse", "--path-format=absolute", "--git-path", "index.lock")
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	tip := r.Git("rev-parse", testRef)
	r.Git("update-ref", testRef, r.Git("commit-tree", "-p", tip, "-m", "further", tip+"^{tree}"))
	if done, err := s.Recover(t.Context()); err != nil || len(done) != 1 {
		t.Errorf("Recover = %q, %v", done, err)
	}
	if got := tree.Git("status", "--porcelain"); got != "" {
		t.Errorf("status:\n%s", got)
	}
	r.Write(".git/git-plan/journal", "{")
	if done, err := s.Recover(t.Context()); err != nil || len(done) != 1 {
		t.Errorf("Recover = %q, %v", done, err)
	}
	tree.Git("checkout", "-q", "-f", "HEAD")
	put(t, s, file("a.md", "a9"), file("plan/x", "x"))
	crash(t, s, "moved")
	if err := os.RemoveAll(tree.Dir); err != nil {
		t.Fatal(err)
	}
	result, err := s.Update(t.Context(), "x", adding("x", file("z", "z")))
	if err != nil || len(result.Warnings) != 1 || !strings.Contains(result.Warnings[0], "gone") {
		t.Errorf("%+v, %v", result, err)
	}
	r.Git("worktree", "prune") // takes the lock along with the rest
	quiet(t, s)
}

// A lock that git made after ours was removed by hand is never taken for ours,
// nor is the index overwritten that came of it.
func TestStrangersLockIsKept(t *testing.T) {
	t.Parallel()
	for stage, landed := range map[string]bool{
		"begun": false, "locked": false, "moved": true, "files": true, "unrenamed": true, "torn copy": true, "renamed": true,
	} {
		t.Run(stage, func(t *testing.T) {
			r, tree, s := checkedOut(t)
			crash(t, s, stage)
			lock := tree.Git("rev-parse", "--path-format=absolute", "--git-path", "index.lock")
			if err := os.Remove(lock); err != nil {
				t.Fatal(err)
			}
			tree.Write("mine.md", "staged")
			tree.Git("add", "mine.md")
			if err := os.WriteFile(lock, []byte("a stranger's"), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := hurry(open(t, r)).Recover(t.Context())
			var held *LockedError
			if needed := landed && stage != "renamed"; needed != errors.As(err, &held) || !needed && err != nil {
				t.Errorf("err = %v", err)
			}
			if data, err := os.ReadFile(lock); err != nil || string(data) != "a stranger's" {
				t.Fatalf("the lock holds %q, %v", data, err)
			}
			if err := os.Remove(lock); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Recover(t.Context()); err != nil {
				t.Error(err)
			}
			if got := tree.Git("status", "--porcelain"); got != "A  mine.md" {
				t.Errorf("status:\n%s", got)
			}
			quiet(t, s)
		})
	}
}

// What is left of our own lock without a journal is in nobody's way.
func TestLockWithoutJournal(t *testing.T) {
	t.Parallel()
	r, tree, s := checkedOut(t)
	crash(t, s, "locked")
	r.Write(".git/git-plan/journal", "{")
	put(t, s, file("a.md", "a2"))
	if got := tree.Git("status", "--porcelain"); got != "" || tree.Read("a.md") != "a2" {
		t.Errorf("status:\n%s", got)
	}
	quiet(t, s)
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
