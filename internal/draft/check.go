package draft

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// drafted is what a thread's folder holds.
type drafted struct {
	thread Thread
	plan   *plan.Plan
	found  []diag.Diagnostic
}

// Check judges every thread's folder as a commit would, and completeness for
// every unsettled task. It also gives the threads' folders, as findings name
// them.
func (d *Drafts) Check(ctx context.Context, store *store.Snapshot, law store.Law) (found []diag.Diagnostic, folders []string, err error) {
	all, missing, err := d.drafted()
	if err != nil {
		return nil, nil, err
	}
	for _, d := range missing {
		found, folders = append(found, d), append(folders, path.Dir(d.Path))
	}
	var read []*plan.Plan
	for _, p := range all {
		read, folders = append(read, p.plan), append(folders, p.plan.Prefix)
	}
	others, err := store.Others(ctx, law.Gates, read...)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range all {
		in := validate.Input{Plan: p.plan, Found: p.found, Exists: law.Exists, Others: others}
		gates, err := d.since(ctx, p.thread, store, law.Gates, &in)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, validate.Run(in, gates, law.Floor)...)
	}
	diag.Sort(found)
	return found, folders, nil
}

// since says what a thread's plan is a change of, and gives the gates that a commit
// judges it by: those of the store, or of the side that it is to be merged with.
func (d *Drafts) since(ctx context.Context, t Thread, store *store.Snapshot, gates validate.Gates, in *validate.Input) (validate.Gates, error) {
	if t.Merging != "" {
		theirs, err := d.repo.At(ctx, t.Merging)
		if err != nil {
			return gates, err
		}
		return d.repo.Joined(ctx, in, store, theirs)
	}
	base, err := d.basePlan(ctx, t)
	if err != nil {
		return gates, err
	}
	if in.Version = 1; base != nil {
		in.Parents, in.Version = []*plan.Plan{base}, base.Version()
	}
	return gates, d.repo.Witness(ctx, gates, in)
}

// drafted reads the threads. An empty current one stands for no plan; for each
// other empty one there is a finding.
func (d *Drafts) drafted() (all []drafted, missing []diag.Diagnostic, err error) {
	s, err := d.State()
	if err != nil {
		return nil, nil, err
	}
	for _, t := range s.ordered() {
		p, read, err := d.read(*t, t.planOrID())
		switch {
		case err != nil:
			return nil, nil, err
		case !d.isBlank(*t, p, read):
			all = append(all, drafted{*t, p, read})
		case t.ID != s.Current:
			missing = append(missing, d.missing(*t))
		}
	}
	return all, missing, nil
}

// PlanIn gives the id of the plan that a thread's folder holds, or "" for any
// other folder.
func (d *Drafts) PlanIn(dir string) (string, error) {
	t, err := d.ThreadIn(dir)
	if err != nil || t == nil {
		return "", err
	}
	return t.planOrID(), nil
}

// missing is the finding about an additional thread whose folder is empty.
func (d *Drafts) missing(t Thread) diag.Diagnostic {
	out := diag.Diagnostic{
		Path: path.Join(d.prefix(t.Dir), "plan.md"), Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: plan.RulePlanMissing,
		Message: fmt.Sprintf("thread %s holds no plan", t.ID),
		Hint:    fmt.Sprintf("write its plan.md with a `title`, or drop the thread with `git plan remove-thread --thread-id %s`", t.ID),
	}
	if t.Cleared {
		out.Message = fmt.Sprintf("thread %s was cleared, and is not the current one any more, whose plan alone a commit removes", t.ID)
		out.Hint = fmt.Sprintf("to remove plan %s, run `git plan checkout %s`, `git plan clear-current` and commit; to keep it, drop the thread with `git plan remove-thread --thread-id %s`",
			t.Plan, t.Plan, t.ID)
	}
	return out
}

// isBlank reports whether what was read of a thread's folder stands for no plan:
// there is nothing, or only what programs leave in any folder they are shown, such
// as .DS_Store. In a folder that the user chose, files of the user's own may be,
// too, which no clearing takes away.
func (d *Drafts) isBlank(t Thread, p *plan.Plan, found []diag.Diagnostic) bool {
	return p.Empty() && !slices.ContainsFunc(found, func(f diag.Diagnostic) bool {
		name := strings.TrimPrefix(f.Path, p.Prefix+"/")
		hidden := strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
		return f.Rule != plan.RuleStrayFile || !hidden && (d.allocated(t) || strings.EqualFold(path.Ext(name), ".md"))
	})
}

// missing gives a finding for each additional thread that is empty: only the
// current one may stand for no plan.
func (c *committer) missing() []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, p := range c.parts {
		if p.empty && p.thread.ID != c.state.Current {
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
	var rejected *store.RejectedError
	if errors.As(err, &rejected) {
		found = rejected.Findings
	} else if err != nil {
		return err
	}
	found = append(missing, found...)
	diag.Sort(found)
	return &store.RejectedError{Findings: found}
}
