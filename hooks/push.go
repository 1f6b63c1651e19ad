package hooks

import (
	"context"
	"errors"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/store"
)

// prePush judges the plan commits that are about to be pushed. What only the
// server can know, and what it alone may allow, is left to it.
func (r Run) prePush(ctx context.Context) error {
	lines, err := r.lines(4)
	if err != nil {
		return err
	}
	var refused []string
	for _, line := range lines {
		u := store.RefUpdate{New: named(line[1]), Ref: line[2], Old: named(line[3])}
		if u.New == "" || !r.Repo.Governs(u.Ref) {
			continue
		}
		if u.Old, err = r.knownThere(ctx, u); err != nil {
			return err
		}
		server := store.Server{AllowGateLowering: true}
		if store.IsProposal(u.Ref) {
			if seen, err := r.lastSeen(ctx, r.Repo.Ref); err != nil {
				return err
			} else if seen != "" {
				server.Store = r.tracking(r.Repo.Ref)
			}
		}
		got, err := r.Repo.Receive(ctx, u, server)
		if err != nil {
			return err
		}
		if err := newTeller(r).tell(ctx, got); err != nil {
			return err
		}
		if !got.OK() {
			refused = append(refused, u.Ref)
		}
	}
	return refusedPush(refused)
}

// refusedPush says how to go on where refs are not to be pushed.
func refusedPush(refs []string) error {
	switch {
	case len(refs) == 0:
		return nil
	case store.IsProposal(refs[0]):
		return &Refusal{"nothing was pushed. `git plan propose PLAN --push` makes the proposal anew, with what is on its branch; or `git reset --soft` to the last good commit, mend the files, and commit"}
	}
	return &Refusal{"nothing was pushed. `git plan sync` parks such commits, or makes them one with what fixes them; or `git reset --soft` to the last good one, mend the files, and commit"}
}

// knownThere gives a commit that the remote has: what its ref is at, if all of
// that is here, else where the ref was last seen. A commit may be here before
// what it holds, while somebody else fetches it.
func (r Run) knownThere(ctx context.Context, u store.RefUpdate) (string, error) {
	seen, err := r.lastSeen(ctx, u.Ref)
	if err != nil || u.Old == "" || u.Old == seen {
		return seen, err
	}
	// An error is git's about what is here in part only.
	if whole, err := r.Repo.Store.IsAncestor(ctx, u.Old, u.New); err == nil && whole {
		return u.Old, nil
	}
	if seen != "" {
		return seen, nil
	}
	if _, err := r.Repo.Store.Commit(ctx, u.Old); err == nil {
		return u.Old, nil
	}
	return "", nil
}

// lastSeen gives where the remote's ref was when this clone asked last, "" if
// it never did, as of an address.
func (r Run) lastSeen(ctx context.Context, ref string) (string, error) {
	tracking := r.tracking(ref)
	if tracking == "" {
		return "", nil
	}
	tip, err := r.Repo.Store.TipOf(ctx, tracking)
	if errors.Is(err, gitstore.ErrNoRef) {
		return "", nil
	}
	return tip, err
}

// tracking names the ref that remembers where the remote's is, "" for an address.
func (r Run) tracking(ref string) string {
	if !strings.HasPrefix(ref, "refs/heads/") || len(r.Args) == 0 {
		return ""
	}
	if _, configured := r.Repo.Config.Get("remote." + r.Args[0] + ".url"); !configured {
		return ""
	}
	return store.Tracking(r.Args[0], ref)
}
