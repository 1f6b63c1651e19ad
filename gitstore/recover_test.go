package gitstore

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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
	switch stage {
	case "torn copy":
		return os.Truncate(m.worktree.copyPath(), 20)
	case "renamed", "released":
		err = os.Rename(m.worktree.copyPath(), m.worktree.indexPath())
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

// What a sparse checkout leaves out is not brought back by an interruption, and
// nothing is said of it.
func TestRecoverOfASparseWorktree(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{"moved", "files", "unrenamed"} {
		_, tree, s := checkedOut(t)
		tree.Git("sparse-checkout", "set", "--no-cone", "/plan/", "/b.md")
		crash(t, s, stage)
		if done, err := s.Recover(t.Context()); err != nil || len(done) != 1 {
			t.Errorf("%s: Recover = %q, %v", stage, done, err)
		}
		gone(t, filepath.Join(tree.Dir, "a.md"))
		gone(t, filepath.Join(tree.Dir, "new.md"))
		if tree.Git("status", "--porcelain") != "" || tree.Git("show", "HEAD:a.md") != "a2" {
			t.Errorf("%s: status:\n%s", stage, tree.Git("status", "--porcelain"))
		}
		quiet(t, s)
	}
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

// Who removes the lock and goes on to another branch gets nothing of the plans
// into its index, and no lock on it.
func TestRecoverLeavesAnotherBranchAlone(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{"locked", "moved", "unrenamed"} {
		for _, to := range []string{"-B work", "--detach"} {
			t.Run(stage+" "+to, func(t *testing.T) {
				r, tree, s := checkedOut(t)
				crash(t, s, stage)
				if err := os.Remove(tree.Git("rev-parse", "--path-format=absolute", "--git-path", "index.lock")); err != nil {
					t.Fatal(err)
				}
				tree.Git(append(append([]string{"checkout", "-q", "-f"}, strings.Fields(to)...), "main")...)
				tree.Git("clean", "-q", "-f", "-d")
				before := tree.Git("ls-files", "--stage")
				done, err := open(t, r).Recover(t.Context())
				if err != nil || len(done) != 1 || !strings.Contains(done[0], "something else checked out") {
					t.Errorf("Recover = %q, %v", done, err)
				}
				if after := tree.Git("ls-files", "--stage"); after != before || tree.Git("status", "--porcelain") != "" {
					t.Errorf("the index holds:\n%s\ninstead of:\n%s", after, before)
				}
				tree.Git("commit", "-q", "--allow-empty", "-m", "not locked")
				quiet(t, s)
			})
		}
	}
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
