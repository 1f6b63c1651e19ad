package draft

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/store"
)

// cutOff is a commit that lands and ends there, as if the process had been
// killed.
func cutOff(t *testing.T, repo *store.Repo, d *Drafts, begin func(*committer) store.Mutation) {
	t.Helper()
	state, err := d.State()
	if err != nil {
		t.Fatal(err)
	}
	c := &committer{drafts: d, state: state, opts: CommitOptions{Agent: "tester"}}
	if err := c.load(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Commit(context.Background(), begin(c)); err != nil {
		t.Fatal(err)
	}
}

func noted(c *committer) store.Mutation { return c.begin }

// plans are the folders of the store.
func plans(g *gittest.Repo) string { return g.Git("ls-tree", "--name-only", "-d", "plans") }

// A refusal does not make a commit forgotten that had landed.
func TestCutOffThenRefused(t *testing.T) {
	g, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	cutOff(t, repo, d, noted)
	write(t, th, "tasks/02-two.md", "---\nid: two\ndepends_on: [none]\n---\n\nDo it.\n")
	_, again := open(t, g)
	var rejected *store.RejectedError
	if _, _, err := again.Commit(context.Background(), CommitOptions{}); !errors.As(err, &rejected) {
		t.Fatalf("commit of a bad plan: %v", err)
	}
	write(t, th, "tasks/02-two.md", taskText("two"))
	commit(t, again)
	if got := plans(g); got != "auth" {
		t.Errorf("plans %q", got)
	}
}

// Nor is that of a plan which was drafted in the place of another one.
func TestCutOffInPlaceOfAnother(t *testing.T) {
	g, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	commit(t, d)
	if _, err := d.ClearCurrent(context.Background()); err != nil {
		t.Fatal(err)
	}
	write(t, th, "plan.md", planText("Shop"), "tasks/01-two.md", taskText("two"))
	cutOff(t, repo, d, noted)
	write(t, th, "tasks/02-three.md", taskText("three"))
	_, again := open(t, g)
	commit(t, again)
	if got := plans(g); got != "shop" {
		t.Errorf("plans %q", got)
	}
	if s, _ := again.State(); s.Plan != "shop" || s.thread(th.ID).Plan != "shop" || s.thread(th.ID).Cleared {
		t.Errorf("state %+v", s)
	}
}

// Nor is it forgotten when the commit after it is cut off, too.
func TestCutOffTwice(t *testing.T) {
	g, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	cutOff(t, repo, d, noted)
	for _, file := range []string{"02-two", "03-three"} {
		write(t, th, "tasks/"+file+".md", taskText(file[3:]))
		cutOff(t, repo, d, noted)
	}
	commit(t, d)
	if got := plans(g); got != "auth" {
		t.Errorf("plans %q", got)
	}
	if s, _ := d.State(); s.Plan != "auth" || s.Threads[0].Pending != "" {
		t.Errorf("state %+v", s)
	}
}

// Where somebody takes the id while a plan is on its way, the id that lands is
// the one that is noted.
func TestCutOffUnderAnotherID(t *testing.T) {
	g, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	tip, runs := g.Git("rev-parse", "plans"), 0
	cutOff(t, repo, d, func(c *committer) store.Mutation {
		return func(ctx context.Context, s *store.Snapshot) (store.Proposal, error) {
			proposal, err := c.begin(ctx, s)
			if runs++; runs == 1 {
				taken := g.GitInput("100644 blob "+g.GitInput("x", "hash-object", "-w", "--stdin")+"\tplan.md\n", "mktree")
				tree := g.GitInput(g.Git("ls-tree", tip)+"\n040000 tree "+taken+"\tauth\n", "mktree")
				g.Git("update-ref", "refs/heads/plans", g.Git("commit-tree", "-p", tip, "-m", "theirs", tree))
			}
			return proposal, err
		}
	})
	if got := plans(g); got != "auth-2\nauth" {
		t.Fatalf("plans %q", got)
	}
	commit(t, d)
	if got := plans(g); got != "auth-2\nauth" {
		t.Errorf("the plan was stored again: %q", got)
	}
	if s, _ := d.State(); s.Plan != "auth-2" || runs != 2 {
		t.Errorf("after %d runs: %+v", runs, s)
	}
}

// Where a merge gave the plan another id before the next commit, it is known by that.
func TestCutOffThenRenamed(t *testing.T) {
	g, repo, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Auth"), "tasks/01-one.md", taskText("one"))
	cutOff(t, repo, d, noted)
	tree := g.GitInput(strings.Replace(g.Git("ls-tree", "plans"), "\tauth", "\tauth-2", 1)+"\n", "mktree")
	g.Git("update-ref", "refs/heads/plans", g.Git("commit-tree", "-p", "plans", "-m", "merge", tree))
	if err := Follow(context.Background(), repo, map[string]string{"auth": "auth-2"}); err != nil {
		t.Fatal(err)
	}
	commit(t, d)
	if got := plans(g); got != "auth-2" {
		t.Errorf("plans %q", got)
	}
	if s, _ := d.State(); s.thread(th.ID).Plan != "auth-2" {
		t.Errorf("state %+v", s)
	}
}
