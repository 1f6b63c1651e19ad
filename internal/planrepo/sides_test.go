package planrepo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// refusals gives the rules by which a push is refused.
func refusals(t *testing.T, repo *Repo, old, tip string) string {
	t.Helper()
	got, err := repo.Receive(t.Context(), RefUpdate{Ref: repo.Ref, Old: old, New: tip}, Policy{})
	if err != nil {
		t.Fatal(err)
	}
	rules := got.Reasons
	for _, v := range got.Refused {
		for _, d := range v.Findings {
			rules = append(rules, d.Rule)
		}
	}
	return strings.Join(rules, " ")
}

// join makes a merge commit of a tree.
func mergeOf(tree *gittest.Repo, of string, parents ...string) string {
	args := []string{"commit-tree", "-m", "merge", of + "^{tree}"}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	return tree.Git(args...)
}

// However many commits a merge joins, an ancestor among them brings no plan back.
func TestReceiveOctopus(t *testing.T) {
	t.Parallel()
	for sides, want := range map[int]string{mostSides: "version", mostSides + 1: "limits"} {
		tree, repo := byHand(t)
		before := tree.Git("rev-parse", "HEAD")
		tree.Write("auth/plan.md", "---\ntitle: Auth\nversion: 2\n---\n\nText.\n")
		now := tree.Commit("replan")
		parents := []string{before, now}
		for i := len(parents); i < sides; i++ {
			parents = append(parents, tree.Git("commit-tree", "-p", now, "-m", fmt.Sprint(i), now+"^{tree}"))
		}
		if got := refusals(t, repo, now, mergeOf(tree, before, parents...)); got != want {
			t.Errorf("%d sides: refused for %q, want %q", sides, got, want)
		}
	}
}
