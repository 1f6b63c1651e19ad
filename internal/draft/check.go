package draft

import (
	"context"
	"path"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Check judges every draft as a commit would, and completeness for every unsettled
// task. It also gives the drafts' folders, as findings name them.
func (d *Drafts) Check(ctx context.Context, now *store.Snapshot, policy store.Policy, world store.World) (found []diag.Diagnostic, folders []string, err error) {
	s, err := d.State()
	if err != nil {
		return nil, nil, err
	}
	var subjects []store.Subject
	var read []*plan.Plan
	for _, t := range s.ordered() {
		subject, err := d.subject(ctx, t)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case !d.folders.isBlank(t, subject.Plan, subject.Found):
			subjects, read, folders = append(subjects, subject), append(read, subject.Plan), append(folders, subject.Plan.Prefix)
		case t.Plan == "" && t.ID != s.Current && isDir(t.Dir):
			missing := d.folders.missing(t)
			found, folders = append(found, missing), append(folders, path.Dir(missing.Path))
		}
	}
	others, err := now.Others(ctx, policy.Gates, read...)
	if err != nil {
		return nil, nil, err
	}
	for _, subject := range subjects {
		subject.Others = others
		findings, err := store.Inspect(ctx, subject, policy, world)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, findings...)
	}
	diag.Sort(found)
	return found, folders, nil
}

// subject reads a draft as the change that it is.
func (d *Drafts) subject(ctx context.Context, t Draft) (s store.Subject, err error) {
	if s.Plan, s.Found, err = d.folders.read(t); err != nil {
		return s, err
	}
	base, err := d.bases.plan(ctx, t)
	s.Search = true
	if s.Version = 1; base != nil {
		s.Parent, s.Version = base, base.Version()
	}
	if err != nil {
		return s, err
	}
	raises, err := d.raises(ctx, t)
	if raises && s.Plan.Version() == s.Version+1 {
		s.Version++
	}
	return s, err
}

// raises reports whether a draft decides a parked change that raised its plan's version.
func (d *Drafts) raises(ctx context.Context, t Draft) (bool, error) {
	if !d.isParked(t.Change) {
		return false, nil
	}
	return d.repo.Publisher().Raises(ctx, t.Change, t.Plan)
}
