package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// ProposeOptions say what to put on a proposal's branch.
type ProposeOptions struct {
	// Write is the plan as it is to become.
	Write Write
	// Base is what the plan was made from, nil for a new one: what changed in
	// the store since then is brought in. Where it is nil and the plan is the
	// stored one, it is what the two stores have in common.
	Base *plan.Plan
	// Branch is the short name below proposals/; "" is the plan's id.
	Branch string
	// Remote is the remote to begin from, "" for [Repo.Remote].
	Remote string
	// Push sends the branch there.
	Push bool
	// Prefer settles where the plan does not fit what others did meanwhile.
	Prefer  merge.Side
	Message Message
}

// ProposeResult is what became of a proposal.
type ProposeResult struct {
	Result
	// Ref is the proposal's branch.
	Ref string
	// Pushed names the remote that has it now, or is "".
	Pushed string
}

// Propose puts a plan on a branch of its own, from where the remote's store is,
// or this one where there is no remote: for a pull request into the store. A
// proposal that the store has not moved away from grows, another begins anew.
func (r *Repo) Propose(ctx context.Context, opts ProposeOptions) (ProposeResult, error) {
	p := &proposing{repo: r, opts: opts, out: ProposeResult{Ref: ProposalPrefix + opts.Write.ID}}
	if opts.Branch != "" {
		p.out.Ref = ProposalPrefix + strings.TrimPrefix(opts.Branch, "proposals/")
	}
	p.store = gitstore.Open(r.Repo, p.out.Ref)
	defer func() { _ = p.store.Close() }()
	if err := p.origin(ctx); err != nil {
		return p.out, err
	}
	if err := p.bringIn(ctx); err != nil {
		return p.out, err
	}
	if err := p.look(ctx); err != nil {
		return p.out, err
	}
	var up gitstore.UpdateResult
	err := r.Judging(ctx, func() (err error) {
		up, err = p.store.Update(ctx, proposeReason, func(tip gitstore.Tip) ([]gitstore.Change, error) {
			return p.change(ctx, tip.Commit)
		})
		return err
	})
	if err != nil {
		return p.out, err
	}
	if n := len(up.Commits); n > 0 {
		p.out.Commit = up.Commits[n-1]
	}
	p.out.Notes = slices.Concat(p.out.Notes, p.told, up.Warnings)
	if !opts.Push || p.out.Commit == "" {
		return p.out, nil
	}
	return p.out, p.push(ctx)
}

// proposing is the work on one proposal.
type proposing struct {
	repo   *Repo
	opts   ProposeOptions
	store  *gitstore.Store
	remote gitstore.Remote // of the store; no name where there is none
	base   string
	gates  validate.Gates // of base
	seen   string         // what the branch is at the remote, "" for nothing
	told   []string       // notes on what the branch becomes
	out    ProposeResult
}

// origin finds the state that the proposal is to be merged into.
func (p *proposing) origin(ctx context.Context) error {
	remote, err := p.repo.Publisher().remote(p.opts.Remote)
	var none *UnsupportedError
	if errors.As(err, &none) && !p.opts.Push {
		tip, err := p.repo.Store.Tip(ctx)
		if errors.Is(err, gitstore.ErrNoRef) {
			return p.repo.ErrNoStore()
		}
		p.base = tip.Commit
		return err
	}
	if err != nil {
		return err
	}
	p.remote = remote
	if p.base, err = p.repo.Publisher().fetch(ctx, remote); err != nil {
		return err
	}
	if p.base == "" {
		return &NotFoundError{What: "branch", Name: p.repo.Branch() + " at " + remote.Name, Hint: "share the plans first with `git plan sync`"}
	}
	there, err := p.repo.At(ctx, p.base)
	if err != nil {
		return err
	}
	if err := there.MustBeStore(ctx, remote.Name); err != nil {
		return err
	}
	p.gates, err = there.soundGates(ctx, fixGates(p.repo.Branch(), p.base))
	return err
}

// bringIn merges what changed in the store since the plan was made.
func (p *proposing) bringIn(ctx context.Context) error {
	w := &p.opts.Write
	here, err := p.planHere(ctx)
	if err != nil {
		return err
	}
	w.Since = here // what was reported here is of whoever did, not of who proposes it
	there, err := p.repo.storedAt(ctx, p.base, w.ID)
	switch {
	case err != nil || w.Plan == nil:
		return err
	case there == nil || there.Archived():
		return p.notThere(ctx, there)
	}
	from := p.opts.Base
	if from != nil && here != nil {
		// The draft may begin from what was never published: it goes to the store
		// here first, in thought, and then both stores meet from where they parted.
		if err := p.merge(w, from, here, settleBySync); err != nil {
			return err
		}
		from = nil
	}
	if from == nil {
		if from, err = p.common(ctx); err != nil {
			return err
		}
	}
	err = p.merge(w, from, there.Plan, settleBySync)
	p.out.Notes, p.told = slices.Concat(p.out.Notes, p.told), nil
	return err
}

// merge brings into what is proposed what became of it elsewhere. Hint says how to
// settle what does not fit.
func (p *proposing) merge(w *Write, from, there *plan.Plan, hint string) error {
	merged := mergePlans(p.repo, Policy{Gates: p.gates}, from, w.under(w.ID), there, merge.Options{Prefer: p.opts.Prefer})
	if !merged.Clean() {
		return &MergeError{Conflicts: merged.Conflicts, Hint: hint}
	}
	p.told = append(p.told, merged.Notes...)
	if merged.Plan != nil && !samePlan(merged.Plan, w.Plan) {
		w.Plan, w.Prefix = merged.Plan, ""
	}
	return nil
}

// planHere reads the plan in the store here, nil where there is none.
func (p *proposing) planHere(ctx context.Context) (*plan.Plan, error) {
	tip, err := p.repo.Store.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoRef) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return p.planAt(ctx, tip.Commit)
}

// common gives the plan as it was where this store and the remote's parted.
func (p *proposing) common(ctx context.Context) (*plan.Plan, error) {
	tip, err := p.repo.Store.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoRef) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	base, err := p.repo.Ancestry().Fork(ctx, tip.Commit, p.base)
	if err != nil || base == "" {
		return nil, err
	}
	return p.planAt(ctx, base)
}

// planAt reads the plan at a commit, nil if it is not there.
func (p *proposing) planAt(ctx context.Context, commit string) (*plan.Plan, error) {
	stored, err := p.repo.storedAt(ctx, commit, p.opts.Write.ID)
	if err != nil || stored == nil {
		return nil, err
	}
	return stored.Plan, nil
}

// begin gives the commit that the next one of the proposal goes on from.
func (p *proposing) begin(ctx context.Context, tip string) (string, error) {
	p.told = nil
	if tip == "" {
		return p.base, nil
	}
	if onto, err := p.growsOn(ctx, tip); err != nil || onto {
		return tip, err
	}
	return p.base, p.leftBehind(ctx, tip)
}

// change works out the next commit of the proposal.
func (p *proposing) change(ctx context.Context, tip string) ([]gitstore.Change, error) {
	from, err := p.begin(ctx, tip)
	if err != nil {
		return nil, err
	}
	w := p.opts.Write
	if tip != "" {
		if w, err = p.grown(ctx, tip); err != nil {
			return nil, err
		}
	}
	snapshot, err := p.repo.At(ctx, from)
	if err != nil {
		return nil, err
	}
	v, err := snapshot.judge(ctx, Candidate{Writes: []Write{w}, Message: p.opts.Message})
	if err != nil {
		return nil, err
	}
	change, err := snapshot.accept(ctx, &v)
	if err != nil {
		return nil, err
	}
	p.out.Warnings, p.out.Plans, p.out.Commit = v.Findings, v.Plans, ""
	if len(v.Plans) == 0 {
		if from == tip {
			p.out.Commit = tip
		}
		return nil, nil
	}
	return []gitstore.Change{change}, nil
}

// look sees what the branch is at the remote, if it is to be pushed, and refuses
// where that is the proposal of somebody else: what gives way is what the branch
// here holds or once held, and what the plans have by now.
func (p *proposing) look(ctx context.Context) error {
	if !p.opts.Push {
		return nil
	}
	var err error
	if p.seen, err = p.store.Fetch(ctx, p.there()); err != nil || p.seen == "" {
		return err
	}
	if known, err := p.repo.Store.IsAncestor(ctx, p.seen, p.base); err != nil || known {
		return err
	}
	if own, err := p.isOwn(ctx, p.seen); err != nil || own {
		return err
	}
	branch := strings.TrimPrefix(p.out.Ref, "refs/heads/")
	return &ExistsError{fmt.Sprintf("%s at %s is a proposal that was not made here: name another branch with -b, or go on from theirs after `git fetch %s +%s:%s`",
		branch, p.remote.Name, p.remote.Name, branch, branch)}
}

// isOwn reports whether the branch here holds a commit, or ended with it once.
func (p *proposing) isOwn(ctx context.Context, commit string) (bool, error) {
	tip, err := p.store.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoRef) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if own, err := p.repo.Store.IsAncestor(ctx, commit, tip.Commit); err != nil || own {
		return own, err
	}
	once := func(l logged) bool { return l.commit == commit }
	return slices.ContainsFunc(reflog(ctx, p.repo, p.out.Ref, mostProposed), once), nil
}

// there is the branch at the remote.
func (p *proposing) there() gitstore.Remote {
	there := p.remote
	there.Ref, there.Tracking = p.out.Ref, "refs/git-plan/proposed"
	if strings.HasPrefix(p.remote.Tracking, "refs/remotes/") {
		there.Tracking = Tracking(p.remote.Name, p.out.Ref)
	}
	return there
}

// push sends the branch. One that began anew takes the place of what was seen of
// it, and of nothing else.
func (p *proposing) push(ctx context.Context) error {
	p.out.Pushed = p.remote.Name
	if p.seen == p.out.Commit {
		return nil
	}
	there := p.there()
	if err := p.mustFit(ctx); err != nil {
		return err
	}
	there.Replaces = &p.seen
	return p.store.Push(ctx, there, p.out.Commit)
}
