package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// toMerge reads a plan as one side of a merge. A file that is wrong in nothing but
// that it is executable is one of the plan: to leave it out would be to remove it.
func (s *Snapshot) toMerge(ctx context.Context, l Location) (*Stored, error) {
	stored, err := s.LoadAt(ctx, l)
	if err != nil || !slices.ContainsFunc(stored.Found, func(d diag.Diagnostic) bool { return d.Rule == plan.RuleFileMode }) {
		return stored, err
	}
	files, err := s.Files(ctx, l)
	if err != nil {
		return nil, err
	}
	asRegular(files)
	stored.Plan, _ = s.repo.ReadPlan(l.ID, l.Path, files)
	return stored, nil
}

// beside looks at what theirs has in a plan's folder and no plan can hold, put there
// by native git. A plan that stays as theirs has it keeps it; with one that changes
// it cannot land, and it is for somebody to say that it may go. Preferred is what
// settles that: theirs is taken whole then.
func (m *commitMerge) beside(ctx context.Context, base *ancestor, ours, theirs string, prefer merge.Side, p merge.PlanResult) (merge.PlanResult, error) {
	there := m.stores[theirs].Plans[p.ID]
	if there.Plan == nil || p.Plan != nil && p.Path == there.Path && samePlan(p.Plan, there.Plan) {
		return p, nil
	}
	files := there.Plan.Files()
	for _, d := range m.strays[theirs] {
		name, within := strings.CutPrefix(d.Path, there.Path+"/")
		if !within {
			continue
		}
		gone, err := m.removed(ctx, base, ours, theirs, d.Path)
		if err != nil {
			return p, err
		}
		_, kept := files[name]
		switch {
		case gone:
		case kept && d.Rule == plan.RuleFileMode:
			p.Notes = append(p.Notes, d.Path+" is not executable any more")
		case prefer == merge.Theirs:
			note := fmt.Sprintf("%s cannot be kept beside a change (%s): took theirs as it is", d.Path, d.Message)
			return merge.PlanResult{ID: p.ID, Path: there.Path, Result: merge.Result{Plan: there.Plan, Notes: []string{note}}}, nil
		case prefer == merge.Ours:
			p.Notes = append(p.Notes, fmt.Sprintf("left out %s: %s", d.Path, d.Message))
		case p.Plan == nil:
			p.Plan, p.Path = there.Plan, there.Path
			p.Conflicts = append(p.Conflicts, merge.Conflict{Plan: p.ID, Field: "plan", Ours: "removed", Theirs: "changed", Holds: merge.Theirs, Message: fmt.Sprintf(
				"removed by one side, and %s was published in it meanwhile (%s)", d.Path, d.Message)})
		default:
			p.Conflicts = append(p.Conflicts, merge.Conflict{Plan: p.ID, Field: d.Rule, Holds: merge.Ours, Message: fmt.Sprintf(
				"%s, which is published, has no place in a plan (%s): what settles this leaves it out", d.Path, d.Message)})
		}
	}
	return p, nil
}

// removed reports whether ours took away what theirs has at a path still as both had
// it before.
func (m *commitMerge) removed(ctx context.Context, base *ancestor, ours, theirs, at string) (bool, error) {
	had, err := m.isElsewhere(ctx, at, theirs, base.commits())
	if err != nil || !had {
		return false, err
	}
	has, err := m.isElsewhere(ctx, at, theirs, []string{ours})
	return !has, err
}
