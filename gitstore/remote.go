package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/git"
)

// Remote is where a ref is shared through: the name of a remote or an address,
// and where the remote's ref is remembered.
type Remote struct {
	// Name is a configured remote, or an address that git can fetch from.
	Name string
	// Ref is the ref there.
	Ref string
	// Tracking is the ref here that holds what was last seen of it.
	Tracking string
	// Replaces is what a push may take the place of, whatever it is, "" for no
	// ref; nil lets a push go forward only.
	Replaces *string
	// Limit is how long each command may take, 0 for any time: else it ends in a
	// *[SilentError].
	Limit time.Duration
}

// PushRefusedError is returned when a push did not move the remote's ref.
type PushRefusedError struct {
	Remote string
	// Reason is git's word for it, such as "fetch first" or "pre-receive hook
	// declined".
	Reason string
	// Moved says that the ref is not where it was expected: fetch and try again.
	Moved bool
	// Lines are what the server said.
	Lines []string
}

func (e *PushRefusedError) Error() string {
	return fmt.Sprintf("%s refused the push: %s", e.Remote, e.Reason)
}

// Fetch asks a remote for its ref and gives the commit, "" if it has no such
// ref. The tracking ref then holds it. Others of this repository may fetch and
// push at the same time.
func (s *Store) Fetch(ctx context.Context, r Remote) (string, error) { return s.fetchTip(ctx, r) }

// FetchWhole is [Store.Fetch] of the ref's whole history, where that is cut off
// here, as in a shallow clone. What else is cut off stays so.
func (s *Store) FetchWhole(ctx context.Context, r Remote) (string, error) {
	// Git takes one more for --unshallow, which brings the history of everything.
	const longest = math.MaxInt32 - 1
	return s.fetchTip(ctx, r, fmt.Sprintf("--depth=%d", longest))
}

func (s *Store) fetchTip(ctx context.Context, r Remote, how ...string) (string, error) {
	if err := errors.Join(CheckRef(r.Ref), CheckRef(r.Tracking), checkRemote(r.Name)); err != nil {
		return "", err
	}
	err := s.fetch(ctx, r, how)
	for range fetchAttempts {
		if !overtaken(err, r.Tracking) || ctx.Err() != nil {
			break
		}
		time.Sleep(rand.N(50 * time.Millisecond))
		err = s.fetch(ctx, r, how)
	}
	if git.Said(err, "couldn't find remote ref "+r.Ref) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return s.TipOf(ctx, r.Tracking)
}

// IsEmpty reports whether a remote has no branch at all.
func (s *Store) IsEmpty(ctx context.Context, r Remote) (bool, error) {
	if err := checkRemote(r.Name); err != nil {
		return false, err
	}
	out, err := s.talk(ctx, r, nil, "ls-remote", "--heads", "--quiet", "--end-of-options", r.Name)
	return err == nil && len(bytes.TrimSpace(out)) == 0, err
}

// fetchAttempts bounds how often a fetch is repeated.
const fetchAttempts = 20

// overtaken reports whether a fetch failed only because another one, or a push,
// moved the tracking ref meanwhile.
func overtaken(err error, tracking string) bool {
	return git.Said(err, "cannot lock ref '"+tracking+"'") && (git.Said(err, "but expected") || git.Said(err, "reference already exists"))
}

// fetch asks for one ref and moves the tracking ref alone: what is configured for
// the remote might have it overwrite the store, as in a mirror. What comes is
// flushed: the store may rest on it next. Git need not look whether to tidy up, as
// [Store.Maintain] does where something is written.
func (s *Store) fetch(ctx context.Context, r Remote, how []string) error {
	args := []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance", "--refmap="}
	_, err := s.talk(ctx, r, s.repo.durable(ctx), slices.Concat(args, how, []string{"--end-of-options", r.Name, "+" + r.Ref + ":" + r.Tracking})...)
	return err
}

// checkRemote refuses what git would take for an option.
func checkRemote(name string) error {
	if name == "" || strings.HasPrefix(name, "-") || strings.ContainsAny(name, "\n\x00") {
		return fmt.Errorf("%q is no remote; give the name of one, or an address", name)
	}
	return nil
}

// Push moves the remote's ref forward to a commit, by native git, without the
// hooks of the project. The tracking ref follows, unless it is locked: then the
// next fetch brings it along. A refusal of the other side is a *[PushRefusedError].
func (s *Store) Push(ctx context.Context, r Remote, commit string) error {
	if err := errors.Join(CheckRef(r.Ref), CheckRef(r.Tracking), checkRemote(r.Name)); err != nil {
		return err
	}
	settings, err := s.repo.withoutProjectHooks(ctx)
	if err != nil {
		return err
	}
	args := []string{"push", "--porcelain", "--no-follow-tags", "--recurse-submodules=no"}
	if r.Replaces != nil {
		args = append(args, "--force-with-lease="+r.Ref+":"+*r.Replaces)
	}
	out, err := s.talk(ctx, r, settings, append(args, "--end-of-options", r.Name, commit+":"+r.Ref)...)
	if err == nil {
		if now, _ := os.ReadFile(s.repo.refPath(r.Tracking)); strings.TrimSpace(string(now)) != commit { // else git moved it along
			// The push counts whatever becomes of this: somebody may fetch just now.
			_, _ = s.repo.Git.Write(ctx, nil, "update-ref", "-m", "git plan: push", "--end-of-options", r.Tracking, commit)
		}
		return nil
	}
	var failed *git.Error
	if !errors.As(err, &failed) {
		return err
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(fields) == 3 && fields[0] == "!" {
			return refusedPush(r.Name, fields[2], failed.Stderr)
		}
	}
	if reason := denied(failed.Stderr); reason != "" {
		return refusedPush(r.Name, "[remote rejected] ("+reason+")", failed.Stderr)
	}
	return err
}

// denied gives the line in which a server says that this user may not push, or that
// nobody may: git's own server for HTTP, git daemon, and forges by ssh.
func denied(said string) string {
	for line := range strings.Lines(said) {
		text := strings.TrimSpace(line)
		for _, prefix := range []string{"fatal: ", "remote: ", "remote error: ", "ERROR: ", "error: "} {
			text = strings.TrimPrefix(text, prefix)
		}
		for _, phrase := range []string{"returned error: 403", "access denied", "service not enabled", " denied to ", "not allowed to push"} {
			if strings.Contains(text, phrase) {
				return text
			}
		}
	}
	return ""
}

// refusedPush reads "[rejected] (reason)" or "[remote rejected] (reason)", and
// what the server said on the way.
func refusedPush(remote, summary, said string) error {
	kind, reason, _ := strings.Cut(summary, "] (")
	e := &PushRefusedError{Remote: remote, Reason: strings.TrimSuffix(reason, ")"), Moved: kind == "[rejected"}
	for _, phrase := range []string{"cannot lock ref", "failed to update ref", "incorrect old value", "reference already exists", "but expected"} {
		e.Moved = e.Moved || strings.Contains(reason, phrase)
	}
	for line := range strings.Lines(said) {
		if text, ok := strings.CutPrefix(line, "remote: "); ok && strings.TrimSpace(text) != "" && strings.TrimSpace(text) != e.Reason {
			e.Lines = append(e.Lines, strings.TrimRight(text, " \n"))
		}
	}
	return e
}
