package draft

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// base reads the stored plan that a draft was last filled from, nil for a new plan and
// for one that was not there.
func (d *Drafts) base(ctx context.Context, t Draft) (*store.Mended, error) {
	if t.isNew() {
		return nil, nil
	}
	s, err := d.repo.At(ctx, t.Base)
	var missing *gitstore.MissingObjectError
	if errors.As(err, &missing) {
		return nil, fmt.Errorf("the commit that draft %s was filled from is gone: keep a copy of your edits and run `git plan edit --force %s`: %w", t.ID, t.Plan, err)
	}
	if err != nil {
		return nil, err
	}
	found, err := find(ctx, s, t.Plan)
	if err != nil {
		return nil, err
	}
	return d.filled(ctx, t, found)
}

// filled gives the base of a folder that was filled in part: of the files that hold
// what they were to hold, that is what they were filled from.
func (d *Drafts) filled(ctx context.Context, t Draft, base *store.Mended) (*store.Mended, error) {
	if t.Next == "" || base == nil {
		return base, nil
	}
	then := t
	then.Base, then.Next = t.Next, ""
	next, err := d.base(ctx, then)
	if err != nil || next == nil {
		return base, nil // it is gone: nothing can be told
	}
	p, _, err := d.read(t)
	if err != nil {
		return nil, err
	}
	files, now, disk := base.Plan.Files(), next.Plan.Files(), p.Files()
	for _, name := range names(now) {
		if look(disk, name) == look(now, name) {
			files[name] = now[name]
		}
	}
	for _, name := range names(files) {
		if !look(disk, name).there && !look(now, name).there {
			delete(files, name)
		}
	}
	mixed := *base
	stored := *base.Stored
	stored.Plan = d.planOf(t.Plan, files)
	mixed.Stored = &stored
	return &mixed, nil
}

// planOf reads files as a plan.
func (d *Drafts) planOf(id string, files map[string][]byte) *plan.Plan {
	list := make([]plan.File, 0, len(files))
	for _, name := range names(files) {
		list = append(list, plan.File{Path: name, Data: files[name]})
	}
	p, _ := d.repo.ReadPlan(id, "", list)
	return p
}

// basePlan is base without what came past the gate.
func (d *Drafts) basePlan(ctx context.Context, t Draft) (*plan.Plan, error) {
	m, err := d.base(ctx, t)
	return planOrNone(m), err
}

// baseFor is base for a merge with the plan as a commit has it: where the base is not
// in that commit's history, it is the commit from where the two went on.
func (d *Drafts) baseFor(ctx context.Context, t Draft, now *store.Snapshot) (*store.Mended, error) {
	if t.isNew() || t.Base == now.Commit {
		return d.base(ctx, t)
	}
	from, err := d.repo.ForkPoint(ctx, t.Base, now.Commit)
	if err != nil || from == "" {
		return d.base(ctx, t) // which says what is wrong with it, or is all there is
	}
	then := t
	then.Base = from
	base, err := d.base(ctx, then)
	if err != nil || base != nil {
		return base, err
	}
	if stored, err := find(ctx, now, t.Plan); err == nil && stored != nil && stored.Plan.Doc.Text("formerly") != "" {
		then.Plan = stored.Plan.Doc.Text("formerly")
		return d.base(ctx, then)
	}
	return d.base(ctx, t)
}

// find reads a plan that is not archived, nil where there is none of that id.
func find(ctx context.Context, s *store.Snapshot, id string) (*store.Mended, error) {
	stored, err := s.Mended(ctx, id)
	var gone *store.NotFoundError
	if errors.As(err, &gone) || err == nil && stored.Archived() {
		return nil, nil
	}
	return stored, err
}

func planOrNone(m *store.Mended) *plan.Plan {
	if m == nil {
		return nil
	}
	return m.Plan
}

func filesOf(m *store.Mended) map[string][]byte {
	if m == nil {
		return nil
	}
	return m.Plan.Files()
}

// isAnother reports whether a draft holds another plan than the one it was filled
// from: it has no task of that plan, and another title.
func isAnother(drafted, stored *plan.Plan) bool {
	if stored == nil || len(stored.All()) == 0 || drafted.Title() == stored.Title() {
		return false
	}
	for _, t := range drafted.All() {
		if t.ID != "" && stored.Task(t.ID) != nil {
			return false
		}
	}
	return true
}
