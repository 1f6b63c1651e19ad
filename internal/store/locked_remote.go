package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
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

// whyHeld says why a remote may refuse to be moved from where it is said to be, for
// longer than anybody moves it.
func (p *publishing) whyHeld(ctx context.Context, refused *gitstore.PushRefusedError) string {
	elsewhere := refused.Reason == "fetch first" || refused.Reason == "non-fast-forward" // as git here finds, and no lock
	from, to := p.addresses(ctx, refused.Remote), p.addresses(ctx, refused.Remote, "--push", "--all")
	if !elsewhere || slices.Equal(from, to) {
		return "it does not move either: a crash may have left a lock there, which `git plan doctor` finds on that machine"
	}
	return fmt.Sprintf("it is pushed to another repository than it is fetched from, and that one has more: it is fetched from %s and pushed to %s; `git plan sync ADDRESS` brings the plans together with those there, and `git remote set-url --push %s ADDRESS` says where to push",
		strings.Join(from, ", "), strings.Join(to, ", "), refused.Remote)
}

// addresses gives those of a remote, without credentials; none of what is no remote.
func (p *publishing) addresses(ctx context.Context, remote string, which ...string) (all []string) {
	out, err := p.repo.Git.Read(ctx, slices.Concat([]string{"remote", "get-url"}, which, []string{"--", remote})...)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(out)) {
		all = append(all, withoutCredentials(strings.TrimSpace(line)))
	}
	return all
}

// withoutCredentials leaves out of an address who asks, and by which password.
func withoutCredentials(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address // a path, or one of ssh, which holds no password
	}
	host, path, below := strings.Cut(rest, "/")
	host = host[strings.LastIndex(host, "@")+1:]
	if below {
		path = "/" + path
	}
	return scheme + "://" + host + path
}
