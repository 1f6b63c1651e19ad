package planrepo

import (
	"context"
	"time"

	"github.com/git-plan/git-plan/gitstore"
)

// lockTime is how long a remote may say that it moves, and not move: a ref is
// locked there for a moment only, unless a crash left the lock.
const lockTime = 10 * time.Second

// lockedRemote tells a remote that moves from one that cannot.
type lockedRemote struct {
	// seen is where the remote was at the last look, held where it was when it
	// first refused to be moved from there, at since.
	seen, held string
	since      time.Time
}

// fetch asks where the remote is.
func (s *syncing) fetch(ctx context.Context) (theirs string, err error) {
	theirs, err = s.repo.fetch(ctx, s.remote)
	s.locked.seen = theirs
	return theirs, err
}

// moved reports whether a push was refused because the remote is on the move, so
// that it is worth while to look again.
func (l *lockedRemote) moved(refused *gitstore.PushRefusedError) bool {
	if !refused.Moved {
		return false
	}
	if l.since.IsZero() || l.seen != l.held {
		l.held, l.since = l.seen, time.Now()
	}
	return time.Since(l.since) < lockTime
}
