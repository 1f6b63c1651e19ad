package store

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
)

// Move puts a plan elsewhere in the store as it is.
type Move struct {
	ID string
	// Archived says that it goes to the archive of this year, else it comes
	// back from there.
	Archived bool
}

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
	return func(ctx context.Context, s *Snapshot) (Proposal, error) {
		p := Proposal{Message: Message{Agent: agent}}
		for _, id := range unique(ids) {
			stored, err := s.Load(ctx, id)
			if err != nil {
				return p, err
			}
			if status := stored.Plan.Status(); !stored.Archived() && !status.Finished() && !force {
				return p, &UnfinishedError{id, status}
			}
			p.Moves = append(p.Moves, Move{ID: id, Archived: true})
		}
		return p, nil
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

// move carries out one move. Its content was judged when it came to where it
// is, so the gate has nothing new to see.
func (c *commitment) move(ctx context.Context, m Move) error {
	from, ok, err := c.snapshot.Locate(ctx, m.ID)
	if err != nil {
		return err
	}
	if !ok {
		return c.snapshot.unknownPlan(ctx, m.ID)
	}
	if from.Archived() == m.Archived {
		return nil
	}
	stored, err := c.snapshot.LoadAt(ctx, from)
	if err != nil {
		return err
	}
	to, event := m.ID, plan.Restored
	if m.Archived {
		to, event = path.Join(Archive, strconv.Itoa(c.repo.Now().Year()), m.ID), plan.Archived
		if err := c.vacant(ctx, to, from.Tree); err != nil {
			return err
		}
	}
	c.files = append(c.files,
		gitstore.FileChange{Path: from.Path, Delete: true},
		gitstore.FileChange{Path: to, Object: from.Tree, Mode: gitstore.ModeFolder})
	c.outcomes = append(c.outcomes, Outcome{
		ID: m.ID, Event: event, Occurrences: []plan.Occurrence{{Event: event}}, Version: stored.Plan.Version(),
		Tasks: len(stored.Plan.All()), Before: stored.Plan, After: stored.Plan,
	})
	return nil
}

// vacant refuses to put a plan where another one of its id is, as native git may
// have archived it: that one would be gone unseen.
func (c *commitment) vacant(ctx context.Context, to, tree string) error {
	there, ok, err := c.repo.Store.Lookup(ctx, c.snapshot.Commit, to)
	if err != nil || !ok || there.Object == tree {
		return err
	}
	return &ExistsError{fmt.Sprintf("%s holds another plan of this id: in a worktree of %s, `git mv` it to another id or `git rm` it, and commit that first", to, c.repo.Branch())}
}
