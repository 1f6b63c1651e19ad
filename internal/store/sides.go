package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
)

// sides finds out which parents of a candidate have a say in what became of a
// plan. A side of a merge on which nobody touched the plan has none: it may have
// the plan as it was long ago, before the gate asked for more, and that the merge
// has it so again is a change of what the others made of it.
type sides struct {
	moved []passage // from each parent to the candidate
	// since are, for each of several parents, the passages from all that it has in
	// common with another.
	since [][]passage
}

// sides looks at the parents of the candidate, from which seen tells what differs.
func (j *judge) sides(ctx context.Context, seen [][]gitstore.Difference) (*sides, error) {
	s := &sides{moved: make([]passage, len(seen))}
	for i, differences := range seen {
		s.moved[i] = passageOf(differences)
	}
	if len(s.moved) < 2 || len(s.ids()) == 0 {
		return s, nil
	}
	return s, s.look(ctx, j.repo, j.verdict.Candidate.Parents)
}

// mostSides bounds how many sides of a merge are told apart; see [judge.octopus].
const mostSides = 16

// octopus refuses a merge of more commits than can be told apart: to hold it against
// some of them would be to let by what the others have.
func (j *judge) octopus() (refused bool) {
	if n := len(j.verdict.Candidate.Parents); n > mostSides {
		j.add(".", plan.RuleLimits, fmt.Sprintf("a merge of %d commits, and no more than %d can be told apart", n, mostSides), "merge them in several steps")
		return true
	}
	return false
}

// look finds what each parent changed since it and each other one went on from
// common commits.
func (s *sides) look(ctx context.Context, r *Repo, parents []string) error {
	s.since = make([][]passage, len(parents))
	var steps []gitstore.Step
	var owners []int
	for i, p := range parents {
		for k, other := range parents[:i] {
			bases, err := r.bases(ctx, p, other)
			if err != nil {
				return err
			}
			for _, base := range bases {
				steps = append(steps, gitstore.Step{Commit: p, Parent: base}, gitstore.Step{Commit: other, Parent: base})
				owners = append(owners, i, k)
			}
		}
	}
	all, err := r.Store.Differences(ctx, steps)
	if err != nil {
		return err
	}
	for n, owner := range owners {
		expanded, err := r.expand(ctx, all[n])
		if err != nil {
			return err
		}
		s.since[owner] = append(s.since[owner], passageOf(expanded))
	}
	return nil
}

// ids gives the plans that are not as in every parent, sorted.
func (s *sides) ids() []string {
	all := map[string]bool{}
	for _, p := range s.moved {
		for _, id := range changedIDs(p.before, p.after) {
			all[id] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// of gives the passages of a plan from the parents that it is to be held against,
// none where it is as in one that has a say.
func (s *sides) of(id string) []passage {
	var with []passage
	for i, p := range s.moved {
		if s.hasSay(i, id) {
			with = append(with, p)
		}
	}
	unlike := func(all []passage) []passage {
		return slices.DeleteFunc(slices.Clone(all), func(p passage) bool { return !p.touches(id) })
	}
	if len(with) == 0 { // they met crosswise before, and have it from there
		return unlike(s.moved)
	}
	if differs := unlike(with); len(differs) == len(with) {
		return differs
	}
	return nil
}

// hasSay reports whether a parent's side changed a plan since all that it has in
// common with another.
func (s *sides) hasSay(parent int, id string) bool {
	if len(s.since) < 2 {
		return true
	}
	return !slices.ContainsFunc(s.since[parent], func(p passage) bool { return !p.touches(id) })
}
