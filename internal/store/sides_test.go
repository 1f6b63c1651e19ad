package store

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

// A gate that is raised in a push holds from the next commit on, whichever parent
// of a merge brought it. What a side made before it met that gate was legal there.
func TestReceiveRaisedOnASide(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	begun := tree.Git("rev-parse", "HEAD")
	tree.Write("README.md", "More.\n")
	other := tree.Commit("other")
	tree.Write("new/plan.md", "---\ntitle: New\n---\n\nText.\n")
	empty := tree.Commit("no task, which the strict gate asks for")
	tree.Write("gates.yaml", "gate: strict\n")
	all := tree.Commit("all of it")
	tree.Git("reset", "-q", "--hard", begun)
	tree.Write("gates.yaml", "gate: strict\n")
	raised := tree.Commit("raise")
	tree.Write("README.md", "More.\n")
	both := tree.Commit("both")

	met := mergeOf(tree, both, other, raised)
	for name, tt := range map[string]struct{ tip, want string }{
		"after the merge":      {mergeOf(tree, all, met), "no-tasks"},
		"in the merge":         {mergeOf(tree, all, other, raised), "no-tasks"},
		"on a side of a merge": {mergeOf(tree, all, raised, mergeOf(tree, all, met)), "no-tasks"},
		"before the merge":     {mergeOf(tree, all, raised, empty), ""},
		"the gate was left":    {mergeOf(tree, empty, mergeOf(tree, other, raised, other)), ""},
	} {
		if got := refusals(t, repo, begun, tt.tip); got != tt.want {
			t.Errorf("%s: refused for %q, want %q", name, got, tt.want)
		}
	}
}
