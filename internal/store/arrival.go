package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/git-plan/git-plan/plan"
)

// Renames are the ids that a merge gave to plans and tasks of the store here, by the
// old ones, which others had published meanwhile.
type Renames struct {
	Plans map[string]string
	// Tasks are by the id that their plan has now.
	Tasks map[string]map[string]string
}

func (m mergedStore) renames() Renames {
	out := Renames{Plans: m.Renamed, Tasks: map[string]map[string]string{}}
	for _, p := range m.Plans {
		if len(p.Renamed) > 0 {
			out.Tasks[p.ID] = p.Renamed
		}
	}
	return out
}

// tellRenamed lets who remembers plans by their ids follow; that it cannot is a note.
func (r *Repo) tellRenamed(ctx context.Context, plans map[string]string) (notes []string) {
	if len(plans) == 0 || r.Renamed == nil {
		return nil
	}
	if err := r.Renamed(ctx, plans); err != nil {
		notes = append(notes, fmt.Sprintf("what is worked on here was not brought to its new id: %v; choose it with `git plan use PLAN`", err))
	}
	return notes
}

// arrival is what came into the store while a command was under way that had begun
// on another state of it. What the command was given to name may be something else
// since.
type arrival struct {
	from string // the tip when the command began, "" without a store
	Renames
}

// begin notes the tip that the command begins on, once.
func (a *arrival) begin(tip string) { a.from = cmp.Or(a.from, tip) }

// meet adds the ids that one more merge gave. One that is made again gives anew what
// it gave before, and takes the rest back. Moved are the plans that have another id
// than before, by that one.
func (a *arrival) meet(given Renames, again bool) (moved map[string]string) {
	moved = map[string]string{}
	for old, id := range given.Plans {
		if before := a.Plans[old]; again && before != "" {
			old = before
		}
		moved[old] = id
	}
	for old, before := range a.Plans {
		if again && given.Plans[old] == "" {
			moved[before] = old
		}
	}
	maps.DeleteFunc(moved, func(from, to string) bool { return from == to })
	if again || a.Plans == nil {
		a.Renames = Renames{map[string]string{}, map[string]map[string]string{}}
	}
	maps.Copy(a.Plans, given.Plans)
	maps.Copy(a.Tasks, given.Tasks)
	return moved
}

// onto lets a mutation know what came meanwhile, and refuses what it wants of a plan
// that took the id of another one.
func (a *arrival) onto(mutate Mutation) Mutation {
	return func(ctx context.Context, s *Snapshot) (Candidate, error) {
		knowing := *s
		knowing.arrived = a
		p, err := mutate(ctx, &knowing)
		wanted := p.ids()
		var conflict *ConflictError
		if errors.As(err, &conflict) { // one that says how to go on with the other plan
			wanted = []string{conflict.Plan}
		} else if err != nil {
			return p, err
		}
		for _, id := range wanted {
			if now := a.Plans[id]; now != "" {
				return Candidate{}, &ConflictError{
					Plan: id, Details: []string{fmt.Sprintf("plan %s is another one since the merge with what is published: yours is %s now", id, now)},
					Hint: "name the one you mean, and run it again", Since: "this command began",
				}
			}
		}
		return p, err
	}
}

// ids are those of the plans that the candidate writes or moves.
func (c Candidate) ids() (out []string) {
	for _, w := range c.Writes {
		out = append(out, w.ID)
	}
	for _, m := range c.Moves {
		out = append(out, m.ID)
	}
	return out
}

// Meant refuses names or numbers of tasks that stood for others when the command
// began: what came in meanwhile is not what its caller saw.
func (s *Snapshot) Meant(ctx context.Context, now *plan.Plan, names ...string) error {
	if len(names) == 0 {
		return nil
	}
	was, err := s.Before(ctx, now.ID)
	if was == nil || err != nil {
		return err
	}
	var details []string
	for _, name := range names {
		old, t := was.Find(name), now.Find(name)
		if old == nil || t == nil {
			continue
		}
		if id := cmp.Or(s.Renamed(now.ID)[old.ID], old.ID); id != t.ID {
			details = append(details, fmt.Sprintf("`%s` stands for another task since what is published came in, and the one that it stood for is `%s` now", name, id))
		}
	}
	if len(details) == 0 {
		return nil
	}
	return &ConflictError{Plan: now.ID, Details: details, Hint: "name the one you mean by its id, and run it again", Since: "this command began"}
}

// Renamed are the tasks of a plan that were given another id since the command
// began, by the old one.
func (s *Snapshot) Renamed(plan string) map[string]string {
	if s.arrived == nil {
		return nil
	}
	return s.arrived.Tasks[plan]
}

// Before gives a plan as it was when the command began, nil if there was none or
// nothing came in since.
func (s *Snapshot) Before(ctx context.Context, id string) (*plan.Plan, error) {
	if s.arrived == nil || s.arrived.from == "" || s.arrived.from == s.Commit {
		return nil, nil
	}
	for old, now := range s.arrived.Plans {
		if now == id {
			id = old
			break
		}
	}
	began, err := s.repo.At(ctx, s.arrived.from)
	if err != nil {
		return nil, err
	}
	stored, err := began.Load(ctx, id)
	var none *NotFoundError
	if errors.As(err, &none) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return stored.Plan, nil
}
