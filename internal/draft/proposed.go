package draft

import (
	"context"
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// NoteProposed remembers the commit of a proposal that was made from a thread,
// as its plan. Once the store has taken it, what the thread holds of it is no
// edit any more. Where the proposal brought in what others changed, which the
// folder does not have, nothing is remembered.
func (d *Drafts) NoteProposed(ctx context.Context, from *Drafted, commit string, proposed *plan.Plan) error {
	if from.Plan == nil || !sameFiles(from.Plan.Files(), proposed.Files()) {
		return nil
	}
	return d.change(ctx, func(s *State) error {
		if t := s.thread(from.Thread.ID); t != nil && t.Plan == from.Thread.Plan && t.Base == from.Thread.Base {
			t.Proposed = append([]string{commit}, slices.DeleteFunc(t.Proposed, func(c string) bool { return c == commit })...)
			t.Proposed = t.Proposed[:min(maxProposed, len(t.Proposed))]
		}
		return nil
	})
}

// maxProposed bounds how many proposals of a thread are remembered.
const maxProposed = 8

// proposedFiles gives the plan's files as they were proposed from the thread, the
// newest first. What is gone is left out: then its edits meet themselves.
func (d *Drafts) proposedFiles(ctx context.Context, t Thread) (all []map[string][]byte) {
	for _, commit := range t.Proposed {
		s, err := d.repo.At(ctx, commit)
		if err != nil {
			continue
		}
		if stored, err := s.Mended(ctx, t.Plan); err == nil {
			all = append(all, stored.Plan.Files())
		}
	}
	return all
}

// baseNow is what a thread's edits began from, as the store at a snapshot has
// taken in what was proposed from it.
func (d *Drafts) baseNow(ctx context.Context, t Thread, base, ours *plan.Plan) (*plan.Plan, error) {
	if len(t.Proposed) == 0 || base == nil {
		return base, nil
	}
	tip, err := d.repo.Store.Tip(ctx)
	if err != nil {
		return base, nil // which is told by who needs it
	}
	s, err := d.repo.At(ctx, tip.Commit)
	if err != nil {
		return nil, err
	}
	stored, err := s.Mended(ctx, t.Plan)
	if err != nil {
		return base, nil
	}
	files, err := d.arrived(ctx, t, tip.Commit, base.Files(), stored.Plan.Files(), ours.Files())
	return d.planOf(t.Plan, files), err
}
