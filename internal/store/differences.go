package store

import (
	"context"
	"path"
	"slices"

	"github.com/git-plan/git-plan/gitstore"
)

// changes compares states of the store.
type changes struct{ repo *Repo }

// differences gives what each candidate changed, seen from each of its
// parents; one without parents is seen from nothing.
func (ch changes) differences(ctx context.Context, candidates []Candidate) ([][][]gitstore.Difference, error) {
	out := make([][][]gitstore.Difference, len(candidates))
	var steps []gitstore.Step
	var owners []int
	for i, c := range candidates {
		if c.Commit == "" {
			var err error
			if out[i], err = ch.differencesOfIndex(ctx, c); err != nil {
				return nil, err
			}
			continue
		}
		for _, p := range c.seenFrom() {
			steps, owners = append(steps, gitstore.Step{Commit: c.Commit, Parent: p}), append(owners, i)
		}
	}
	all, err := ch.repo.Store.Differences(ctx, steps)
	if err != nil {
		return nil, err
	}
	for k, i := range owners {
		expanded, err := ch.expand(ctx, all[k])
		if err != nil {
			return nil, err
		}
		out[i] = append(out[i], expanded)
	}
	return out, nil
}

func (ch changes) differencesOfIndex(ctx context.Context, c Candidate) ([][]gitstore.Difference, error) {
	var out [][]gitstore.Difference
	for _, p := range c.seenFrom() {
		differences, err := ch.repo.Store.DifferencesOfTree(ctx, p, c.Tree)
		if err == nil {
			differences, err = ch.expand(ctx, differences)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, differences)
	}
	return out, nil
}

// seenFrom gives what to compare with: "", for nothing, where there are no parents.
func (c Candidate) seenFrom() []string {
	if len(c.Parents) == 0 {
		return []string{""}
	}
	return c.Parents
}

// expand adds to the entries of the root that differ those of the archive, down
// to the plans in it. No more is read than these two levels, whatever is below.
func (ch changes) expand(ctx context.Context, differences []gitstore.Difference) ([]gitstore.Difference, error) {
	i := slices.IndexFunc(differences, func(d gitstore.Difference) bool { return d.Path == Archive })
	if i < 0 {
		return differences, nil
	}
	years, err := ch.inside(ctx, differences[i])
	if err != nil {
		return nil, err
	}
	out := slices.Concat(differences, years)
	for _, year := range years {
		if !isYear(path.Base(year.Path)) {
			continue
		}
		plans, err := ch.inside(ctx, year)
		if err != nil {
			return nil, err
		}
		out = append(out, plans...)
	}
	return out, nil
}

// inside gives what differs in a folder, one level down. Of two entries with one
// name both are given.
func (ch changes) inside(ctx context.Context, d gitstore.Difference) ([]gitstore.Difference, error) {
	before, err := ch.entries(ctx, d.Old)
	if err != nil {
		return nil, err
	}
	after, err := ch.entries(ctx, d.New)
	if err != nil {
		return nil, err
	}
	old, times := map[string]gitstore.Entry{}, map[string]int{}
	for _, e := range before {
		old[e.Name] = e
	}
	for _, e := range after {
		times[e.Name]++
	}
	var out []gitstore.Difference
	for _, e := range after {
		if was := old[e.Name]; was != e || times[e.Name] > 1 {
			out = append(out, gitstore.Difference{Path: d.Path + "/" + e.Name, Old: was, New: e})
		}
	}
	for _, e := range before {
		if times[e.Name] == 0 {
			out = append(out, gitstore.Difference{Path: d.Path + "/" + e.Name, Old: e})
		}
	}
	return out, nil
}

// entries reads a folder; what is none has no entries.
func (ch changes) entries(ctx context.Context, e gitstore.Entry) ([]gitstore.Entry, error) {
	if !e.IsFolder() {
		return nil, nil
	}
	return ch.repo.Store.Tree(ctx, e.Object)
}
