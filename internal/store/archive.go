package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// UnfinishedError is returned when a plan is to be put away that has work left.
type UnfinishedError struct {
	ID     string
	Status plan.PlanStatus
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("plan %s is %s: finish or abandon it first, or archive it with --force", e.ID, e.Status)
}

// ToArchive is the mutation that archives plans. Unfinished ones are refused
// with an *[UnfinishedError], unless forced.
func ToArchive(agent string, force bool, ids ...string) Mutation {
	return func(ctx context.Context, s *Snapshot) (Candidate, error) {
		c := Candidate{Message: Message{Agent: agent}}
		for _, id := range unique(ids) {
			stored, err := s.Load(ctx, id)
			if err != nil {
				return c, err
			}
			if status := stored.Plan.Status(); !stored.Archived() && !status.Finished() && !force {
				return c, &UnfinishedError{id, status}
			}
			c.Moves = append(c.Moves, Move{ID: id, Archived: true})
		}
		return c, nil
	}
}

// Abandon is the mutation that gives a plan up. Its tasks stay as they are.
func Abandon(agent, reason, id string) Mutation {
	return Edit(id, func(p *plan.Plan) (Message, error) {
		m := Message{Agent: agent, Body: []string{reason}}
		if p.IsAbandoned() {
			return m, nil
		}
		doc, err := p.Doc.Set("abandoned", plan.Value(true))
		if err == nil {
			p.Doc = doc
		}
		return m, err
	})
}

func unique(ids []string) []string {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}
