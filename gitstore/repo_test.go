package gitstore

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/gittest"
)

func TestDiscoverShapes(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write("sub/dir/x", "x")
	r.Commit("sub")
	dir := filepath.Dir(r.Dir)
	linked := filepath.Join(dir, "linked")
	r.Git("worktree", "add", "-q", linked)
	bare := gittest.NewBare(t)
	long := gittest.New(t, gittest.ObjectFormat("sha256"))
	outer := gittest.New(t)
	outer.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", r.Dir, "mod")
	dotGit := filepath.Join(r.Dir, ".git")
	tests := []struct {
		name string
		g    git.Git
		want *Repo
	}{
		{"top", r.G(), &Repo{GitDir: dotGit, CommonDir: dotGit, WorkTree: r.Dir}},
		{"subdirectory", r.G().In(filepath.Join(r.Dir, "sub/dir")),
			&Repo{GitDir: dotGit, CommonDir: dotGit, WorkTree: r.Dir, Prefix: "sub/dir/"}},
		{"git directory", r.G().In(dotGit), &Repo{GitDir: dotGit, CommonDir: dotGit}},
		{"linked worktree", r.G().In(linked),
			&Repo{GitDir: filepath.Join(dotGit, "worktrees/linked"), CommonDir: dotGit, WorkTree: linked}},
		{"bare", bare.G(), &Repo{GitDir: bare.Dir, CommonDir: bare.Dir, Bare: true}},
		{"GIT_DIR", r.G().In(dir).WithEnv("GIT_DIR="+dotGit, "GIT_WORK_TREE="+r.Dir),
			&Repo{GitDir: dotGit, CommonDir: dotGit, WorkTree: r.Dir}},
		{"sha256", long.G(), &Repo{GitDir: long.Dir + "/.git", CommonDir: long.Dir + "/.git", WorkTree: long.Dir, ObjectFormat: "sha256"}},
		{"submodule", outer.G().In(filepath.Join(outer.Dir, "mod")),
			&Repo{GitDir: outer.Dir + "/.git/modules/mod", CommonDir: outer.Dir + "/.git/modules/mod", WorkTree: outer.Dir + "/mod"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Discover(t.Context(), tt.g, "")
			if err != nil {
				t.Fatal(err)
			}
			if tt.want.ObjectFormat == "" {
				tt.want.ObjectFormat = "sha1"
			}
			if got.GitDir != tt.want.GitDir || got.CommonDir != tt.want.CommonDir || got.WorkTree != tt.want.WorkTree ||
				got.Prefix != tt.want.Prefix || got.Bare != tt.want.Bare || got.ObjectFormat != tt.want.ObjectFormat {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestDiscoverRefusals(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	g := r.G().In(filepath.Dir(r.Dir))
	_, err := Discover(t.Context(), g, "")
	var none *NotRepositoryError
	if !errors.As(err, &none) {
		t.Fatalf("outside: %v", err)
	}
	contains(t, err.Error(), "not a git repository (or any")
	if _, err = Discover(t.Context(), g.WithEnv("GIT_TRACE=1"), testRef); !errors.As(err, &none) || !strings.HasPrefix(err.Error(), "not a git repository (or any") {
		t.Errorf("traced: %v", err)
	}
	_, err = Discover(t.Context(), g.WithEnv("GIT_DIR=/no/such"), "")
	if !errors.As(err, &none) {
		t.Errorf("bad GIT_DIR: %v", err)
	}
	r.Write(".git/config", "[core\n")
	var refused *git.Error
	if _, err = Discover(t.Context(), r.G(), ""); !errors.As(err, &refused) {
		t.Errorf("bad config: %v", err)
	}
}

// Git tells paths a line each, so one that has a line end is not known from two.
func TestLineEndsInPaths(t *testing.T) {
	t.Parallel()
	for where, begin := range map[string][]string{
		"a\nb/.": {"clone", "-q", "."}, "c\nd/.": {"worktree", "add", "-q", "--detach"}, "top/a\nb": {"clone", "-q", "."}, "top/a\nb/c": {"clone", "-q", "."},
	} {
		r := gittest.New(t)
		top, below, _ := strings.Cut(where, "/")
		top = filepath.Join(filepath.Dir(r.Dir), top)
		r.Git(append(begin, top)...)
		if err := os.MkdirAll(filepath.Join(top, below), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, ref := range []string{"", "refs/heads/main", "refs/heads/none"} {
			if repo, err := Discover(t.Context(), r.G().In(filepath.Join(top, below)), ref); err == nil || !strings.Contains(err.Error(), "line end") {
				t.Errorf("%q, %q: found %+v, %v", where, ref, repo, err)
			}
		}
	}
}

func TestDiscoverFolderOfAnotherOwner(t *testing.T) {
	t.Parallel()
	r := gittest.New(t).With("GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	_, err := Discover(t.Context(), r.G(), "")
	var refused *git.Error
	if !errors.As(err, &refused) {
		t.Fatalf("err = %v", err)
	}
	contains(t, err.Error(), "ownership")
}

// Who gives up while git is asked for its configuration does not decide for those
// who come later.
func TestConfigAfterAContextThatEnded(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	dir := standIn(t, s, `case " $* " in *" config "*) while test ! -e $dir/go; do sleep 0.01; done;; esac`)
	ctx, cancel := context.WithCancel(t.Context())
	repo, err := Discover(ctx, s.repo.Git, "")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := repo.Config(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the configuration came, with %v", err)
	}
	write(t, filepath.Join(dir, "go"), "")
	if c, err := repo.Config(t.Context()); err != nil || c == nil {
		t.Errorf("later: %v", err)
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write(".git/config", r.Read(".git/config")+`
[Plan]
	Ref = refs/heads/plans
	empty =
	bare
	lines = "a\nb"
[plan "Sub.Dir"]
	Key = one
	key = two
[color]
	a = YES
	b = off
	c = 0
	d = 2k
	e = maybe
	f = 0x0
`)
	os.WriteFile(filepath.Join(filepath.Dir(r.Dir), "home/.gitconfig"), []byte("[plan]\n\tref = global\n\tfar = away\n"), 0o644)
	repo, err := Discover(t.Context(), r.With("GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=plan.env", "GIT_CONFIG_VALUE_0=e=f").G(), "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := repo.Config(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"plan.ref": "refs/heads/plans", "PLAN.REF": "refs/heads/plans", "plan.far": "away", "plan.lines": "a\nb",
		"Plan.Sub.Dir.KEY": "two", "plan.env": "e=f", "plan.empty": "", "plan.bare": "",
	} {
		if got, ok := c.Get(key); !ok || got != want {
			t.Errorf("Get(%s) = %q, %v", key, got, ok)
		}
	}
	if _, ok := c.Get("plan.sub.dir.key"); ok {
		t.Error("the subsection's case was folded")
	}
	if got := strings.Join(c.All("plan.ref"), ","); got != "global,refs/heads/plans" {
		t.Errorf("All = %s", got)
	}
	if got := c.Keys("plan.Sub."); len(got) != 1 || got[0] != "plan.Sub.Dir.key" {
		t.Errorf("Keys = %q", got)
	}
	for key, want := range map[string]bool{"color.a": true, "color.b": false, "color.c": false, "color.d": true, "color.f": false, "plan.bare": true, "plan.empty": false} {
		got, err := c.Bool(key, !want)
		if err != nil || got != want {
			t.Errorf("Bool(%s) = %v, %v", key, got, err)
		}
	}
	if got, err := c.Bool("color.such", true); err != nil || !got {
		t.Errorf("default: %v, %v", got, err)
	}
	if _, err := c.Bool("color.e", false); err == nil {
		t.Error("maybe is no boolean")
	} else {
		contains(t, err.Error(), "maybe", "color.e")
	}
}

// Each error names the thing and ends with what to do.
func TestErrorTexts(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want []string
	}{
		{&NotRepositoryError{"git's words"}, []string{"git's words"}},
		{&BrokenRefError{testRef, "it is empty"}, []string{testRef, "it is empty", "git plan doctor"}},
		{&NotFoundError{"no\x1bpe"}, []string{`"no\x1bpe"`}},
		{&TooLargeError{Name: "abc", Size: 10, Max: 5}, []string{"abc", "10", "5"}},
		{&MissingObjectError{"abc", "why"}, []string{"abc", "why", "fsck"}},
		{&CorruptObjectError{"abc", "why"}, []string{"abc", "why", "fsck"}},
		{&ReadOnlyError{"/p", errors.New("cause")}, []string{"/p", "cause", "allow"}},
		{&LockedError{Path: "/p"}, []string{"/p", "try again"}},
		{&LockedError{Path: "/p", Age: 90e9}, []string{"/p", "1m30s", "remove"}},
		{&BusyError{testRef, 3}, []string{testRef, "3", "try again"}},
		{&WorktreeError{"/w", []string{"a", "b"}}, []string{"/w", "a; b", "commit or discard"}},
		{&RebaseError{Ref: testRef, Worktree: "/w"}, []string{testRef, "/w", "--continue", "--abort", "try again"}},
		{&RebaseError{Ref: testRef, Worktree: "/w", Gone: true}, []string{testRef, "/w", "git worktree prune"}},
		{&ChangeError{Reason: "why"}, []string{"why"}},
		{&ChangeError{"p\n", "why"}, []string{`"p\n"`, "why"}},
		{&retryError{errors.New("cause")}, []string{"cause"}},
	} {
		contains(t, tt.err.Error(), tt.want...)
	}
}

// A glance sees the ref of that full name, and nothing that git would take the
// name for otherwise.
func TestGlance(t *testing.T) {
	t.Parallel()
	glance := func(r *gittest.Repo) string {
		t.Helper()
		repo, err := Discover(t.Context(), r.G(), testRef)
		if err != nil {
			t.Fatal(err)
		}
		if in := filepath.Base(r.Dir) == ".git"; in != (repo.WorkTree == "") || !in && repo.WorkTree != r.Dir {
			t.Errorf("the top is %q", repo.WorkTree)
		}
		seen := repo.Glance()
		if again := repo.Glance(); again != "" {
			t.Errorf("a second glance saw %s", again)
		}
		return seen
	}
	r := gittest.New(t)
	head := r.Git("rev-parse", "HEAD")
	for _, tt := range []struct{ name, command, want string }{
		{"no ref", "status -s", ""},
		{"a branch of that whole name", "update-ref refs/heads/" + testRef + " HEAD", ""},
		{"both", "update-ref " + testRef + " HEAD", ""},
		{"the ref", "update-ref -d refs/heads/" + testRef, head},
		{"packed", "pack-refs --all", head},
		{"symbolic", "symbolic-ref " + testRef + " refs/heads/main", ""},
	} {
		r.Git(strings.Fields(tt.command)...)
		if got := glance(r); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	repo, err := Discover(t.Context(), r.G(), "")
	if err != nil {
		t.Fatal(err)
	}
	if repo.Recall(head); repo.Glance() != head || repo.Glance() != "" {
		t.Error("what was recalled is not seen just once")
	}
	bare := gittest.New(t)
	bare.Git("update-ref", testRef, "HEAD")
	if got := glance(bare.At(filepath.Join(bare.Dir, ".git"))); got != bare.Git("rev-parse", "HEAD") {
		t.Errorf("outside of the working tree: %q", got)
	}
}

// A branch whose own name is that of the ref, in full, is not in its way.
func TestBranchNamedLikeTheRef(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Git("branch", testRef)
	s := open(t, r)
	commit := put(t, s, file("a", "1"))
	if tip, err := s.Tip(t.Context()); err != nil || tip.Commit != commit {
		t.Errorf("tip %+v, %v", tip, err)
	}
	if next := put(t, s, file("a", "2")); content(t, s, next, "a") != "2" {
		t.Error("the next change did not land")
	}
	if got, want := r.Git("rev-parse", "refs/heads/"+testRef), r.Git("rev-parse", "HEAD"); got != want {
		t.Errorf("the branch is at %s", got)
	}
}

// A worktree may know its repository by a relative path, where git has that.
func TestRelativeWorktree(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	put(t, open(t, r), file("a", "1"))
	tree := r.At(filepath.Join(filepath.Dir(r.Dir), "tree"))
	if _, err := r.TryGit("worktree", "add", "-q", "--relative-paths", tree.Dir, "plans"); err != nil {
		t.Skip("this needs git 2.48, which has relative worktrees")
	}
	if got := r.Git("config", "extensions.relativeWorktrees"); got != "true" {
		t.Fatalf("the extension is %q", got)
	}
	for i, from := range []*gittest.Repo{r, tree} {
		s, want := open(t, from), []string{"2", "3"}[i]
		if got := s.Engine(); got != engineGogit {
			t.Errorf("engine %s", got)
		}
		commit := put(t, s, file("a", want))
		if tip, err := s.Tip(t.Context()); err != nil || tip != (Tip{commit, tree.Dir}) {
			t.Errorf("tip %+v, %v", tip, err)
		}
		if got := tree.Read("a") + tree.Git("status", "--porcelain"); got != want {
			t.Errorf("the worktree has %q, want %q", got, want)
		}
	}
}

// Other refs are read along, wherever the repository is asked from and whether or not
// the ref that is glanced at is there.
func TestSeen(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{"", testRef, "refs/heads/none"} {
		r := gittest.New(t)
		r.Git("update-ref", testRef, "HEAD")
		for _, dir := range []string{r.Dir, filepath.Join(r.Dir, ".git")} {
			for _, want := range [][]string{nil, {"refs/kept/a", "refs/kept/b/c"}} {
				r.Git("update-ref", "-d", "refs/kept/a")
				r.Git("update-ref", "-d", "refs/kept/b/c")
				for _, name := range want {
					r.Git("update-ref", name, "HEAD")
				}
				got, err := Discover(t.Context(), r.G().In(dir), ref, "refs/kept/", "refs/remotes/*/none")
				if err != nil {
					t.Fatal(err)
				}
				seen := got.Seen
				delete(seen, testRef)
				objects := slices.Compact(slices.Collect(maps.Values(seen)))
				if !slices.Equal(slices.Sorted(maps.Keys(seen)), want) || want != nil && !slices.Equal(objects, []string{r.Git("rev-parse", "HEAD")}) || (got.WorkTree == r.Dir) != (dir == r.Dir) || (got.Glance() != "") != (ref == testRef) {
					t.Errorf("%q in %s: %+v, %v", ref, dir, got, err)
				}
			}
		}
	}
}
