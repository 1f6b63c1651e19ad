package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
)

// RewoundError is returned where a remote no longer has commits that it had.
type RewoundError struct {
	Remote, Branch string
	// Had is the last commit that it had, Has what it has now, "" for nothing.
	Had, Has string
}

func (e *RewoundError) Error() string {
	if e.Has == "" {
		return fmt.Sprintf("branch %[2]s was deleted at %[1]s, which had %.10[3]s: bring it back with `git push %[1]s %[2]s`, or forget it with `git update-ref -d refs/remotes/%[1]s/%[2]s`, after which `git plan sync` publishes the plans again",
			e.Remote, e.Branch, e.Had)
	}
	return fmt.Sprintf("%[1]s has dropped commits of %[2]s that were published, up to %.10[3]s: bring them back with `git push --force-with-lease=%[2]s:%.12[4]s %[1]s %.12[3]s:refs/heads/%[2]s`, or drop them here too with `git plan sync --accept-rewind`",
		e.Remote, e.Branch, e.Had, e.Has)
}

// forkOf gives the commit from which two went on, or "". Of several that would do
// it is one.
func (r *Repo) forkOf(ctx context.Context, tip, theirs string) (string, error) {
	const near = 16 // commits, that are looked at before git is asked
	for at, n := tip, 0; n < near; n++ {
		if at == theirs {
			return theirs, nil
		}
		c, err := r.Store.Commit(ctx, at)
		if err != nil || len(c.Parents) == 0 {
			break // cut off, or the first one
		}
		at = c.Parents[0]
	}
	bases, err := r.bases(ctx, tip, theirs)
	if err != nil {
		return "", err
	}
	if err := r.mustBeWhole(ctx, []string{tip, theirs}, bases); err != nil || len(bases) == 0 {
		return "", err
	}
	return bases[0], nil
}

// parentOf gives the first parent of a commit, or "".
func (r *Repo) parentOf(ctx context.Context, commit string) (string, error) {
	c, err := r.Store.Commit(ctx, commit)
	if err != nil || len(c.Parents) == 0 {
		return "", err
	}
	return c.Parents[0], nil
}

// unpublished gives the commits here that the remote never had, oldest first, and
// those that it had and has no more, as its remote-tracking ref remembers.
func (p *publishing) unpublished(ctx context.Context, tip, theirs string) (never []gitstore.Lineage, dropped []string, err error) {
	all, err := p.repo.Store.Between(ctx, tip, theirs)
	if err != nil || len(all) == 0 || !strings.HasPrefix(p.remote.Tracking, "refs/remotes/") {
		return all, nil, err
	}
	const most = 256 // earlier states are in the history of these
	out, err := p.repo.Git.Read(ctx, "log", "--walk-reflogs", "--no-show-signature", "--no-color", "--no-patch", fmt.Sprintf("--max-count=%d", most), "--format=%H", p.remote.Tracking, "--")
	if err != nil {
		return all, nil, nil // there is no reflog
	}
	here := map[string]bool{}
	for _, l := range all {
		here[l.Commit] = true
	}
	known := []string{theirs}
	for _, commit := range strings.Fields(string(out)) {
		if here[commit] {
			known = append(known, commit)
		}
	}
	if len(known) == 1 {
		return all, nil, nil
	}
	never, err = p.repo.Store.Between(ctx, tip, known...)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range never {
		delete(here, l.Commit)
	}
	for _, l := range all {
		if here[l.Commit] {
			dropped = append(dropped, l.Commit)
		}
	}
	return never, dropped, nil
}
