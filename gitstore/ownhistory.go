package gitstore

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// Git ends at the first tree that it would not have written itself, wherever in
// the history that is, and whatever is asked for. One such commit must not hide
// the past of every plan, so what git cannot compare is compared here, more
// slowly. A folder that is damaged is a state of its own; one that could be
// fetched and was not, and the root of a commit, are errors as ever.

// gaveUp reports whether git ended because of what it found in the repository.
func gaveUp(ctx context.Context, err error) bool {
	var e *git.Error
	return ctx.Err() == nil && errors.As(err, &e) && e.Status == 128
}

// ownHistory is [Store.History] with paths, without git's help.
func (s *history) ownHistory(ctx context.Context, from string, limit int, paths []string) ([]Step, error) {
	all, err := s.History(ctx, from, 0)
	if err != nil {
		return nil, err
	}
	var steps []Step
	before := ""
	for i := len(all) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		now := ""
		for _, p := range paths {
			state, err := s.stateAt(ctx, all[i].Commit, p)
			if err != nil {
				return nil, err
			}
			now += state + "\n"
		}
		if now != before && (i < len(all)-1 || strings.Trim(now, "\n") != "") {
			step := Step{Commit: all[i].Commit}
			if n := len(steps); n > 0 {
				step.Parent = steps[n-1].Commit
			}
			steps = append(steps, step)
		}
		before = now
	}
	slices.Reverse(steps)
	if limit > 0 && len(steps) > limit {
		steps = steps[:limit]
	}
	return steps, nil
}

// ownGraph is [Store.Graph] with paths, without git's help.
func (s *history) ownGraph(ctx context.Context, from string, limit int, paths []string) ([]GraphLine, error) {
	steps, err := s.History(ctx, from, limit, paths...)
	var lines []GraphLine
	for _, step := range steps {
		lines = append(lines, GraphLine{Art: "* ", Step: step})
	}
	return lines, err
}

// stateAt tells what a path was in one commit from what it was in another, "" if
// it was not there. A component may be a pattern, as in [Store.History].
func (s *history) stateAt(ctx context.Context, commit, p string) (string, error) {
	if rest, ok := strings.CutPrefix(p, ":(top,glob)"); ok {
		p = strings.TrimSuffix(rest, "/**")
	}
	c, err := s.Commit(ctx, commit)
	if err != nil {
		return "", err
	}
	return s.stateIn(ctx, c.Tree, strings.Split(p, "/"))
}

func (s *history) stateIn(ctx context.Context, tree string, components []string) (string, error) {
	entries, err := s.tree(ctx, tree)
	var missing *MissingObjectError
	var corrupt *CorruptObjectError
	switch {
	case errors.As(err, &corrupt), errors.As(err, &missing) && missing.Detail == "":
		return "damaged " + tree, nil
	case err != nil:
		return "", err
	}
	var state []string
	for _, e := range entries {
		if match, err := path.Match(components[0], e.Name); err != nil || !match {
			continue
		}
		switch {
		case len(components) == 1:
			state = append(state, fmt.Sprintf("%s %o %s", e.Name, e.Mode, e.Object))
		case e.IsFolder():
			below, err := s.stateIn(ctx, e.Object, components[1:])
			if err != nil {
				return "", err
			}
			if below != "" {
				state = append(state, e.Name+"/"+below)
			}
		}
	}
	return strings.Join(state, " "), nil
}

// ownDifferences is [Store.Differences] without git's help.
func (s *history) ownDifferences(ctx context.Context, steps []Step) ([][]Difference, error) {
	all := make([][]Difference, len(steps))
	for i, step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := s.Commit(ctx, step.Commit)
		if err != nil {
			return nil, err
		}
		before := step.Parent
		if before == "" && len(c.Parents) == 1 {
			before = c.Parents[0] // as git has it
		}
		if all[i], err = s.DifferencesOfTree(ctx, before, c.Tree); err != nil {
			return nil, err
		}
		if len(all[i]) > maxDifferences {
			return nil, &TooManyError{Commit: step.Commit, Limit: maxDifferences}
		}
	}
	return all, nil
}

// differingEntries gives what differs between two folders, by name. Of entries
// that share a name the last counts, and those without one are left out: whoever
// looks at the folder itself is told of both.
func differingEntries(from, to []Entry) []Difference {
	sides := map[string]*Difference{}
	at := func(name string) *Difference {
		if sides[name] == nil {
			sides[name] = &Difference{Path: name}
		}
		return sides[name]
	}
	for _, e := range from {
		at(e.Name).Old = Entry{Mode: e.Mode, Object: e.Object}
	}
	for _, e := range to {
		at(e.Name).New = Entry{Mode: e.Mode, Object: e.Object}
	}
	var out []Difference
	for name, d := range sides {
		if name != "" && d.Old != d.New {
			out = append(out, *d)
		}
	}
	slices.SortFunc(out, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return out
}
