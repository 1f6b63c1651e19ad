package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/plan"
)

// A lock that a crash left at the remote is told as what it is, and one that is
// there for a moment is waited for.
func TestLockedRemote(t *testing.T) {
	t.Parallel()
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	bare := gittest.NewBare(t)
	g.Git("remote", "add", "origin", bare.Dir)
	g.Git("push", "-q", "origin", "HEAD")
	repo = open(t, g)
	if _, err := repo.Publisher().Sync(t.Context(), SyncOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	lock := filepath.Join(bare.Dir, "refs", "heads", "plans.lock")
	if err := os.WriteFile(lock, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s := repo.Publisher().publishing(gitstore.Remote{}, SyncOptions{})
	if told := s.stands(t); !strings.Contains(told, "plans.lock") {
		t.Error(told)
	}

	// Where the remote moved meanwhile, its lock is another one.
	remote := s.remote
	s = repo.Publisher().publishing(remote, SyncOptions{})
	s.locked = lockedRemote{held: "elsewhere", since: time.Now().Add(-lockTime)}
	if again, err := s.round(t.Context()); !again || err != nil {
		t.Errorf("moved: %v, %v", again, err)
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if again, err := s.round(t.Context()); again || err != nil || s.out.Status != SyncPushed {
		t.Errorf("unlocked: %v, %v, %s", again, err, s.out.Status)
	}
}

// stands gives what is told of a remote that says it moved for so long, and does not.
func (p *publishing) stands(t *testing.T) string {
	t.Helper()
	var err error
	if p.remote, err = p.repo.Publisher().remote("origin"); err != nil {
		t.Fatal(err)
	}
	if again, err := p.round(t.Context()); !again || err != nil {
		t.Fatalf("at first: %v, %v, %+v", again, err, p.out)
	}
	p.locked.since = p.locked.since.Add(-lockTime)
	if again, err := p.round(t.Context()); again || err != nil || p.out.Status != SyncRejected {
		t.Fatalf("at last: %v, %v, %+v", again, err, p.out)
	}
	return strings.Join(p.out.Details, "\n")
}

// Where another repository is pushed to than is fetched from, no lock is looked for.
func TestPushedElsewhere(t *testing.T) {
	t.Parallel()
	g, repo := begin(t)
	put(t, repo, "auth", files("Auth", "one"))
	bare, fork := gittest.NewBare(t), gittest.NewBare(t)
	g.Git("remote", "add", "origin", bare.Dir)
	g.Git("push", "-q", "origin", "plans")
	g.Git("remote", "set-url", "--push", "origin", fork.Dir)
	other := bare.Clone(t, "-q", "-b", "plans")
	other.Write("board/plan.md", "---\ntitle: Board\n---\n\nText.\n")
	other.Commit("board")
	other.Git("push", "-q", fork.Dir, "plans")
	put(t, repo, "dock", files("Dock", "one"))
	repo = open(t, g)
	told := repo.Publisher().publishing(gitstore.Remote{}, SyncOptions{}).stands(t)
	if strings.Contains(told, "lock") {
		t.Error(told)
	}
	if want := "it is fetched from " + bare.Dir + " and pushed to " + fork.Dir + "; `git plan sync ADDRESS`"; !strings.Contains(told, want) {
		t.Errorf("no %q in %s", want, told)
	}
	if got, err := repo.Publisher().Sync(t.Context(), SyncOptions{Remote: fork.Dir}); err != nil || got.Status != SyncPushed {
		t.Errorf("as told: %+v, %v", got, err)
	}
	if got, err := repo.Publisher().Sync(t.Context(), SyncOptions{}); err != nil || got.Status == SyncRejected {
		t.Errorf("after that: %+v, %v", got, err)
	}
}

func TestWithoutCredentials(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://ada:secret@host/plans.git":  "https://host/plans.git",
		"https://ada:sec@ret@host:8443/p/@1": "https://host:8443/p/@1",
		"https://token@host":                 "https://host",
		"git@host:plans.git":                 "git@host:plans.git",
		"/srv/plans@home.git":                "/srv/plans@home.git",
		"file:///srv/plans@home.git":         "file:///srv/plans@home.git",
	} {
		if got := withoutCredentials(address); got != want {
			t.Errorf("%s: %s, not %s", address, got, want)
		}
	}
}
