package store

import (
	"errors"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// A plan that native git archived under an id that was given again is not
// written over when the other one is archived, too. The same plan is.
func TestArchiveIsTaken(t *testing.T) {
	t.Parallel()
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	year := repo.Now().Format("2006")
	store := func(tree string) {
		plans := g.GitInput("040000 tree "+tree+"\tauth\n", "mktree")
		archive := g.GitInput("040000 tree "+plans+"\t"+year+"\n", "mktree")
		root := g.GitInput(g.Git("ls-tree", "plans")+"\n040000 tree "+archive+"\tarchive\n", "mktree")
		g.Git("update-ref", "refs/heads/plans", g.Git("commit-tree", "-p", "plans", "-m", "by hand", root))
	}
	live := g.Git("rev-parse", "plans:auth")
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	store(live)
	tip := g.Git("rev-parse", "plans")
	var taken *ExistsError
	if _, err := repo.Commit(t.Context(), ToArchive("tester", false, "auth")); !errors.As(err, &taken) || g.Git("rev-parse", "plans") != tip {
		t.Errorf("written over: %v", err)
	}

	g.Git("update-ref", "refs/heads/plans", tip+"~1")
	store(g.Git("rev-parse", "plans:auth"))
	repo = open(t, g)
	if result, err := repo.Commit(t.Context(), ToArchive("tester", false, "auth")); err != nil || !result.Changed() {
		t.Errorf("the same plan: %+v, %v", result, err)
	}
}
