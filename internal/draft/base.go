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
// what they were to hold, that is what they were filled from. The folder of a plan
// that was finished was to be emptied.
func (d *Drafts) filled(ctx context.Context, t Draft, base *store.Mended) (*store.Mended, error) {
	if t.Next == "" || base == nil {
		return base, nil
	}
	then := t
	then.Base, then.Next = t.Next, ""
	next, err := d.base(ctx, then)
	if err != nil {
		return base, nil // the commit is gone
	}
	p, _, err := d.folders.read(t)
	if err != nil {
		return nil, err
	}
	have := p.Files()
	if next != nil {
		base = d.mixed(base, next.Plan.Files(), have)
	}
	if next == nil || next.Plan.Status().Finished() {
		base = d.mixed(base, nil, have)
	}
	return base, nil
}

// mixed gives a base with other files in the place of its own where those are what
// the given files hold.
func (d *Drafts) mixed(base *store.Mended, others, have map[string][]byte) *store.Mended {
	files := base.Plan.Files()
	for name := range union(files, others) {
		switch now := look(others, name); {
		case look(have, name) != now:
		case now.there:
			files[name] = others[name]
		default:
			delete(files, name)
		}
	}
	stored := *base.Stored
	stored.Plan = d.planOf(base.ID, files)
	mixed := *base
	mixed.Stored = &stored
	return &mixed
}

// union gives the names in either set.
func union(a, b map[string][]byte) map[string]bool {
	all := map[string]bool{}
	for name := range a {
		all[name] = true
	}
	for name := range b {
		all[name] = true
	}
	return all
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

// baseFor is base for a merge with the plan as a commit has it. A base that is not in
// that commit's history was proposed, or replayed: then it is the commit from where the
// two went on, but for what the store has taken in.
func (d *Drafts) baseFor(ctx context.Context, t Draft, now *store.Snapshot) (*store.Mended, error) {
	base, err := d.base(ctx, t)
	if err != nil || t.isNew() || t.Base == now.Commit {
		return base, err
	}
	from, err := d.repo.Ancestry().Fork(ctx, t.Base, now.Commit)
	if cut := new(store.CutOffError); errors.As(err, &cut) {
		return base, nil
	}
	if err != nil || from == "" || from == t.Base {
		return base, err
	}
	stored, err := find(ctx, now, t.Plan)
	if err != nil || stored == nil {
		return base, err
	}
	then := t
	then.Base, then.Next = from, ""
	fork, err := d.base(ctx, then)
	if id := stored.Plan.Doc.Text("formerly"); err == nil && base == nil && id != "" { // the id was taken
		then.Plan, then.Base = id, t.Base
		if base, err = d.base(ctx, then); err == nil {
			then.Base = from
			fork, err = d.base(ctx, then)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case fork == nil || base == nil:
		return base, nil
	}
	landed, err := d.landed(ctx, t.Base, from, now.Commit)
	switch {
	case err != nil || landed:
		return base, err
	case base.Plan.Version() != fork.Plan.Version(): // a replan that the store does not have
		return fork, nil
	}
	return d.mixed(fork, base.Plan.Files(), stored.Plan.Files()), nil
}

// landed reports whether the change that a commit made is among those that lead from
// one commit to another.
func (d *Drafts) landed(ctx context.Context, commit, from, to string) (bool, error) {
	change, err := d.repo.ChangeOf(ctx, commit)
	if err != nil || change == "" {
		return false, err
	}
	found, err := d.repo.Ancestry().FindChange(ctx, to, from, change)
	return found != "", err
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

func filesOf(m *store.Mended) map[string][]byte { return planFiles(planOrNone(m)) }

// isNext reports whether a draft of a plan that was finished meanwhile holds the next
// plan: it has another title. Its tasks may have the same ids.
func isNext(drafted, base *plan.Plan) bool {
	return base != nil && !base.Status().Finished() && drafted.Title() != base.Title()
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
