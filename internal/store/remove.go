package store

import (
	"context"

	"github.com/git-plan/git-plan/plan"
)

// Remove is the mutation that removes plans. One with a live claim of another agent is
// refused with a *[plan.HeldError], unless forced.
func Remove(agent, reason string, force bool, ids ...string) Mutation {
	return func(ctx context.Context, s *Snapshot) (Candidate, error) {
		p := Candidate{Message: Message{Agent: agent, Body: []string{reason}}}
		for _, id := range unique(ids) {
			stored, err := s.Load(ctx, id)
			if err != nil {
				return p, err
			}
			for _, t := range stored.Plan.All() {
				if err := t.HeldAgainst(oneLine(agent), s.repo.Now()); err != nil && !force {
					return p, err
				}
			}
			p.Writes = append(p.Writes, Write{ID: id})
		}
		return p, nil
	}
}

// Restore is the mutation that brings a plan back that was archived or removed.
func Restore(agent, id string) Mutation {
	return func(ctx context.Context, s *Snapshot) (Candidate, error) {
		p := Candidate{Message: Message{Agent: agent}}
		_, there, err := s.Locate(ctx, id)
		if err != nil {
			return p, err
		}
		if there {
			p.Moves = []Move{{ID: id}}
			return p, nil
		}
		last, err := s.removed(ctx, id)
		if err != nil {
			return p, err
		}
		p.Message.Subject = "restore the plan"
		p.Writes = []Write{{ID: id, Plan: last, Whole: true}}
		return p, nil
	}
}

// removed gives a plan as it was before it was removed.
func (s *Snapshot) removed(ctx context.Context, id string) (*plan.Plan, error) {
	if plan.IsKebab(id) {
		revisions, err := s.History(ctx, id, 1)
		if err != nil {
			return nil, err
		}
		if len(revisions) > 0 && revisions[0].Changes[0].Before != nil {
			return revisions[0].Changes[0].Before, nil
		}
	}
	return nil, s.unknownPlan(ctx, id)
}
