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
	got, err := repo.Receive(t.Context(), RefUpdate{Ref: repo.Ref, Old: old, New: tip}, Server{})
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

// Whatever a merge takes from an older side, the step from the old tip to the new
// one is judged, too; and a merge of too many is refused.
func TestReceiveOctopus(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{2: "version", mostParents: "version", mostParents + 1: "limits"} {
		tree, repo := byHand(t)
		before := tree.Git("rev-parse", "HEAD")
		tree.Write("auth/plan.md", "---\ntitle: Auth\nversion: 2\n---\n\nText.\n")
		now := tree.Commit("replan")
		parents := []string{before, now}
		for i := len(parents); i < n; i++ {
			parents = append(parents, tree.Git("commit-tree", "-p", now, "-m", fmt.Sprint(i), now+"^{tree}"))
		}
		if got := refusals(t, repo, now, mergeOf(tree, before, parents...)); got != want {
			t.Errorf("%d parents: refused for %q, want %q", n, got, want)
		}
	}
}

// No side branch brings in what a commit on the branch could not: work that is
// done with nothing to show for it, a version that fell, a task that is gone.
func TestReceiveSideBranches(t *testing.T) {
	t.Parallel()
	tree, repo := byHand(t)
	root := tree.Git("rev-list", "--max-parents=0", "HEAD")
	begun := tree.Git("rev-parse", "HEAD")
	tree.Write("gates.yaml", "evidence: required\n")
	tree.Write("new/plan.md", "---\ntitle: New\nversion: 2\n---\n\nText.\n")
	tree.Write("new/tasks/01-one.md", fmt.Sprintf(task, "one", "pending", ""))
	tree.Write("new/tasks/02-two.md", fmt.Sprintf(task, "two", "skipped", ""))
	old := tree.Commit("new")

	side := func(from, status, version, more string) string {
		tree.Git("checkout", "-q", "--detach", from)
		tree.Write("new/plan.md", "---\ntitle: New\nversion: "+version+"\n---\n\nText.\n")
		tree.Write("new/tasks/01-one.md", fmt.Sprintf(task, "one", status, ""))
		if more != "" {
			tree.Write("new/tasks/02-two.md", fmt.Sprintf(task, "two", more, ""))
		}
		return tree.Commit("side")
	}
	for name, tt := range map[string]struct{ side, want string }{
		"off the root":        {side(root, "done", "2", "skipped"), "unrelated-history"},
		"done without a sign": {side(begun, "done", "2", "skipped"), "evidence"},
		"an older version":    {side(begun, "pending", "1", "skipped"), "version"},
		"a task is gone":      {side(begun, "pending", "2", ""), "task-dropped"},
		"as good":             {side(begun, "in_progress", "2", "skipped"), ""},
	} {
		for _, parents := range [][]string{{old, tt.side}, {tt.side, old}} {
			// The merge has the policy of the branch, and the plan of the side.
			tree.Git("checkout", "-q", "--detach", tt.side)
			tree.Git("checkout", "-q", old, "--", "gates.yaml", "auth")
			tree.Git("add", "-A")
			merge := tree.Git("commit-tree", "-m", "merge", "-p", parents[0], "-p", parents[1], tree.Git("write-tree"))
			if got := refusals(t, repo, old, merge); got != tt.want {
				t.Errorf("%s: refused for %q, want %q", name, got, tt.want)
			}
			tree.Git("reset", "-q", "--hard")
		}
	}
}

// A gate that is raised in a push holds from the next commit on, along first
// parents. What a side made before it met that gate was legal there.
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
		"in the merge":         {mergeOf(tree, all, raised, other), "no-tasks"},
		"from the other side":  {mergeOf(tree, all, other, raised), ""},
		"on a side of a merge": {mergeOf(tree, all, raised, mergeOf(tree, all, met)), "no-tasks"},
		"before the merge":     {mergeOf(tree, all, raised, empty), ""},
		"the gate was left":    {mergeOf(tree, empty, mergeOf(tree, other, raised, other)), ""},
	} {
		if got := refusals(t, repo, begun, tt.tip); got != tt.want {
			t.Errorf("%s: refused for %q, want %q", name, got, tt.want)
		}
	}
}
