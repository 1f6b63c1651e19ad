package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
)

func TestHistoryIsDerivedFromContent(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one", "two"))
	for _, step := range []struct {
		task string
		to   plan.Status
	}{{"one", plan.InProgress}, {"one", plan.Pending}, {"one", plan.InProgress}, {"one", plan.Failed}} {
		if _, err := move(repo, "auth", step.task, step.to); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := repo.Commit(context.Background(), repo.Replan(ReplanOptions{ID: "auth", Reason: "one was wrong", Files: being(files("Auth", "uno", "two"))})); err != nil {
		t.Fatal(err)
	}
	if _, err := move(repo, "auth", "two", plan.Skipped); err != nil {
		t.Fatal(err)
	}
	want := "created, started one, released one, started one, failed one, replanned, skipped two"
	if got := events(t, repo, "auth"); got != want {
		t.Errorf("history %q, want %q", got, want)
	}

	// By hand, without trailers, squashed into one: still told right.
	tree := g.Git("rev-parse", "plans^{tree}")
	g.Git("update-ref", "refs/heads/plans", g.Git("commit-tree", tree, "-p", "plans~6", "-m", "squashed"))
	if got := events(t, repo, "auth"); got != "created, replanned" {
		t.Errorf("history after a squash %q", got)
	}
	s, _ := repo.Snapshot(context.Background())
	at, err := s.Resolve(context.Background(), Address{Plan: "auth", Version: 1})
	if err != nil || at.Commit != g.Git("rev-parse", "plans~1") {
		t.Errorf("auth@v1 after a squash: %v, %v", at, err)
	}
}

func TestReplan(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one", "two", "three"))
	next := files("Auth, again", "one", "two", "four")
	replan := func(force bool) (Result, error) {
		return repo.Commit(context.Background(), repo.Replan(ReplanOptions{ID: "auth", Reason: "because", Files: being(next), Force: force}))
	}
	var notFailed *NotFailedError
	if _, err := replan(false); !errors.As(err, &notFailed) {
		t.Fatalf("got %v, want *NotFailedError", err)
	}
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	if _, err := move(repo, "auth", "two", plan.Failed); err != nil {
		t.Fatal(err)
	}
	before := g.Git("rev-parse", "plans")
	result, err := replan(false)
	if err != nil {
		t.Fatal(err)
	}
	o := result.Plans[0]
	if o.Event != plan.Replanned || o.Version != 2 || o.Replaces != before {
		t.Errorf("outcome %+v", o)
	}
	changes := o.After.Changes(o.Before)
	if strings.Join(changes.Added, " ") != "four" || strings.Join(changes.Removed, " ") != "three" || len(changes.Changed) != 0 {
		t.Errorf("changes %+v", changes)
	}
	if p := load(t, repo, "auth").Plan; p.Task("one").Status != plan.Done || p.Task("two").Status != plan.Pending || p.Doc.Text("created_by") != "tester" {
		t.Errorf("kept %s, %s, created by %q", p.Task("one").Status, p.Task("two").Status, p.Doc.Text("created_by"))
	}
	if got := g.Git("log", "-1", "--format=%(trailers:key=Plan-Replaces,valueonly)%b", "plans"); !strings.Contains(got, before) || !strings.Contains(got, "because") {
		t.Errorf("message %q", got)
	}
	for range 2 {
		if _, err := replan(true); err != nil {
			t.Fatal(err)
		}
	}
	var limit *LimitError
	if _, err := replan(true); !errors.As(err, &limit) {
		t.Errorf("got %v, want *LimitError at version 4 of max_replans 3", err)
	}
}

func TestHistoryOfAShallowClone(t *testing.T) {
	origin, first := begin(t)
	put(t, first, "auth", files("Auth", "one"))
	if _, err := move(first, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	clone := &gittest.Repo{Dir: t.TempDir() + "/shallow", Env: origin.Env}
	if _, err := origin.TryGit("clone", "-q", "--depth", "1", "--branch", "plans", "file://"+origin.Dir, clone.Dir); err != nil {
		t.Fatal(err)
	}
	if got := events(t, open(t, clone), "auth"); got != "created" {
		t.Errorf("history %q: what lies behind the cut is not known", got)
	}
}

func TestAddresses(t *testing.T) {
	for text, want := range map[string]Address{
		"auth":             {Plan: "auth"},
		"auth-2":           {Plan: "auth-2"},
		"auth@v2":          {Plan: "auth", Version: 2},
		"auth@{3}":         {Plan: "auth", Back: 3},
		"auth@{0}":         {Plan: "auth"},
		"plans~3:auth":     {Plan: "auth", Rev: "plans~3"},
		"plans@{1.hour}:a": {Plan: "a", Rev: "plans@{1.hour}"},
	} {
		if got, ok := ParseAddress(text); !ok || got != want {
			t.Errorf("ParseAddress(%q) = %+v, %v; want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "Auth", "auth@", "auth@v0", "auth@v", "auth@{}", "auth@{-1}", "auth@{99999999}", ":auth", "a:B", "-x:auth", "auth/one", "auth@v1@v2", "a b"} {
		if got, ok := ParseAddress(text); ok {
			t.Errorf("ParseAddress(%q) = %+v, want none", text, got)
		}
	}
}

func FuzzAddress(f *testing.F) {
	for _, s := range []string{"auth", "auth@v2", "auth@{3}", "plans~3:auth", "-x:auth", "a@{99999999999999}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, ok := ParseAddress(s)
		if !ok {
			return
		}
		if !plan.IsKebab(a.Plan) || strings.HasPrefix(a.Rev, "-") || a.Version < 0 || a.Back < 0 {
			t.Fatalf("%q is read as %+v", s, a)
		}
		if b, ok := ParseAddress(a.String()); !ok || a != b {
			t.Fatalf("%q prints as %q, which is read as %+v", s, a.String(), b)
		}
	})
}

func TestResolve(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	created := g.Git("rev-parse", "plans")
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	put(t, repo, "other", files("Other", "one"))
	s, _ := repo.Snapshot(context.Background())
	for text, want := range map[string]string{
		"auth": s.Commit, "auth@{1}": created, "auth@v1": g.Git("rev-parse", "plans~1"), "plans~2:auth": created,
	} {
		a, _ := ParseAddress(text)
		at, err := s.Resolve(context.Background(), a)
		if err != nil || at.Commit != want {
			t.Errorf("%s is at %v (%v), want %s", text, at, err, want)
		}
	}
	for _, text := range []string{"auht", "auth@v7", "auth@{2}", "plans~3:auth"} {
		a, _ := ParseAddress(text)
		_, err := s.Resolve(context.Background(), a)
		var gone *NotFoundError
		if !errors.As(err, &gone) {
			t.Errorf("%s: %v, want *NotFoundError", text, err)
		}
	}
}

func TestUpdatedSeesThePlansOwnChanges(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	g.Env = append(g.Env, "GIT_AUTHOR_DATE=2027-05-05T05:05:05Z", "GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=diff.relative",
		"GIT_CONFIG_VALUE_0=true", "GIT_CONFIG_KEY_1=log.showSignature", "GIT_CONFIG_VALUE_1=true")
	later := open(t, g)
	put(t, later, "other", files("Other", "one"))
	s, _ := later.Snapshot(context.Background())
	got, err := s.Updated(context.Background(), s.Locations())
	if err != nil {
		t.Fatal(err)
	}
	if a, b := plan.FormatTime(got["auth"]), plan.FormatTime(got["other"]); a != gittest.Date || b != "2027-05-05T05:05:05Z" {
		t.Errorf("auth %s, other %s", a, b)
	}
}

// A table that was brought along over few commits or many, of which one is a
// merge, says what one made from nothing says.
func TestUpdatedIsBroughtAlong(t *testing.T) {
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	ask := func() map[string]time.Time {
		t.Helper()
		s, err := open(t, g).Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Updated(t.Context(), s.Locations())
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	ask()
	minute := 0
	change := func(id, title string) {
		dated := *g
		dated.Env = append(slices.Clone(g.Env), fmt.Sprintf("GIT_AUTHOR_DATE=2027-05-05T05:%02d:05Z", minute))
		put(t, open(t, &dated), id, files(title, "one"))
		minute++
	}
	for _, gap := range []int{1, 3, 8, 9, 12} {
		for i := range gap {
			change(fmt.Sprintf("plan-%d", i%5), fmt.Sprintf("Round %d of %d", i, gap))
		}
		g.Git("branch", "-f", "side", "plans~1")
		tree := g.Git("rev-parse", "plans^{tree}")
		g.Git("update-ref", "refs/heads/plans", g.Git("commit-tree", "-p", "plans", "-p", "side", "-m", "Meet", tree))
		brought := ask()
		if err := os.RemoveAll(filepath.Join(repo.CommonDir, "git-plan", "cache")); err != nil {
			t.Fatal(err)
		}
		if made := ask(); !maps.Equal(brought, made) {
			t.Errorf("after %d: brought along %v, made anew %v", gap, brought, made)
		}
	}
}

// being gives files whatever the plan was.
func being(files []plan.File) func(context.Context, *Stored, string) ([]plan.File, error) {
	return func(context.Context, *Stored, string) ([]plan.File, error) { return files, nil }
}
