package store

import (
	"errors"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/validate"
)

// A store may be shared through an address, of which nothing is remembered.
func TestRemoteIsAnAddress(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"https://example.org/plans.git", "../plans.git", "/srv/plans.git", "git@example.org:plans.git"} {
		g := gittest.New(t)
		g.Git("config", "branch.plans.remote", address)
		repo := open(t, g)
		if s, err := repo.Snapshot(t.Context()); err != nil || s.Exists() {
			t.Errorf("%s: %v", address, err)
		}
		got, err := repo.Init(t.Context(), validate.Base)
		if err != nil || !got.Created {
			t.Errorf("%s: %+v, %v", address, got, err)
		}
		s, err := repo.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if v, err := repo.Publisher().RemoteView(t.Context(), s); err != nil || !v.Seen.IsZero() || v.News != 0 || v.Unpublished != 2 {
			t.Errorf("%s: %+v, %v", address, v, err)
		}
	}
}

// Refs that git plan itself moves or removes, or judges by other rules, hold no
// store.
func TestRefsThatAreTaken(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{"proposals/plans", "proposals", "refs/git-plan/rewrite", "refs/tags/plans"} {
		g := gittest.New(t)
		g.Git("config", "plan.ref", ref)
		_, err := Open(t.Context(), Options{Git: g.G()})
		var unsupported *UnsupportedError
		if !errors.As(err, &unsupported) {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

// Nothing is proposed into a branch of code.
func TestProposeIntoCode(t *testing.T) {
	t.Parallel()
	tree, repo, _, _ := published(t)
	tree.Git("checkout", "-q", "--orphan", "code")
	tree.Git("rm", "-rqf", ".")
	tree.Write("main.c", "int main(void) { return 0; }\n")
	tree.Commit("code")
	tree.Git("push", "-q", "-f", "origin", "code:plans")
	_, err := repo.Propose(t.Context(), ProposeOptions{Write: Write{ID: "auth", Plan: load(t, repo, "auth").Plan}})
	var exists *ExistsError
	if !errors.As(err, &exists) || tree.Git("for-each-ref", ProposalPrefix) != "" {
		t.Errorf("%v", err)
	}
}

// The project is looked up where it is, and not among plans.
func TestWorld(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	if _, err := repo.Git.Write(t.Context(), nil, "commit", "-q", "--allow-empty", "-m", "code"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		at        *Repo
		rev, path string
		want      validate.Existence
	}{
		{repo, "", ".", validate.Yes}, {repo, "", "nothing", validate.No},
		{repo, "HEAD", ".", validate.Yes}, {repo, "HEAD", "./", validate.Yes}, {repo, "HEAD", "nothing", validate.No},
		{open(t, tree), "", "nothing", validate.Unknown}, {open(t, tree), "", "gates.yaml", validate.Unknown},
	} {
		world, err := tt.at.Project().World(t.Context(), tt.rev)
		if err != nil {
			t.Fatal(err)
		}
		if got := world.Exists(tt.path); got != tt.want {
			t.Errorf("%q of %q: %v, want %v", tt.path, tt.rev, got, tt.want)
		}
	}
}
