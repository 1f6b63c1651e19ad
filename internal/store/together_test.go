package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
)

// crew is a clone with worktrees, each with a plan of its own to report on, and a
// server that counts pushes.
type crew struct {
	*gittest.Repo
	server *gittest.Repo
	repos  []*Repo
}

func newCrew(t *testing.T, worktrees int) *crew {
	t.Helper()
	g, _ := begin(t)
	c := &crew{Repo: g, server: gittest.NewBare(t)}
	g.Git("remote", "add", "origin", c.server.Dir)
	g.Git("push", "-q", "origin", "main")
	repo := open(t, g)
	for i := range worktrees {
		put(t, repo, fmt.Sprintf("plan-%d", i), files("Plan", "one"))
		dir := filepath.Join(filepath.Dir(g.Dir), fmt.Sprintf("worktree-%d", i))
		g.Git("worktree", "add", "-q", "--detach", dir)
		own := open(t, g.At(dir))
		own.Publish = PublishAll
		c.repos = append(c.repos, own)
	}
	if _, err := repo.Publisher().Sync(t.Context(), SyncOptions{}); err != nil {
		t.Fatal(err)
	}
	gittest.Script(t, filepath.Join(c.server.Dir, "hooks", "post-receive"), "#!/bin/sh\necho push >>pushes\n")
	return c
}

func (c *crew) pushes() int {
	text, _ := os.ReadFile(filepath.Join(c.server.Dir, "pushes"))
	return strings.Count(string(text), "push")
}

// holdingUp runs fn while another process of the clone publishes, until all landed.
func (c *crew) holdingUp(t *testing.T, landed int, fn func(*Repo) error) {
	t.Helper()
	before := c.Git("rev-parse", "plans")
	unlock, err := c.repos[0].Store.Alone(t.Context(), "publish", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, len(c.repos))
	for _, repo := range c.repos {
		go func() { done <- fn(repo) }()
	}
	gittest.Until(t, "all landed", func() bool {
		return c.Git("rev-list", "--count", before+"..plans") == fmt.Sprint(landed)
	})
	unlock()
	for range c.repos {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// report finishes the task of a worktree's own plan.
func report(repo *Repo) error {
	id := strings.Replace(filepath.Base(repo.WorkTree), "worktree", "plan", 1)
	result, err := move(repo, id, "one", plan.Done)
	if err == nil && (result.Published == nil || !*result.Published) {
		err = fmt.Errorf("%s was not published: %v", id, result.Notes)
	}
	return err
}

// What landed while another worktree of the clone published goes along with the next
// push, and nobody pushes or fetches for it once more.
func TestWorktreesPublishTogether(t *testing.T) {
	t.Parallel()
	c := newCrew(t, 8)
	c.holdingUp(t, 8, report)
	if n := c.pushes(); n != 1 {
		t.Errorf("%d pushes of 8 changes", n)
	}
	if here, there := c.Git("rev-parse", "plans"), c.server.Git("rev-parse", "plans"); here != there {
		t.Errorf("here is %s, there %s", here, there)
	}
}

// So it is where the remote moved meanwhile, and all of it is replayed by one.
func TestWorktreesPublishTogetherOnANewerTip(t *testing.T) {
	t.Parallel()
	c := newCrew(t, 4)
	other := c.server.Clone(t, "-b", "main")
	other.Git("branch", "-q", "plans", "origin/plans")
	elsewhere := open(t, other)
	put(t, elsewhere, "other", files("Other", "one"))
	if _, err := elsewhere.Publisher().Sync(t.Context(), SyncOptions{}); err != nil {
		t.Fatal(err)
	}
	before := c.pushes()
	c.holdingUp(t, 4, report)
	if n := c.pushes() - before; n != 1 {
		t.Errorf("%d pushes of 4 changes", n)
	}
	if here, there := c.Git("rev-parse", "plans"), c.server.Git("rev-parse", "plans"); here != there || c.Git("rev-list", "--count", "--merges", "plans") != "0" {
		t.Errorf("here is %s, there %s", here, there)
	}
}

// A claim that another clone made first is lost, whichever process of this clone finds
// that out.
func TestLostClaimIsReplayedByAnother(t *testing.T) {
	t.Parallel()
	c := newCrew(t, 2)
	claim := func(repo *Repo, id, agent string) (Result, error) {
		return repo.Commit(t.Context(), Edit(id, func(p *plan.Plan) (Message, error) {
			_, err := p.Transition(p.Task("one"), plan.Move{To: plan.InProgress, At: repo.Now(), Agent: agent})
			return Message{Agent: agent}, err
		}))
	}
	other := c.server.Clone(t, "-b", "main")
	other.Git("branch", "-q", "plans", "origin/plans")
	elsewhere := open(t, other)
	elsewhere.Publish = PublishAll
	if _, err := claim(elsewhere, "plan-0", "agent-9"); err != nil {
		t.Fatal(err)
	}
	var held *plan.HeldError
	c.holdingUp(t, 2, func(repo *Repo) error {
		if strings.HasSuffix(repo.WorkTree, "worktree-1") {
			return report(repo)
		}
		if _, err := claim(repo, "plan-0", "agent-0"); !errors.As(err, &held) {
			return fmt.Errorf("a claim that was lost: %w", err)
		}
		return nil
	})
	if n := c.pushes(); n != 2 {
		t.Errorf("%d pushes of 2 changes", n)
	}
}

// Who has the lock for longer than publishing may take keeps nobody from working: the
// change stays here, and says so.
func TestPublishingIsNotWaitedForLong(t *testing.T) {
	t.Parallel()
	c := newCrew(t, 1)
	c.Git("config", "plan.publishTimeout", "20ms")
	repo := open(t, c.Repo.At(c.repos[0].WorkTree))
	repo.Publish = PublishAll
	unlock, err := repo.Store.Alone(t.Context(), "publish", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	result, err := move(repo, "plan-0", "one", plan.Done)
	if err != nil || result.Published == nil || *result.Published || !strings.Contains(strings.Join(result.Unpublished, "\n"), "locked by another process") {
		t.Errorf("%+v, %v", result, err)
	}
	var locked *gitstore.LockedError
	if _, err := repo.Publisher().Sync(t.Context(), SyncOptions{}); !errors.As(err, &locked) {
		t.Errorf("sync: %v", err)
	}
}

// What a process signed is made again by it alone, though another process of the clone
// published first, and could not.
func TestSignedIsMadeAgainByItsMaker(t *testing.T) {
	t.Parallel()
	c := newCrew(t, 2)
	key := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Skipf("no key can be made: %v: %s", err, out)
	}
	for name, value := range map[string]string{"gpg.format": "ssh", "user.signingKey": key, "commit.gpgSign": "true"} {
		c.Git("config", name, value)
	}
	as := func(i int, name string) *Repo {
		return open(t, c.Repo.At(c.repos[i].WorkTree).With("GIT_COMMITTER_NAME="+name, "GIT_COMMITTER_EMAIL="+name+"@example.com"))
	}
	ann, bob := as(0, "ann"), as(1, "bob")
	other := c.server.Clone(t, "-b", "main")
	other.Git("branch", "-q", "plans", "origin/plans")
	elsewhere := open(t, other)
	put(t, elsewhere, "other", files("Other", "one"))
	if _, err := elsewhere.Publisher().Sync(t.Context(), SyncOptions{}); err != nil {
		t.Fatal(err)
	}
	ann.Publish = PublishAll
	result, err := ann.land(t.Context(), Edit("plan-0", func(p *plan.Plan) (Message, error) {
		_, err := p.Transition(p.Task("one"), plan.Move{To: plan.Done, At: ann.Now(), Agent: "ann"})
		return Message{Agent: "ann"}, err
	}), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := bob.Publisher().Sync(t.Context(), SyncOptions{})
	if err != nil || got.Status != SyncPulled || len(got.Parked) != 1 || got.Parked[0].Commit != result.Commit || got.Parked[0].Waits != "ann <ann@example.com>" {
		t.Fatalf("%+v, %v", got, err)
	}
	result, err = ann.Publisher().PublishResult(t.Context(), result)
	if err != nil || result.Published == nil || !*result.Published || c.server.Git("log", "-1", "--format=%ce", "plans") != "ann@example.com" {
		t.Errorf("%+v, %v", result, err)
	}
	if left := c.Git("for-each-ref", ParkedPrefix); left != "" {
		t.Errorf("left: %s", left)
	}
}
