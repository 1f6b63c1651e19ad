package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/git-plan/git-plan/plan"
)

// view is what of the store is shown: the store here, or what the remote has published
// on top of it, as it was last seen.
type view struct {
	commit, ref string
	// aside is what the remote has published where the store here has changes that it
	// does not have.
	aside string
}

// viewOf chooses between the store's tip and what a remote was seen to have; each may be
// "" for none.
func (r *Repo) viewOf(ctx context.Context, tip, there string) view {
	fork, err := tip, error(nil)
	if tip != "" && there != "" {
		fork, err = r.Ancestry().Fork(ctx, tip, there)
	}
	switch {
	case err != nil || there == "" || fork == there: // who publishes is told what is wrong
		return view{commit: tip, ref: r.Ref}
	case fork == tip:
		return view{commit: there, ref: r.Publisher().trackingRef()}
	}
	return view{commit: tip, ref: r.Ref, aside: there}
}

// lookNow is [Repo.viewOf] by what git says now. The commit is "" without a store.
func (r *Repo) lookNow(ctx context.Context) (view, error) {
	tip, err := r.tip(ctx)
	if err != nil {
		return view{}, err
	}
	there, _, err := r.Publisher().remoteBase(ctx)
	return r.viewOf(ctx, tip, there), err
}

// WithClaims gives a plan of the state with the claims and results that others have
// published and that are not in it yet: for who looks for work. It is not for writing.
func (s *Snapshot) WithClaims(ctx context.Context, stored *Stored) (*Stored, error) {
	if s.aside == "" {
		return stored, nil
	}
	theirs, err := s.repo.storedAt(ctx, s.aside, stored.ID)
	if err != nil || theirs == nil || theirs.Tree == stored.Tree {
		return stored, err
	}
	now := s.repo.Now()
	for _, t := range stored.Plan.All() {
		u := theirs.Plan.Task(t.ID)
		if t.Status != plan.Pending || len(t.Children) > 0 || u == nil || len(u.Children) > 0 {
			continue
		}
		m := plan.Move{To: u.Status, Agent: u.Doc.Text("executed_by"), At: now, Result: u.Doc.Text("result")}
		if c, ok := u.Claim(); ok && c.Live(now) {
			m.Lease = c.Until.Sub(now)
		} else if u.Status != plan.Done {
			continue
		}
		if _, err := stored.Plan.Transition(t, m); err != nil { // it does not fit what is here
			return s.LoadAt(ctx, stored.Location)
		}
	}
	return stored, nil
}

// RemoteView is the store at the remote as it was last seen.
type RemoteView struct {
	// Remote is its name.
	Remote string
	// Seen is when that was, zero if it was never seen there.
	Seen time.Time
	// Unpublished is the number of commits here that were not there then, News that of
	// those there that are not here.
	Unpublished, News int
}

// RemoteView gives what is known here of the remote's store, beside a state of the store
// here; nil without a remote, and where history is damaged.
func (pub Publisher) RemoteView(ctx context.Context, s *Snapshot) (*RemoteView, error) {
	v := &RemoteView{Remote: pub.repo.Remote()}
	if v.Remote == "" || !s.Exists() {
		return nil, nil
	}
	there, err := pub.repo.Seen[pub.trackingRef()], error(nil)
	if there == "" {
		if there, _, err = pub.remoteBase(ctx); err != nil {
			return nil, err
		}
	}
	if there != "" {
		v.Seen = lastLook(pub.repo)
		if n, near := pub.repo.Ancestry().steps(ctx, s.Commit, there); near && n >= 0 {
			v.Unpublished = n
			return v, nil
		}
	}
	between := there + "..." + s.Commit
	if there == "" {
		between = s.Commit
	}
	text, err := pub.repo.Git.ReadLine(ctx, "rev-list", "--count", "--left-right", between, "--")
	if err != nil { // git cannot count in a damaged history, which hides no plan
		return nil, ctx.Err()
	}
	_, err = fmt.Sscan(text, &v.News, &v.Unpublished)
	return v, err
}

// lastLook is when the remote was last asked: by git plan, or by git where it had news.
// Of a new clone only its refs tell.
func lastLook(r *Repo) time.Time {
	changed := func(name string) time.Time {
		info, err := os.Stat(filepath.Join(r.CommonDir, filepath.FromSlash(name)))
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	if asked, news := lastFetch(r), changed("logs/"+r.Publisher().trackingRef()); news.After(asked) {
		return news
	} else if !asked.IsZero() {
		return asked
	}
	if packed := changed("packed-refs"); !packed.IsZero() {
		return packed
	}
	return changed("reftable/tables.list")
}
