package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/plan"
)

// A claim that landed here gives way in a merge of native git to one that was
// published first: it is lost, although its commit is in what is published then.
func TestClaimLostInMerge(t *testing.T) {
	t.Parallel()
	tree, repo, at, _ := published(t)
	claim := func(repo *Repo, agent string) Result {
		t.Helper()
		result, err := repo.land(t.Context(), Edit("auth", func(p *plan.Plan) (Message, error) {
			_, err := p.Transition(p.Task("one"), plan.Move{To: plan.InProgress, At: repo.Now(), Agent: agent})
			return Message{Agent: agent}, err
		}), nil)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	other := tree.Clone(t, "-q", "-b", "plans")
	other.Git("remote", "set-url", "origin", tree.Git("remote", "get-url", "origin"))
	theirs := open(t, other)
	theirs.Publish = PublishAll
	if _, err := theirs.Publisher().PublishResult(t.Context(), claim(theirs, "agent-2")); err != nil {
		t.Fatal(err)
	}

	mine := claim(repo, "agent-1")
	seen := mine
	seen.Plans = nil // as a second command finds it
	tree.Git("pull", "-q", "--no-rebase", "--no-edit", "-X", "theirs", "origin", "plans")
	repo.Publish = PublishAll
	var conflict *ConflictError
	if _, err := repo.Publisher().PublishResult(t.Context(), mine); !errors.As(err, &conflict) || !strings.Contains(err.Error(), "another agent claimed first") {
		t.Errorf("%v", err)
	}
	if tree.Git("merge-base", mine.Commit, at()) != mine.Commit {
		t.Error("the claim's commit is not published")
	}
	p, err := toShare(repo)
	if err != nil {
		t.Fatal(err)
	}
	if _, lost, err := p.publishResult(t.Context(), repo, seen); err != nil || !lost {
		t.Errorf("what was seen before the merge still counts: %v, %v", lost, err)
	}
}
