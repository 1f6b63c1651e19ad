package store

import (
	"path"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// mergePlans is [merge.Plans] with the gate on what comes out: two edits that each
// passed may make a cycle together, and that is a conflict, too. Where a side is
// preferred and the two do not fit, it is taken whole. What is as it was on a side was
// judged there.
func mergePlans(r *Repo, p Policy, base, ours, theirs *plan.Plan, opts merge.Options) merge.Result {
	m := merge.Plans(base, ours, theirs, opts)
	if !m.Clean() || m.Plan == nil || samePlan(m.Plan, ours) || samePlan(m.Plan, theirs) {
		return m
	}
	s := Subject{Parent: theirs, Sides: []*plan.Plan{ours}, Scope: validate.Change, Stored: true}
	s.Plan, s.Found = r.ReadPlan(m.Plan.ID, "", m.Plan.FileList())
	for _, d := range Errors(s, p, World{}) {
		m.Conflicts = append(m.Conflicts, conflictOf(s.Plan, d))
	}
	if m.Clean() || opts.Prefer == merge.Neither {
		return m
	}
	whole := ours
	if opts.Prefer == merge.Theirs {
		whole = theirs
	}
	for _, c := range m.Conflicts {
		c.Plan = "" // notes on a plan do not name it
		m.Notes = append(m.Notes, c.String()+": took "+opts.Prefer.String()+" as it is")
	}
	m.Plan, m.Conflicts, m.Renamed = whole, nil, nil
	return m
}

func samePlan(a, b *plan.Plan) bool {
	return b != nil && len(fileChanges(&Stored{Location: Location{Path: a.ID}, Plan: b}, a.ID, a, false)) == 0
}

// conflictOf is a finding about a merged plan as a conflict.
func conflictOf(p *plan.Plan, d diag.Diagnostic) merge.Conflict {
	c := merge.Conflict{Plan: p.ID, Field: d.Rule, Message: d.Message}
	for _, t := range p.All() {
		if path.Join(p.Prefix, t.Doc.Path) == d.Path {
			c.Task = t.ID
		}
	}
	return c
}
