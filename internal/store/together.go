package store

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
)

// The worktrees of one clone publish together. A change lands here first. The process
// that has the publish lock of the clone pushes all that is there by then; the others
// wait for it, and have nothing left to do where their change went along.

// inTurn runs fn while no other process of this clone publishes. The lock ends with
// its process, and the wait with the timeout of publishing.
func (p *publishing) inTurn(ctx context.Context, fn func() error) error {
	unlock, err := p.repo.Store.Alone(ctx, "publish", p.timeout)
	if err != nil {
		return err
	}
	defer unlock()
	return fn()
}

// wentAlong reports whether another process of this clone published what landed, or
// found that it cannot be: the remote need not be asked again.
func (p *publishing) wentAlong(ctx context.Context, result Result, change string) (bool, error) {
	theirs := p.lastSeen(ctx)
	if theirs == "" || change == "" {
		return false, nil
	}
	if p.seen != nil {
		p.seen = &theirs // as new, or newer
	}
	tip, err := p.repo.tip(ctx)
	if err != nil {
		return false, err
	}
	commit := result.Commit
	here, err := p.repo.Ancestry().leadsTo(ctx, commit, tip)
	if err != nil {
		return false, err
	}
	if !here { // it was replayed
		since, err := p.repo.Ancestry().Fork(ctx, commit, tip)
		if err != nil {
			return false, err
		}
		if commit, err = p.repo.Ancestry().FindChange(ctx, tip, since, change); err != nil {
			return false, err
		}
	}
	there := commit == "" // it is parked, or gave way
	if there {
		again, err := p.decided(ctx)
		if err != nil || slices.ContainsFunc(again, func(parked Parked) bool { return slices.Contains(parked.Changes, change) }) {
			return false, err
		}
	} else {
		there, err = p.repo.Ancestry().leadsTo(ctx, commit, theirs)
	}
	if err != nil || !there {
		return false, err
	}
	p.out.Commit, p.out.Status = tip, SyncUpToDate
	if commit != "" && commit != result.Commit {
		err = p.follow(ctx, commit, result)
	}
	return true, err
}

// follow notes the ids that plans of a change have in the commit that was made of it.
func (p *publishing) follow(ctx context.Context, commit string, result Result) error {
	now, err := resultOf(ctx, p.repo, commit)
	if err != nil || len(now.Plans) != len(result.Plans) {
		return err
	}
	for i, o := range result.Plans {
		if id := now.Plans[i].ID; id != o.ID {
			p.renamed[o.ID] = id
		}
	}
	return nil
}

// lastSeen gives where the remote was when this clone last heard of it, "" where that
// is not known.
func (p *publishing) lastSeen(ctx context.Context) string {
	if !strings.HasPrefix(p.remote.Tracking, "refs/remotes/") {
		return ""
	}
	seen, err := p.repo.Store.TipOf(ctx, p.remote.Tracking)
	if err != nil {
		return ""
	}
	return seen
}

// leadsTo reports whether a commit is another one or one of its ancestors.
func (a Ancestry) leadsTo(ctx context.Context, commit, tip string) (bool, error) {
	if tip == "" {
		return false, nil
	}
	if _, near := a.steps(ctx, tip, commit); near {
		return true, nil
	}
	return a.repo.Store.IsAncestor(ctx, commit, tip)
}

// fetchNote is the file that remembers when the last fetch of the plans that worked
// was begun.
func fetchNote(r *Repo) string { return filepath.Join(r.CommonDir, "git-plan", "fetched") }

// noteFetch keeps when a fetch of the store's own remote was begun. That it cannot is
// no fault: the next who asks fetches again.
func noteFetch(r *Repo, remote gitstore.Remote, begun time.Time) {
	if remote.Tracking != r.Publisher().trackingRef() {
		return
	}
	_ = os.WriteFile(fetchNote(r), []byte(begun.UTC().Format(time.RFC3339Nano)+"\n"), 0o666)
	r.Share(fetchNote(r))
}

// lastFetch gives when the last fetch that worked was begun, zero where none is known.
func lastFetch(r *Repo) time.Time {
	text, err := os.ReadFile(fetchNote(r))
	if err != nil {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(string(text)))
	if err != nil {
		return time.Time{}
	}
	return at
}
