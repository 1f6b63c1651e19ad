package draft

import (
	"context"
	"path"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// Check judges every draft as a commit would, and completeness for every unsettled
// task. It also gives the drafts' folders, as findings name them.
func (d *Drafts) Check(ctx context.Context, now *store.Snapshot, law store.Law) (found []diag.Diagnostic, folders []string, err error) {
	s, err := d.State()
	if err != nil {
		return nil, nil, err
	}
	var inputs []validate.Input
	var read []*plan.Plan
	for _, t := range s.ordered() {
		in, err := d.input(ctx, t)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case !d.isBlank(t, in.Plan, in.Found):
			inputs, read, folders = append(inputs, in), append(read, in.Plan), append(folders, in.Plan.Prefix)
		case t.Plan == "" && t.ID != s.Current && isDir(t.Dir):
			missing := d.missing(t)
			found, folders = append(found, missing), append(folders, path.Dir(missing.Path))
		}
	}
	others, err := now.Others(ctx, law.Gates, read...)
	if err != nil {
		return nil, nil, err
	}
	for _, in := range inputs {
		in.Exists, in.Others = law.Exists, others
		if err := d.repo.Witness(ctx, law.Gates, &in); err != nil {
			return nil, nil, err
		}
		found = append(found, validate.Run(in, law.Gates, law.Floor)...)
	}
	diag.Sort(found)
	return found, folders, nil
}

// input reads a draft as the change that it is.
func (d *Drafts) input(ctx context.Context, t Draft) (in validate.Input, err error) {
	if in.Plan, in.Found, err = d.read(t); err != nil {
		return in, err
	}
	base, err := d.basePlan(ctx, t)
	if in.Version = 1; base != nil {
		in.Parents, in.Version = []*plan.Plan{base}, base.Version()
	}
	return in, err
}
