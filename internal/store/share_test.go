package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
)

// A remote that has no plans yet gets none that do not pass the gate, with a
// change that does.
func TestFirstPushMeetsTheGate(t *testing.T) {
	t.Parallel()
	tree, _ := byHand(t)
	remote := gittest.NewBare(t)
	tree.Git("remote", "add", "origin", remote.Dir)
	tree.Write("notes.txt", "x\n")
	tree.Write("board/plan.md", "---\ntitle: Board\n---\n\nText.\n")
	tree.Write("board/tasks/01-one.md", fmt.Sprintf(task, "one", "pending", "nobody"))
	before := tree.Commit("wrong")
	repo := open(t, tree)
	repo.Publish = PublishAll
	got, err := move(repo, "auth", "one", plan.Done)
	if err != nil || got.Published == nil || *got.Published || !strings.Contains(strings.Join(got.Unpublished, "\n"), "depends-unknown") {
		t.Fatalf("%+v, %v", got, err)
	}
	if remote.Git("for-each-ref") != "" || tree.Git("rev-parse", "plans^") != before {
		t.Error("something else moved")
	}
	tree.Git("rm", "-rq", "notes.txt", "board")
	tree.Git("commit", "-q", "-m", "right")
	if _, err := move(repo, "auth", "two", plan.Done); err != nil || remote.Git("rev-parse", "plans") != tree.Git("rev-parse", "plans") {
		t.Error(err)
	}
}

// Nor does a branch for a proposal take along what does not pass.
func TestProposalMeetsTheGate(t *testing.T) {
	t.Parallel()
	tree, repo, _, _ := published(t)
	edited := func(text string) ProposeOptions {
		list := load(t, repo, "auth").Plan.FileList()
		for i, f := range list {
			if f.Path == "plan.md" {
				list[i].Data = []byte(strings.Replace(string(f.Data), "Text.", text, 1))
			}
		}
		return ProposeOptions{Write: Write{ID: "auth", Plan: parsePlan("auth", list)}, Push: true}
	}
	if _, err := repo.Propose(t.Context(), edited("First.")); err != nil {
		t.Fatal(err)
	}
	there := func() string { return tree.Git("ls-remote", "origin", ProposalPrefix+"auth") }
	before := there()
	tree.Git("checkout", "-q", "proposals/auth")
	tree.Write("auth/tasks/03-three.md", fmt.Sprintf(task, "three", "pending", "nobody"))
	tree.Commit("wrong")
	_, err := repo.Propose(t.Context(), edited("Second."))
	var open *MergeError
	if !errors.As(err, &open) || !strings.Contains(err.Error(), "depends-unknown") || there() != before {
		t.Errorf("%v", err)
	}
	opts := edited("Second.")
	opts.Prefer = merge.Ours
	got, err := repo.Propose(t.Context(), opts)
	if err != nil || !strings.HasPrefix(there(), got.Commit) || tree.Git("rev-list", "--count", "plans.."+got.Commit) != "1" {
		t.Errorf("made anew: %+v, %v", got, err)
	}
}

// What landed here was judged here, and is not judged again when it is published. A
// commit that native git made of one, with its message, is.
func TestPublishedAsLanded(t *testing.T) {
	t.Parallel()
	tree, repo, at, _ := published(t)
	landed, err := move(repo, "auth", "one", plan.Done)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := repo.Publisher().Sync(t.Context(), SyncOptions{}); err != nil || got.Status != SyncPushed || at() != landed.Commit {
		t.Fatalf("%+v, %v", got, err)
	}
	landed, err = move(repo, "auth", "two", plan.Done)
	if err != nil {
		t.Fatal(err)
	}
	tree.Git("reset", "-q", "--hard", "plans")
	tree.Write("auth/tasks/02-two.md", "---\nid: two\nstatus: finished\n---\n\nDo it.\n")
	tree.Git("commit", "-q", "-a", "--amend", "--no-edit")
	if message := tree.Git("log", "-1", "--format=%B"); !strings.Contains(message, trailerChange+": ") {
		t.Fatalf("the message is %q", message)
	}
	before := at()
	if got, err := repo.Publisher().Sync(t.Context(), SyncOptions{}); err != nil || got.Status != SyncConflict || len(got.Parked) != 1 || at() != before {
		t.Errorf("%+v, %v", got, err)
	}
}
