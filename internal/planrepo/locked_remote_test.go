package planrepo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	repo = open(t, g)
	if _, err := repo.Sync(t.Context(), SyncOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := move(repo, "auth", "one", plan.Done); err != nil {
		t.Fatal(err)
	}
	lock := filepath.Join(bare.Dir, "refs", "heads", "plans.lock")
	if err := os.WriteFile(lock, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	remote, err := repo.remote("origin")
	if err != nil {
		t.Fatal(err)
	}
	s := &syncing{repo: repo, remote: remote}
	if again, err := s.round(t.Context()); !again || err != nil {
		t.Fatalf("at first: %v, %v, %+v", again, err, s.out)
	}
	s.locked.since = s.locked.since.Add(-lockTime)
	again, err := s.round(t.Context())
	if told := strings.Join(s.out.Details, "\n"); again || err != nil || s.out.Status != SyncRejected || !strings.Contains(told, "plans.lock") {
		t.Errorf("at last: %v, %v, %s: %s", again, err, s.out.Status, told)
	}

	// Where the remote moved meanwhile, its lock is another one.
	s = &syncing{repo: repo, remote: remote, locked: lockedRemote{held: "elsewhere", since: time.Now().Add(-lockTime)}}
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
