package draft

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// Check judges every thread's folder as a commit would, and completeness for
// every unsettled task.
func (d *Drafts) Check(ctx context.Context, gates validate.Gates, gate validate.Gate, exists func(string) validate.Existence) (found []diag.Diagnostic, plans int, err error) {
	s, err := d.State()
	if err != nil {
		return nil, 0, err
	}
	for _, t := range s.ordered() {
		p, read, err := d.read(*t, t.planOrID())
		if err != nil {
			return nil, 0, err
		}
		if p.Empty() && len(read) == 0 {
			if t.ID != s.Current {
				found = append(found, d.missing(*t))
				plans++
			}
			continue
		}
		base, err := d.basePlan(ctx, *t)
		if err != nil {
			return nil, 0, err
		}
		in := validate.Input{Plan: p, Found: read, Version: 1, Exists: exists}
		if base != nil {
			in.Parents, in.Version = []*plan.Plan{base}, base.Version()
		}
		found = append(found, validate.Run(in, gates, gate)...)
		plans++
	}
	diag.Sort(found)
	return found, plans, nil
}

// missing is the finding about an additional thread whose folder is empty.
func (d *Drafts) missing(t Thread) diag.Diagnostic {
	return diag.Diagnostic{
		Path: path.Join(d.prefix(t.Dir), "plan.md"), Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: plan.RulePlanMissing,
		Message: fmt.Sprintf("thread %s holds no plan", t.ID),
		Hint:    fmt.Sprintf("write its plan.md with a `title`, or drop the thread with `git plan remove-thread --thread-id %s`", t.ID),
	}
}

// empty reports whether nothing at all is in the thread's folder.
func (p *part) empty() bool { return p.plan.Empty() && len(p.found) == 0 }

// missing gives a finding for each additional thread that is empty: only the
// current one may stand for no plan.
func (c *committer) missing() []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, p := range c.parts {
		if p.empty() && p.thread.ID != c.state.Current {
			out = append(out, c.drafts.missing(p.thread))
		}
	}
	return out
}

// refuse is the answer to threads that lack their plan, along with everything
// that is wrong with the others.
func (c *committer) refuse(ctx context.Context, missing []diag.Diagnostic) error {
	result, err := c.drafts.repo.Try(ctx, c.mutate)
	found := result.Warnings
	var rejected *planrepo.RejectedError
	if errors.As(err, &rejected) {
		found = rejected.Findings
	} else if err != nil {
		return err
	}
	found = append(missing, found...)
	diag.Sort(found)
	return &planrepo.RejectedError{Findings: found}
}
