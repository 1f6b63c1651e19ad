package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/git-plan/git-plan/gitstore"
)

// A read waits for no network. It may start a fetch that goes on by itself, for those
// who read next.

// fetchRest is how long no other fetch is started after one that failed.
const fetchRest = 5 * time.Minute

// failedFetch is what the file of the last such fetch says if it failed.
const failedFetch = "failed\n"

// fetchAge is how old a view of the remote may be, 0 for any age.
func fetchAge(r *Repo) (time.Duration, error) {
	const usual = 30 * time.Second
	switch text, _ := r.Config.Get("plan.fetchAge"); text {
	case "":
		return usual, nil
	case "0", "off", "false", "never":
		return 0, nil
	default:
		age, err := time.ParseDuration(text)
		if err != nil || age < 0 {
			return 0, fmt.Errorf("bad value %q of plan.fetchAge; set it to a duration such as 30s, or to off", text)
		}
		return age, nil
	}
}

// fetchAsked is the file whose time says when a fetch was last started by a read.
// Whoever fetches has a lock on it.
func fetchAsked(r *Repo) string { return filepath.Join(r.CommonDir, "git-plan", fetchLock) }

const fetchLock = "fetching"

// FetchBehind starts a fetch of the remote's plans that nobody waits for, if what is
// known of them is older than plan.fetchAge: where they are published by themselves,
// or were seen there. A hook starts none: git may be at work on the refs. The program is
// the path of git plan, where that is known.
func (pub Publisher) FetchBehind(ctx context.Context, program string) error {
	age, err := fetchAge(pub.repo)
	if err != nil || age == 0 || pub.trackingRef() == "" || inHook(pub.repo) {
		return err
	}
	if !mayAsk(pub.repo, time.Now(), age) || pub.repo.Publish < PublishAll && !pub.Shared(ctx) {
		return nil
	}
	if err := os.WriteFile(fetchAsked(pub.repo), nil, 0o666); err != nil {
		return nil // who cannot write here cannot fetch
	}
	pub.repo.Share(fetchAsked(pub.repo))
	g := pub.repo.Git.Unattended()
	if base := filepath.Base(program); base == "git-plan" || base == "git-plan.exe" {
		g = g.WithEnv("PATH=" + filepath.Dir(program) + string(os.PathListSeparator) + g.Getenv("PATH"))
	}
	return g.Detach("plan", "sync", "--behind")
}

// mayAsk reports whether it is long enough since a fetch that worked, and since one
// was last started by a read.
func mayAsk(r *Repo, now time.Time, age time.Duration) bool {
	if now.Sub(lastFetch(r)).Abs() < age {
		return false
	}
	info, err := os.Stat(fetchAsked(r))
	if err != nil {
		return true
	}
	return !hasFailed(r, now) && now.Sub(info.ModTime()).Abs() >= age
}

// hasFailed reports whether the last such fetch failed a moment ago, and none has worked
// since.
func hasFailed(r *Repo, now time.Time) bool {
	info, err := os.Stat(fetchAsked(r))
	if err != nil || now.Sub(info.ModTime()).Abs() >= fetchRest || lastFetch(r).After(info.ModTime()) {
		return false
	}
	text, err := os.ReadFile(fetchAsked(r))
	return err == nil && string(text) == failedFetch
}

// inHook reports whether git started this process, and is at work itself.
func inHook(r *Repo) bool {
	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_QUARANTINE_PATH"} {
		if r.Git.Getenv(name) != "" {
			return true
		}
	}
	return false
}

// FetchAlone is what [Publisher.FetchBehind] starts: one fetch, unless another one runs,
// until plan.publishTimeout is over.
func (pub Publisher) FetchAlone(ctx context.Context) error {
	remote, err := pub.remote("")
	if err != nil {
		return err
	}
	unlock, err := pub.repo.Store.Alone(ctx, fetchLock, 0)
	if held := new(gitstore.LockedError); errors.As(err, &held) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	if hasFailed(pub.repo, time.Now()) { // while this process began
		return nil
	}
	text := ""
	if _, err = pub.fetch(ctx, remote); err != nil {
		text = failedFetch
	}
	_ = os.WriteFile(fetchAsked(pub.repo), []byte(text), 0o666)
	return err
}
