package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/words"
)

// mostProposed bounds how far the log of a proposal's branch is looked through.
const mostProposed = 1000

// proposeReason is what the reflog of a proposal's branch says of commits made here.
const proposeReason = "plan: propose"

// growsOn reports whether the proposal can go on from the branch's tip: the plans
// have not moved away from it, and what it has can be pushed, if it is to be.
func (p *proposing) growsOn(ctx context.Context, tip string) (bool, error) {
	onto, err := p.repo.Store.IsAncestor(ctx, p.base, tip)
	if err != nil || !onto || !p.opts.Push {
		return onto, err
	}
	got, err := p.received(ctx, tip)
	return got.OK(), err
}

// received judges what the branch would be at the remote.
func (p *proposing) received(ctx context.Context, commit string) (Reception, error) {
	return p.repo.Receive(ctx, RefUpdate{Ref: p.out.Ref, Old: p.seen, New: commit}, Server{AllowGateLowering: true, Store: p.remote.Tracking})
}

// grown brings in what others put on the branch since it was last proposed from
// here: a reviewer's words, say, that the plan here does not have.
func (p *proposing) grown(ctx context.Context, tip string) (Write, error) {
	w := p.opts.Write
	last, err := p.lastMade(ctx, tip)
	if err != nil || last == tip || w.Plan == nil {
		return w, err
	}
	there, err := p.planAt(ctx, tip)
	if err != nil || there == nil {
		return w, err
	}
	if last == "" {
		base, err := p.repo.Ancestry().Fork(ctx, tip, p.base)
		if err != nil {
			return w, err
		}
		last = cmp.Or(base, p.base)
	}
	from, err := p.planAt(ctx, last)
	if err != nil {
		return w, err
	}
	branch := strings.TrimPrefix(p.out.Ref, "refs/heads/")
	err = p.merge(&w, from, there, fmt.Sprintf("take what others wrote in %s into the plan here, and propose it with --ours; or name another branch with -b", branch))
	return w, err
}

// lastMade gives the commit of the branch that was made here last, "" where none of
// it is known to be.
func (p *proposing) lastMade(ctx context.Context, tip string) (string, error) {
	for _, l := range reflog(ctx, p.repo, p.out.Ref, mostProposed) {
		if l.reason != proposeReason {
			continue
		}
		if made, err := p.repo.Store.IsAncestor(ctx, l.commit, tip); err != nil || made {
			return l.commit, err
		}
	}
	return "", nil
}

// leftBehind tells what else the branch held, which begins anew without it.
func (p *proposing) leftBehind(ctx context.Context, tip string) error {
	base, err := p.repo.Ancestry().Fork(ctx, tip, p.base)
	if err != nil {
		return err
	}
	now, err := p.repo.At(ctx, p.base)
	if err != nil {
		return err
	}
	before, err := p.repo.At(ctx, base)
	if err != nil {
		return err
	}
	held, err := p.repo.At(ctx, tip)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range held.root {
		if e.Name != p.opts.Write.ID && !slices.Contains(now.root, e) && !slices.Contains(before.root, e) {
			names = append(names, e.Name)
		}
	}
	if len(names) > 0 {
		p.told = append(p.told, fmt.Sprintf("the branch began anew from what is published, and has %s as it is there, no longer as %.10s had it", words.Few(names, 10), tip))
	}
	return nil
}

// notThere is for a plan that what is published has no longer, or only in the archive:
// for a merge that is a conflict as well.
func (p *proposing) notThere(ctx context.Context, there *Stored) error {
	c := merge.Conflict{Plan: p.opts.Write.ID, Field: "plan", Ours: "changed", Theirs: "archived", Message: "moved by one side and changed by the other"}
	if there == nil {
		had, err := p.common(ctx)
		if err != nil || had == nil || p.opts.Prefer == merge.Ours {
			return err
		}
		c.Theirs, c.Message = "removed", "removed by one side and changed by the other"
	}
	return &MergeError{Conflicts: []merge.Conflict{c}, Hint: settleBySync}
}

// settleBySync says how a plan gets together with what is published.
const settleBySync = "`git plan commit` what is drafted, settle it with `git plan sync`, and propose it again"

// mustFit refuses to push what the gate refuses.
func (p *proposing) mustFit(ctx context.Context) error {
	got, err := p.received(ctx, p.out.Commit)
	if err != nil || got.OK() {
		return err
	}
	return &gitstore.PushRefusedError{Remote: "the gate here", Reason: "there are commits that do not pass", Lines: got.lines()}
}
