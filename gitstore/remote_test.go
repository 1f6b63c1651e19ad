package gitstore

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// tracked is the store's ref on a remote as this repository remembers it.
func tracked(name string) Remote {
	return Remote{Name: name, Ref: testRef, Tracking: "refs/remotes/origin/plans"}
}

// What is pushed is fetched elsewhere, and each side knows where the other is.
func TestShareThroughARemote(t *testing.T) {
	t.Parallel()
	bare := gittest.NewBare(t)
	one := gittest.New(t)
	one.Git("remote", "add", "origin", bare.Dir)
	s := open(t, one)
	if got, err := s.Fetch(t.Context(), tracked("origin")); got != "" || err != nil {
		t.Errorf("an empty remote gave %q, %v", got, err)
	}
	first := put(t, s, file("a", "a"))
	if err := s.Push(t.Context(), tracked("origin"), first); err != nil {
		t.Fatal(err)
	}
	if got := one.Git("rev-parse", "refs/remotes/origin/plans"); got != first || bare.Git("rev-parse", testRef) != first {
		t.Errorf("the tracking ref is at %s", got)
	}
	two := bare.Clone(t)
	other := open(t, two)
	if got, err := other.Fetch(t.Context(), tracked(bare.Dir)); got != first || err != nil {
		t.Errorf("fetched %q, %v", got, err)
	}
	two.Git("update-ref", testRef, first)
	second := put(t, other, file("b", "b"))
	if err := other.Push(t.Context(), tracked("origin"), second); err != nil {
		t.Fatal(err)
	}
	behind := put(t, s, file("c", "c"))
	var refused *PushRefusedError
	if err := s.Push(t.Context(), tracked("origin"), behind); !isA(err, &refused) || !refused.Moved || !strings.Contains(err.Error(), "origin refused the push: ") {
		t.Errorf("a push that is behind: %v", err)
	}
	if got, err := s.Fetch(t.Context(), tracked("origin")); got != second || err != nil {
		t.Errorf("fetched %q, %v", got, err)
	}
}

// Where history is cut off, all of one ref's comes, and of another's no more.
func TestFetchWhole(t *testing.T) {
	t.Parallel()
	bare, one := gittest.NewBare(t), gittest.New(t)
	one.Git("remote", "add", "origin", bare.Dir)
	s := open(t, one)
	for _, text := range []string{"1", "2", "3"} {
		one.Commit(text)
		if err := s.Push(t.Context(), tracked("origin"), put(t, s, file("a", text))); err != nil {
			t.Fatal(err)
		}
	}
	one.Git("push", "-q", "origin", "HEAD:refs/heads/main")
	shallow := gittest.New(t)
	shallow.Git("fetch", "-q", "--depth=1", "file://"+filepath.ToSlash(bare.Dir), "refs/heads/main:refs/heads/code", testRef+":refs/remotes/origin/plans")
	count := func(ref string) string { return shallow.Git("rev-list", "--count", ref) }
	if n := count("refs/remotes/origin/plans"); n != "1" {
		t.Fatalf("%s commits are there", n)
	}
	tip, err := open(t, shallow).FetchWhole(t.Context(), tracked("file://"+filepath.ToSlash(bare.Dir)))
	if err != nil || tip != one.Git("rev-parse", testRef) {
		t.Errorf("%s, %v", tip, err)
	}
	if plans, code := count(tip), count("refs/heads/code"); plans != "3" || code != "1" {
		t.Errorf("%s commits of the plans and %s of the code", plans, code)
	}
}

// What the remote took was pushed, though the ref that remembers it is locked
// just then: who was told otherwise would make the change again.
func TestPushBesideALockedTrackingRef(t *testing.T) {
	t.Parallel()
	bare, r := gittest.NewBare(t), gittest.New(t)
	r.Git("remote", "add", "origin", bare.Dir)
	s := open(t, r)
	r.Write(".git/refs/remotes/origin/plans.lock", "")
	tip := put(t, s, file("a", "1"))
	if err := s.Push(t.Context(), tracked("origin"), tip); err != nil {
		t.Fatal(err)
	}
	if there := bare.Git("rev-parse", testRef); there != tip {
		t.Errorf("here is %s, there %s", tip, there)
	}
	if err := os.Remove(filepath.Join(r.Dir, ".git/refs/remotes/origin/plans.lock")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Fetch(t.Context(), tracked("origin")); got != tip || err != nil {
		t.Errorf("fetched %q, %v", got, err)
	}
}

// What is configured to be fetched, too, does not overwrite the store.
func TestFetchMovesNoOther(t *testing.T) {
	t.Parallel()
	bare, r := gittest.NewBare(t), gittest.New(t)
	r.Git("remote", "add", "origin", bare.Dir)
	s := open(t, r)
	first := put(t, s, file("a", "a"))
	if err := s.Push(t.Context(), tracked("origin"), first); err != nil {
		t.Fatal(err)
	}
	second := put(t, s, file("b", "b"))
	r.Git("config", "remote.origin.fetch", "+refs/*:refs/*")
	if got, err := s.Fetch(t.Context(), tracked("origin")); got != first || err != nil {
		t.Errorf("fetched %q, %v", got, err)
	}
	if got := r.Git("rev-parse", testRef); got != second {
		t.Errorf("the store went from %s to %s", second, got)
	}
}

// A push may take the place of just what it was told.
func TestPushReplaces(t *testing.T) {
	t.Parallel()
	bare, r := gittest.NewBare(t), gittest.New(t)
	s := open(t, r)
	first := put(t, s, file("a", "a"))
	to := tracked(bare.Dir)
	none := ""
	to.Replaces = &none
	if err := s.Push(t.Context(), to, first); err != nil {
		t.Fatal(err)
	}
	other := r.Git("rev-parse", "main")
	var refused *PushRefusedError
	if err := s.Push(t.Context(), to, other); !isA(err, &refused) || !refused.Moved {
		t.Errorf("what is there was not expected: %v", err)
	}
	to.Replaces = &first
	if err := s.Push(t.Context(), to, other); err != nil || bare.Git("rev-parse", testRef) != other {
		t.Errorf("replaced: %v", err)
	}
}

// A server's own words reach who pushed.
func TestPushRefusedByAHook(t *testing.T) {
	t.Parallel()
	bare, r := gittest.NewBare(t), gittest.New(t)
	bare.Write("hooks/pre-receive", "#!/bin/sh\necho ' not today '; echo; exit 1\n")
	if err := os.Chmod(filepath.Join(bare.Dir, "hooks", "pre-receive"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := open(t, r)
	var refused *PushRefusedError
	err := s.Push(t.Context(), tracked(bare.Dir), put(t, s, file("a", "a")))
	if !isA(err, &refused) || refused.Moved || refused.Reason != "pre-receive hook declined" || strings.Join(refused.Lines, "|") != " not today" {
		t.Errorf("%v: %+v", err, refused)
	}
}

func TestRemotesThatAreNone(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	commit := put(t, s, file("a", "a"))
	for _, name := range []string{"", "--upload-pack=x", "-x", "a\nb", "a\x00b", "/nowhere/at/all", "nobody"} {
		var refused *PushRefusedError
		if _, err := s.Fetch(t.Context(), tracked(name)); err == nil {
			t.Errorf("%q was fetched from", name)
		}
		if err := s.Push(t.Context(), tracked(name), commit); err == nil || isA(err, &refused) {
			t.Errorf("%q was pushed to: %v", name, err)
		}
	}
	odd := tracked("origin")
	odd.Ref = "--x"
	if _, err := s.Fetch(t.Context(), odd); err == nil {
		t.Error("an option was taken for a ref")
	}
}

// A fetch that another one overtook is known from the words of git.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for summary, moved := range map[string]bool{
		"[rejected] (fetch first)": true, "[rejected] (stale info)": true, "[remote rejected] (cannot lock ref 'x': is at 1 but expected 2)": true,
		"[remote rejected] (hook declined)": false, "[remote rejected] (failed to update ref)": true, "odd": false,
	} {
		var refused *PushRefusedError
		if err := refusedPush("origin", summary, "remote: a\nremote: \nelse\n"); !isA(err, &refused) || refused.Moved != moved || len(refused.Lines) != 1 {
			t.Errorf("%s: %+v", summary, refused)
		}
	}
	if overtaken(nil, "x") {
		t.Error("nothing was overtaken")
	}
}

// Filters that are configured are told from other settings, and switched off.
func TestWithoutFilters(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	for _, kv := range [][2]string{{"filter.x.clean", "c"}, {"filter.x.smudge", "s"}, {"filter.x.process", "p"}, {"filter.x.required", "true"}, {"filter.x.other", "o"}} {
		r.Git("config", kv[0], kv[1])
	}
	config, err := open(t, r).repo.Config(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(withoutFilters(config), " ")
	want := "GIT_CONFIG_KEY_0=filter.x.clean GIT_CONFIG_VALUE_0= GIT_CONFIG_KEY_1=filter.x.process GIT_CONFIG_VALUE_1= " +
		"GIT_CONFIG_KEY_2=filter.x.required GIT_CONFIG_VALUE_2=false GIT_CONFIG_KEY_3=filter.x.smudge GIT_CONFIG_VALUE_3= GIT_CONFIG_COUNT=4"
	if got != want {
		t.Errorf("got %s", got)
	}
}

// What is made in a shared git directory is for those who share it.
func TestShare(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	r := gittest.New(t)
	repo := open(t, r).repo
	dir, file := filepath.Join(repo.CommonDir, "d"), filepath.Join(repo.CommonDir, "f")
	for _, path := range []string{dir, file} {
		var err error
		if path == dir {
			err = os.Mkdir(path, 0o700)
		} else {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	mode := func(path string) os.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	repo.Share(dir)
	if mode(dir) != 0o700 {
		t.Errorf("nobody shares it: %v", mode(dir))
	}
	if err := os.Chmod(repo.CommonDir, 0o770); err != nil {
		t.Fatal(err)
	}
	repo.Share(dir)
	repo.Share(file)
	repo.Share(filepath.Join(repo.CommonDir, "gone"))
	if mode(dir) != 0o770 || mode(file) != 0o660 {
		t.Errorf("shared: %v, %v", mode(dir), mode(file))
	}
}
