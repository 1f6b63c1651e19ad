package store

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/git-plan/git-plan/gitstore"
)

// How long a remote that keeps moving is followed at least: every move of it is
// somebody's success, so it is worth while to wait.
const (
	followAttempts = 20
	followTime     = time.Minute
)

// follow makes attempts until one says that it need not be made again.
func follow(ctx context.Context, remote gitstore.Remote, attempt func() (again bool, err error)) error {
	begun := time.Now()
	for n := 1; ; n++ {
		if again, err := attempt(); !again {
			return err
		}
		if n >= followAttempts && time.Since(begun) >= followTime {
			return &gitstore.BusyError{Ref: remote.Ref + " at " + remote.Name, Attempts: n}
		}
		if err := pause(ctx, n); err != nil {
			return err
		}
	}
}

// pause waits before the next attempt, ever shorter, so that who has lost often
// comes before who has just begun.
func pause(ctx context.Context, attempt int) error {
	timer := time.NewTimer(rand.N(100 * time.Millisecond / time.Duration(attempt)))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// giveTurn waits a little where the plans here were moved a moment ago. Who has just
// pushed has nothing to fetch, and would come first again and again, before those who
// first have to take in what it pushed.
func (r *Repo) giveTurn(ctx context.Context) error {
	if info, err := os.Stat(filepath.Join(r.CommonDir, "logs", filepath.FromSlash(r.Ref))); err != nil || time.Since(info.ModTime()).Abs() > time.Second {
		return nil
	}
	return pause(ctx, 1)
}
