package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan/diag"
)

// The ways a sync ends.
const (
	SyncUpToDate = "up-to-date"
	SyncPushed   = "pushed"
	SyncPulled   = "pulled"
	SyncMerged   = "merged"
	SyncConflict = "conflict"
	SyncRejected = "rejected"
)

// SyncOptions say how to meet a remote.
type SyncOptions struct {
	// Remote is a remote or an address; "" is [Repo.Remote].
	Remote string
	// Prefer settles the conflicts of single plans.
	Prefer map[string]merge.Side
	// Rewrite makes the unpublished commits anew, as gated ones.
	Rewrite bool
	Agent   string
}

// SyncResult is how a sync ended.
type SyncResult struct {
	Status string
	// Commit is the store's tip afterwards.
	Commit    string
	Conflicts []merge.Conflict
	// Details are the server's lines, or why the commits cannot be pushed.
	Details []string
	// Notes tell what the merge did that nobody asked for.
	Notes []string
	// Open is the merge that is to be finished by hand; nil without conflicts.
	Open *MergeError
	// Plans are the plans that changed here.
	Plans []Outcome
}

// Sync brings the store here and at a remote together: it fetches, goes forward
// or merges, and pushes by native git, again when the remote moved meanwhile.
func (r *Repo) Sync(ctx context.Context, opts SyncOptions) (SyncResult, error) {
	remote, err := r.remote(opts.Remote)
	if err != nil {
		return SyncResult{}, err
	}
	s := &syncing{repo: r, remote: remote, opts: opts}
	err = follow(ctx, remote, func() (bool, error) {
		s.refused = false
		again, err := s.round(ctx)
		if err == nil && opts.Rewrite && s.refused {
			again, err = s.asOne(ctx)
		}
		return again && err == nil, err
	})
	return s.out, err
}

// remote finds where the store is shared.
func (r *Repo) remote(name string) (gitstore.Remote, error) {
	if name == "" {
		name = r.Remote()
	}
	if name == "" {
		return gitstore.Remote{}, &UnsupportedError{"there is no remote to share the plans through: add one with `git remote add`, or set plan.remote"}
	}
	tracking := "refs/git-plan/fetched"
	if _, configured := r.Config.Get("remote." + name + ".url"); configured {
		tracking = cmp.Or(Tracking(name, r.Ref), tracking)
	}
	return gitstore.Remote{Name: name, Ref: r.Ref, Tracking: tracking}, nil
}

// syncing is one sync.
type syncing struct {
	repo   *Repo
	remote gitstore.Remote
	opts   SyncOptions
	out    SyncResult
	// made is the last merge, which may not be pushed yet, and before what it
	// was made from here.
	made, before string
	said         int // how many notes there were before that
	// fits is what was last found fit to be pushed, and onto what; forked says
	// from where two tips went on, as asked last.
	fits   [2]string
	forked fork
	locked lockedRemote
	// refused says that the remote does not take the commits as they are.
	refused bool
	// arrived is what came in since the command began.
	arrived arrival
}

// fork is where two commits went on from.
type fork struct {
	tip, theirs string
	base        *ancestor
}

// base gives what the tip and the remote's went on from: the tip itself where
// only the remote went on, theirs where only the store did.
func (s *syncing) base(ctx context.Context, tip, theirs string) (*ancestor, error) {
	if f := s.forked; f.tip == tip && f.theirs == theirs {
		return f.base, nil
	}
	if tip == theirs {
		return &ancestor{commit: tip}, nil
	}
	base, err := s.repo.ancestor(ctx, tip, theirs)
	if err == nil {
		s.forked = fork{tip, theirs, base}
	}
	return base, err
}

// round fetches, meets and pushes once; again says that the remote moved.
func (s *syncing) round(ctx context.Context) (again bool, err error) {
	theirs, err := s.fetch(ctx)
	if err != nil {
		return false, fmt.Errorf("fetch the plans of %s: %w", s.remote.Name, err)
	}
	if err := s.mustKnow(ctx, theirs); err != nil {
		return false, err
	}
	if s.opts.Rewrite {
		if ok, err := s.rewrite(ctx, theirs); err != nil || !ok {
			return false, err
		}
	}
	if ok, err := s.fitAlone(ctx, theirs); err != nil || !ok {
		return false, err
	}
	if err := s.meet(ctx, theirs); err != nil {
		var open *MergeError
		if errors.As(err, &open) {
			s.out.Status, s.out.Conflicts, s.out.Open = SyncConflict, open.Conflicts, open
			s.mergeOwnFiles(theirs, "git plan sync")
		}
		if open != nil || errors.Is(err, errUnfit) {
			return false, nil
		}
		return false, err
	}
	if s.out.Commit == theirs {
		if s.out.Status == "" {
			s.out.Status = SyncUpToDate
		}
		return false, nil
	}
	if ok, err := s.fit(ctx, theirs); err != nil || !ok {
		return false, err
	}
	return s.push(ctx)
}

// meet brings the remote's state into the store, which is looked at without a
// lock first: often there is nothing to bring.
func (s *syncing) meet(ctx context.Context, theirs string) error {
	if has, err := s.has(ctx, theirs); err != nil || has {
		return err
	}
	var how, from string
	var told met
	allow := func(commit string) error { return s.mergeMustFit(ctx, how, commit, theirs) }
	up, err := s.repo.Store.UpdateIf(ctx, "plan: sync", allow, func(tip gitstore.Tip) ([]gitstore.Change, error) {
		how, told = "", met{}
		s.out.Commit = tip.Commit
		if from = tip.Commit; s.made != "" && from == s.made {
			from = s.before // a merge that came too late gives way to the next
		}
		base, to, err := s.way(ctx, tip.Commit, from, theirs)
		if err != nil || to == "" {
			return nil, err
		}
		if how = to; how == SyncPulled {
			return []gitstore.Change{{Existing: theirs}}, nil
		}
		told, err = s.join(ctx, base, from, theirs)
		return []gitstore.Change{told.change}, err
	})
	if err != nil || len(up.Commits) == 0 {
		return err
	}
	again := s.made != "" && up.Old == s.made
	if again {
		s.out.Notes = s.out.Notes[:s.said]
	}
	s.out.Commit, s.out.Status = up.Commits[len(up.Commits)-1], how
	if s.made = ""; how == SyncMerged {
		s.made, s.before, s.said = s.out.Commit, from, len(s.out.Notes)
	}
	followed := s.repo.tellRenamed(ctx, s.arrived.meet(told.renamed, again))
	s.out.Notes = slices.Concat(s.out.Notes, told.notes, followed, up.Warnings)
	s.out.Plans = append(s.out.Plans, told.outcomes...)
	return nil
}

// has reports whether the store, as it was looked at before, holds the remote's
// state.
func (s *syncing) has(ctx context.Context, theirs string) (bool, error) {
	tip := s.fits[1]
	if tip == "" || theirs == "" || s.fits[0] != theirs {
		return false, nil
	}
	base, err := s.base(ctx, tip, theirs)
	if err != nil || base.commit != theirs {
		return false, err
	}
	s.out.Commit = tip
	return true, nil
}

// way finds how the remote's state is brought into a store that has the tip, as
// it was before a merge that came too late: SyncPulled, SyncMerged from a base,
// or "" where it is there already.
func (s *syncing) way(ctx context.Context, tip, from, theirs string) (base *ancestor, how string, err error) {
	switch {
	case theirs == "" && tip == "":
		return nil, "", s.repo.ErrNoStore()
	case theirs == "" || theirs == tip:
		return nil, "", nil
	case tip == "":
		return nil, SyncPulled, s.mustBeStore(ctx, theirs)
	}
	if from != tip { // what was merged may be all there is still
		if ahead, err := s.repo.Store.IsAncestor(ctx, theirs, tip); err != nil || ahead {
			return nil, "", err
		}
	}
	if base, err = s.base(ctx, from, theirs); err != nil {
		return nil, "", err
	}
	if base.first() == "" {
		if err := s.mustBeStore(ctx, theirs); err != nil {
			return nil, "", err
		}
	}
	switch base.commit {
	case theirs:
		return nil, "", nil
	case from:
		return nil, SyncPulled, nil
	}
	return base, SyncMerged, nil
}

// mustBeStore refuses what the remote has on the branch if that is something
// else, which no plan here can be merged with.
func (s *syncing) mustBeStore(ctx context.Context, theirs string) error {
	there, err := s.repo.At(ctx, theirs)
	if err != nil {
		return err
	}
	return there.mustBeStoreOf(ctx, s.remote.Name)
}

func (s *syncing) join(ctx context.Context, base *ancestor, from, theirs string) (met, error) {
	return s.repo.join(ctx, base, from, Joining{Theirs: theirs, Prefer: s.opts.Prefer},
		Message{Subject: "merge with " + s.remote.Name, Agent: s.opts.Agent})
}

// rewrite makes the unpublished commits anew; ok is false where they do not pass
// the gate whatever is taken together.
func (s *syncing) rewrite(ctx context.Context, theirs string) (ok bool, err error) {
	tip, err := s.repo.Store.Tip(ctx)
	if err != nil || tip.Commit == "" || tip.Commit == theirs {
		return err == nil, err
	}
	next, told, err := s.repo.rewrite(ctx, tip.Commit, theirs, s.opts.Prefer)
	var refused *RejectedError
	var open *MergeError
	switch {
	case errors.As(err, &refused):
		s.out.Status, s.out.Commit = SyncRejected, tip.Commit
		s.out.Details = diag.Lines(refused.Findings)
		return false, s.adviseRewriting(ctx, theirs)
	case errors.As(err, &open):
		s.out.Status, s.out.Commit, s.out.Conflicts = SyncConflict, tip.Commit, open.Conflicts
		for _, p := range open.Plans {
			s.out.Details = append(s.out.Details, fmt.Sprintf("settle %s with `git plan sync --rewrite` and --ours %s or --theirs %s", p.ID, p.ID, p.ID))
		}
		s.mergeOwnFiles(theirs, "git plan sync --rewrite")
		return false, nil
	case err != nil:
		return false, err
	}
	_, err = s.repo.Store.Update(ctx, "plan: sync --rewrite", func(now gitstore.Tip) ([]gitstore.Change, error) {
		if now.Commit != tip.Commit {
			return nil, &gitstore.BusyError{Ref: s.repo.Ref, Attempts: 1}
		}
		return []gitstore.Change{{Existing: next}}, nil
	})
	if err == nil {
		s.out.Notes = slices.Concat(s.out.Notes, told.notes, s.repo.tellRenamed(ctx, s.arrived.meet(told.renamed, false)))
	}
	return err == nil, err
}

// fitAlone judges what is here before it is merged: a merge on top of what the
// gate refuses would only have to be undone.
func (s *syncing) fitAlone(ctx context.Context, theirs string) (bool, error) {
	tip, err := s.repo.Store.Tip(ctx)
	switch {
	case errors.Is(err, gitstore.ErrNoRef):
		return true, nil
	case err != nil:
		return false, err
	}
	s.out.Commit = tip.Commit
	if theirs == "" {
		return s.fit(ctx, theirs)
	}
	base, err := s.base(ctx, tip.Commit, theirs)
	if err != nil {
		return false, err
	}
	if base.commit == tip.Commit { // there is nothing but what was published
		s.fits = [2]string{theirs, tip.Commit}
		return true, nil
	}
	return s.fit(ctx, theirs)
}

// fit judges what is to be pushed, as the server would: commits by native git
// may have come past the gate.
func (s *syncing) fit(ctx context.Context, theirs string) (bool, error) {
	step := [2]string{theirs, s.out.Commit}
	if s.fits == step {
		return true, nil
	}
	switch gates, _, err := s.repo.GatesAt(ctx, cmp.Or(theirs, s.out.Commit)); {
	case err != nil:
		return false, err
	case gates.Newer():
		return false, errNewerGates()
	}
	got, err := s.receive(ctx, theirs, s.out.Commit)
	if err != nil {
		return false, err
	}
	if got.OK() {
		s.fits = step
		return true, nil
	}
	s.out.Status = SyncRejected
	s.out.Details = append(s.out.Details, got.lines()...)
	s.out.Details = append(s.out.Details, s.remedy(ctx, got))
	return false, nil
}

// receive judges an update as a server would that allows what only it can know.
func (s *syncing) receive(ctx context.Context, theirs, commit string) (Reception, error) {
	return s.repo.Receive(ctx, RefUpdate{Ref: s.repo.Ref, Old: theirs, New: commit}, Server{AllowGateLowering: true})
}

// push sends the store; again says that the remote has moved.
func (s *syncing) push(ctx context.Context) (again bool, err error) {
	err = s.repo.Store.Push(ctx, s.remote, s.out.Commit)
	var refused *gitstore.PushRefusedError
	switch {
	case err == nil:
		if s.out.Status == "" {
			s.out.Status = SyncPushed
		}
		return false, nil
	case errors.As(err, &refused) && s.locked.moved(refused):
		return true, nil
	case errors.As(err, &refused) && refused.Moved:
		s.out.Status = SyncRejected
		s.out.Details = append(refused.Lines, strings.TrimSpace(refused.Error()), s.repo.whyHeld(ctx, refused))
		return false, nil
	case errors.As(err, &refused):
		if ok, err := s.giveWay(ctx); ok || err != nil {
			return false, err
		}
		s.out.Status, s.refused = SyncRejected, true
		s.out.Details = append(refused.Lines, strings.TrimSpace(refused.Error()))
		s.out.Details = append(s.out.Details, "where nobody may push to "+s.repo.Branch()+", `git plan propose` makes a branch for a pull request")
		return false, nil
	}
	return false, fmt.Errorf("push the plans to %s: %w", s.remote.Name, err)
}
