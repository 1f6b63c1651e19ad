package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// TestCrossed lets two clones that merged each other's first commits, each by
// itself, go on and meet: no one commit holds all that they have in common.
func TestCrossed(t *testing.T) {
	seed := newMeetingSeed(t)
	const three = "auth/tasks/03-three.md"
	first := sub(taskTwo, "Do two.", "Two, by ant.")
	for _, c := range []struct {
		name string
		// bFirst is B's first commit; aSettled and bSettled are how either
		// settled what git could not merge; a and b are what they do then.
		bFirst             edit
		aSettled, bSettled string
		a, b               []edit
		want               outcome
	}{
		{
			name: "each changes what the other began", bFirst: sub(three, "Do three.", "Three, by bee."),
			a:    []edit{sub(three, "by bee", "by both")},
			b:    []edit{sub(taskTwo, "by ant", "by both")},
			want: outcome{files: []edit{sub(taskTwo, "Do two.", "Two, by both."), sub(three, "Do three.", "Three, by both.")}},
		},
		{
			name: "one takes back what the other began", bFirst: sub(three, "Do three.", "Three, by bee."),
			a:    []edit{sub(three, "Three, by bee.", "Do three.")},
			b:    []edit{sub(taskOne, "First.", "At first.")},
			want: outcome{files: []edit{first, sub(taskOne, "First.", "At first.")}},
		},
		{
			name: "one conflict settled alike", bFirst: sub(taskTwo, "Do two.", "Two, by bee."),
			aSettled: "Two, by both.", bSettled: "Two, by both.",
			a:    []edit{sub(three, "Do three.", "Three, by ant.")},
			b:    []edit{sub(taskOne, "First.", "At first.")},
			want: outcome{files: []edit{sub(taskTwo, "Do two.", "Two, by both."), sub(three, "Do three.", "Three, by ant."), sub(taskOne, "First.", "At first.")}},
		},
		{
			name: "one conflict settled in two ways", bFirst: sub(taskTwo, "Do two.", "Two, by bee."),
			aSettled: "Two, by bee.", bSettled: "Two, by ant.",
			a:    []edit{sub(three, "Do three.", "Three, by ant.")},
			want: outcome{conflicts: []string{"auth plan"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newEncounter(t, seed)
			e.aTree, e.bTree = e.tree(e.a, "a-tree"), e.tree(e.b, "b-tree")
			start := e.base
			e.commitNatively(e.aTree, []edit{first})
			e.commitNatively(e.bTree, []edit{c.bFirst})
			ant, bee := e.a.Git("rev-parse", "plans"), e.b.Git("rev-parse", "plans")
			e.cross(e.aTree, "../b", bee, c.aSettled)
			e.cross(e.bTree, "../a", ant, c.bSettled)
			e.base = e.files(e.a)
			e.commitNatively(e.aTree, c.a)
			e.base = e.files(e.b)
			e.commitNatively(e.bTree, c.b)
			e.base = start
			e.a.Git("push", "-q", "origin", "plans")
			e.aTip, e.bTip = e.a.Git("rev-parse", "plans"), e.b.Git("rev-parse", "plans")
			e.sync(c.want)
			if !t.Failed() {
				e.meetAgain()
			}
		})
	}
}

// cross merges another clone's commit natively; settled is what becomes of task
// two where that conflicts.
func (e *encounter) cross(tree *gittest.Repo, from, commit, settled string) {
	e.t.Helper()
	tree.Git("fetch", "-q", from, "plans")
	status := e.try(tree, "git", "merge", "-q", "-m", "cross", commit)
	if (status != 0) != (settled != "") {
		e.t.Fatalf("git merge: status %d\n%s%s", status, e.said, e.complain)
	}
	if settled != "" {
		tree.Write(taskTwo, "---\nid: two\n---\n\n"+settled+"\n")
		tree.Git("add", "-A")
		tree.Git("commit", "-q", "-m", "cross, settled")
	}
}

// TestRemoteMovesDuringSync has somebody else land each time that a clone is
// about to push: what came too late leaves nothing behind.
func TestRemoteMovesDuringSync(t *testing.T) {
	e := newEncounter(t, newMeetingSeed(t))
	e.aTree, e.bTree = e.tree(e.a, "a-tree"), e.tree(e.b, "b-tree")
	for _, word := range []string{"Erst.", "Primo.", "First, once more."} {
		e.commitNatively(e.aTree, []edit{sub(taskOne, "First.", word)})
	}
	e.commitNatively(e.bTree, []edit{put("auth/tasks/05-bee.md", madeTask("bee", "")), sub(taskTwo, "Do two.", "Do both.")})
	e.aTip, e.bTip = e.a.Git("rev-parse", "plans"), e.b.Git("rev-parse", "plans")
	hook := e.b.At(filepath.Join(e.top, "late"))
	hook.Write("pre-push", `#!/bin/sh
unset $(git rev-parse --local-env-vars)
echo >> ../late/called
behind=$((3 - $(wc -l < ../late/called)))
test $behind -lt 0 || git -C ../a push -q origin plans~$behind:plans
`)
	if err := os.Chmod(filepath.Join(hook.Dir, "pre-push"), 0o755); err != nil {
		t.Fatal(err)
	}
	e.b.Git("config", "core.hooksPath", "../late")
	e.sync(outcome{files: []edit{
		sub(taskOne, "First.", "First, once more."), sub(taskTwo, "Do two.", "Do both."), put("auth/tasks/05-bee.md", madeTask("bee", "")),
	}})
	if second := e.b.Git("rev-parse", "plans^2"); second != e.bTip {
		t.Errorf("the merge is made of %s, not of what was here, %s", second, e.bTip)
	}
	e.b.Git("config", "--unset", "core.hooksPath")
	e.meetAgain()
}
