package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/gittest"
)

// state is all that must not change when an update fails.
func state(r *gittest.Repo) string {
	refs, _ := r.TryGit("for-each-ref")
	log, _ := r.TryGit("reflog", "show", testRef)
	status, _ := r.TryGit("status", "--porcelain")
	return refs + "\n" + log + "\n" + status
}

func TestUpdateFailureChangesNothing(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a", "1"))
	before := state(r)
	failure := errors.New("the gate says no")
	if _, err := s.Update(t.Context(), "x", func(Tip) ([]Change, error) { return nil, failure }); !errors.Is(err, failure) {
		t.Errorf("err = %v", err)
	}
	result, err := s.Update(t.Context(), "x", func(Tip) ([]Change, error) { return nil, nil })
	if err != nil || len(result.Commits) != 0 || result.Old == "" {
		t.Errorf("no changes: %+v, %v", result, err)
	}
	r.Write(".git/hooks/reference-transaction", "#!/bin/sh\n[ \"$1\" != prepared ] || { echo guarded >&2; exit 1; }\n")
	if err := os.Chmod(filepath.Join(r.Dir, ".git/hooks/reference-transaction"), 0o755); err != nil {
		t.Fatal(err)
	}
	var refused *git.Error
	if _, err := s.Update(t.Context(), "x", adding("x", file("b", "2"))); !errors.As(err, &refused) || !strings.Contains(refused.Stderr, "guarded") {
		t.Errorf("a hook's refusal gives %v", err)
	}
	if after := state(r); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func TestUpdateWithoutIdentity(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	for i, kv := range r.Env {
		if strings.HasPrefix(kv, "GIT_AUTHOR_") || strings.HasPrefix(kv, "GIT_COMMITTER_") {
			r.Env[i] = "X=1"
		}
	}
	r.Git("config", "user.useConfigOnly", "true")
	s := open(t, r)
	if _, err := s.Update(t.Context(), "x", adding("x", file("a", "1"))); err == nil {
		t.Error("a commit of nobody landed")
	} else {
		contains(t, err.Error(), "no email was given")
	}
	r.Git("config", "user.name", "From Config")
	r.Git("config", "user.email", "c@onfig")
	commit := put(t, open(t, r), file("a", "1"))
	if got := r.Git("log", "-1", "--format=%an %ae %cn", commit); got != "From Config c@onfig From Config" {
		t.Errorf("identity %s", got)
	}
}

// A ref that moved under an update makes it run again on what is there now.
func TestUpdateRunsAgainOnTheNewTip(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	first := put(t, s, file("a", "1"))
	calls := 0
	result, err := s.Update(t.Context(), "x", func(tip Tip) ([]Change, error) {
		if calls++; calls <= 2 {
			other := r.Git("commit-tree", "-p", tip.Commit, "-m", fmt.Sprint("other ", calls), tip.Commit+"^{tree}")
			r.Git("update-ref", testRef, other, tip.Commit)
		}
		return adding("mine", file("b", "2"))(tip)
	})
	if err != nil || calls != 3 {
		t.Fatalf("%d calls, %v", calls, err)
	}
	if got := r.Git("log", "--format=%s", first+".."+testRef); got != "mine\nother 2\nother 1" {
		t.Errorf("history:\n%s", got)
	}
	if result.Old != r.Git("rev-parse", testRef+"^") {
		t.Errorf("old = %s", result.Old)
	}
}

// Likewise when another process makes, or deletes, the ref.
func TestUpdateWhenTheRefAppearsOrVanishes(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	calls := 0
	mutate := func(meddle func(Tip)) func(Tip) ([]Change, error) {
		calls = 0
		return func(tip Tip) ([]Change, error) {
			if calls++; calls == 1 {
				meddle(tip)
			}
			return adding("mine", file("b", fmt.Sprint(calls, tip)))(tip)
		}
	}
	head := r.Git("rev-parse", "HEAD")
	if _, err := s.Update(t.Context(), "x", mutate(func(Tip) { r.Git("update-ref", testRef, head) })); err != nil || calls != 2 {
		t.Errorf("appears: %d calls, %v", calls, err)
	}
	if got := r.Git("rev-parse", testRef+"^"); got != head {
		t.Errorf("parent %s", got)
	}
	if _, err := s.Update(t.Context(), "x", mutate(func(Tip) { r.Git("update-ref", "-d", testRef) })); err != nil || calls != 2 {
		t.Errorf("vanishes: %d calls, %v", calls, err)
	}
	if got := r.Git("rev-list", "--count", testRef); got != "1" {
		t.Errorf("%s commits", got)
	}
}

func TestUpdateGivesUp(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := hurry(open(t, r))
	put(t, s, file("a", "1"))
	_, err := s.Update(t.Context(), "x", func(tip Tip) ([]Change, error) {
		r.Git("update-ref", testRef, r.Git("commit-tree", "-p", tip.Commit, "-m", "other", tip.Commit+"^{tree}"))
		return adding("mine", file("b", "2"))(tip)
	})
	var busy *BusyError
	if !errors.As(err, &busy) || busy.Attempts != 3 {
		t.Errorf("err = %v", err)
	}
}

func TestStaleRefLock(t *testing.T) {
	r := gittest.New(t)
	s := open(t, r)
	first := put(t, s, file("a", "1"))
	lock := filepath.Join(r.Dir, ".git", testRef+".lock")
	r.Write(".git/"+testRef+".lock", "")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(lock, old, old); err != nil {
		t.Fatal(err)
	}
	s.patience.refLock = time.Hour // which a lock so old gets nothing of
	_, err := s.Update(t.Context(), "x", adding("x", file("b", "2")))
	var held *LockedError
	if !errors.As(err, &held) || held.Path != lock || held.Age < time.Hour {
		t.Fatalf("err = %#v", err)
	}
	contains(t, err.Error(), lock, "1h0m0s")
	locks, err := s.Locks(t.Context())
	if err != nil || len(locks) != 1 || locks[0].Path != lock || locks[0].Age < time.Hour {
		t.Errorf("Locks = %+v, %v", locks, err)
	}
	go func() { // a lock that goes away in time does no harm
		time.Sleep(300 * time.Millisecond)
		_ = os.Remove(lock)
	}()
	now := time.Now()
	_ = os.Chtimes(lock, now, now)
	if put(t, s, file("b", "2")) == first {
		t.Error("nothing landed")
	}
}

func TestFlockIsShared(t *testing.T) {
	r := gittest.New(t)
	s, other := open(t, r), open(t, r)
	unlock, err := other.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = hurry(open(t, r)).Update(t.Context(), "x", adding("x", file("a", "1")))
	var held *LockedError
	if !errors.As(err, &held) || !strings.HasSuffix(held.Path, "git-plan/lock") {
		t.Errorf("err = %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err = s.Update(ctx, "x", adding("x", file("a", "1"))); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
	unlock()
	put(t, s, file("a", "1"))
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Log("root may write anywhere: only the error's making is tested")
		var refused *ReadOnlyError
		if err := asReadOnly("p", fmt.Errorf("x: %w", os.ErrPermission)); !errors.As(err, &refused) || !errors.Is(err, os.ErrPermission) {
			t.Errorf("err = %v", err)
		}
		if err := asReadOnly("p", &git.Error{Stderr: "error: insufficient permission for adding an object"}); !errors.As(err, &refused) {
			t.Errorf("err = %v", err)
		}
		return
	}
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a", "1"))
	for _, dir := range []string{".git/objects", ".git/git-plan"} {
		path := filepath.Join(r.Dir, dir)
		if dir == ".git/git-plan" {
			_ = os.RemoveAll(path)
			_ = os.Mkdir(path, 0o755)
		}
		_ = os.Chmod(path, 0o555)
		_, err := s.Update(t.Context(), "x", adding("x", file("b", "2")))
		_ = os.Chmod(path, 0o755)
		var refused *ReadOnlyError
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// The transaction looks at the ref and the objects again before it commits.
func TestTransactionChecksBeforeCommit(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	first := put(t, s, file("a", "1"))
	before := state(r)
	second := r.Git("commit-tree", "-p", first, "-m", "x", first+"^{tree}")
	absent := strings.Repeat("ab", 20)
	tx := startedTx(t, s, first, second)
	tx.objects = map[string]string{second: "commit", absent: "blob"}
	var missing *MissingObjectError
	if err := tx.run(t.Context()); !errors.As(err, &missing) || missing.Name != absent {
		t.Errorf("err = %v", err)
	}
	tx = startedTx(t, s, second, second)
	var again *retryError
	if err := tx.run(t.Context()); !errors.As(err, &again) {
		t.Errorf("err = %v", err)
	}
	if state(r) != before {
		t.Error("something changed")
	}
	locks, err := s.Locks(t.Context())
	if err != nil || len(locks) != 0 {
		t.Errorf("left behind: %+v, %v", locks, err)
	}
}

// startedTx is a transaction whose children wait.
func startedTx(t *testing.T, s *Store, from, to string) *refTx {
	t.Helper()
	tx := &refTx{store: s, old: from, new: to, secure: func() error { return nil }}
	t.Cleanup(tx.close)
	tx.start(t.Context(), "")
	if <-tx.started; tx.failed != nil {
		t.Fatal(tx.failed)
	}
	return tx
}

// Only sub-trees that change are read, however many stand beside them.
func TestManySiblings(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	blob := r.GitInput("x", "hash-object", "-w", "--stdin")
	var entries []Entry
	absent := strings.Repeat("ab", 20) // a tree that cannot be read
	for i := range 10_000 {
		entries = append(entries, Entry{Name: fmt.Sprintf("plan-%05d", i), Mode: ModeFolder, Object: absent})
	}
	entries[5000].Object = r.GitInput("100644 blob "+blob+"\tplan.md\n", "mktree")
	raw, err := encodeTree(entries)
	if err != nil {
		t.Fatal(err)
	}
	tree := r.GitInput(string(raw), "hash-object", "-t", "tree", "-w", "--stdin")
	r.Git("update-ref", testRef, r.Git("commit-tree", "-m", "many", tree))
	commit := put(t, s, file("plan-05000/plan.md", "changed"), file("plan-05000x/plan.md", "new"))
	if got := content(t, s, commit, "plan-05000/plan.md"); got != "changed" {
		t.Errorf("content %q", got)
	}
	if got := len(strings.Split(r.Git("ls-tree", "--name-only", commit), "\n")); got != 10_001 {
		t.Errorf("%d entries", got)
	}
}

// The environment of a hook has relative paths and a git directory of its own.
func TestUpdateInAHooksEnvironment(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r.With("GIT_INDEX_FILE=.git/index", "GIT_PREFIX="))
	commit := put(t, s, file("a", "1"))
	if got := r.Git("status", "--porcelain"); got != "" || commit == "" {
		t.Errorf("status %q", got)
	}
}

func TestMaintain(t *testing.T) {
	s := open(t, gittest.New(t))
	dir := t.TempDir()
	script := "#!/bin/sh\necho \"$@\" >>" + dir + "/said\n"
	gittest.Script(t, filepath.Join(dir, "git"), script)
	s.repo.Git = s.repo.Git.WithEnv("PATH=" + dir + ":/bin:/usr/bin")
	if err := s.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	gittest.Until(t, "the start of git", func() bool {
		said, err := os.ReadFile(filepath.Join(dir, "said"))
		return err == nil && strings.Contains(string(said), "maintenance run --auto")
	})
}

// What is asked about lands only if it may, and whoever is asked can read it.
func TestUpdateIf(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a", "a"))
	before, no := state(r), errors.New("not that one")
	for _, may := range []error{no, nil} {
		asked := ""
		result, err := s.UpdateIf(t.Context(), "test", func(commit string) error {
			asked = r.Git("show", commit+":b")
			return may
		}, adding("x", file("b", "b")))
		if !errors.Is(err, may) || asked != "b" || (may != nil) != (len(result.Commits) == 0 && state(r) == before) {
			t.Errorf("asked of %q, answered %v: %+v, %v", asked, may, result, err)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	for _, siblings := range []int{0, 10_000} {
		b.Run(fmt.Sprint(siblings), func(b *testing.B) { benchmarkUpdate(b, siblings) })
	}
}

func benchmarkUpdate(b *testing.B, siblings int) {
	r := gittest.New(b)
	s := open(b, r)
	all := []FileChange{file("a/plan.md", "0")}
	for i := range siblings {
		all = append(all, file(fmt.Sprintf("plan-%05d/plan.md", i), "x"))
	}
	put(b, s, all...)
	for i := 0; b.Loop(); i++ {
		if _, err := s.Update(b.Context(), "x", adding("x", file("a/plan.md", fmt.Sprint(i)))); err != nil {
			b.Fatal(err)
		}
	}
}
