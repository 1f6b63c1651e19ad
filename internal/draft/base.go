package draft

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// bases finds what drafts were filled from: the stored plans that edits in a folder are
// compared and merged with. It reads the store, and the folder where that was filled in
// part.
type bases struct {
	repo    *store.Repo
	folders folders
}

// of reads the stored plan that a draft was last filled from, nil for a new plan and
// for one that was not there.
func (b bases) of(ctx context.Context, t Draft) (*store.Mended, error) {
	if t.isNew() {
		return nil, nil
	}
	s, err := b.repo.At(ctx, t.Base)
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
	return b.filled(ctx, t, found)
}

// filled gives the base of a folder that was filled in part: of the files that hold
// what they were to hold, that is what they were filled from. The folder of a plan
// that was finished was to be emptied.
func (b bases) filled(ctx context.Context, t Draft, base *store.Mended) (*store.Mended, error) {
	if t.Next == "" || base == nil {
		return base, nil
	}
	then := t
	then.Base, then.Next = t.Next, ""
	next, err := b.of(ctx, then)
	if err != nil {
		return base, nil // the commit is gone
	}
	p, _, err := b.folders.read(t)
	if err != nil {
		return nil, err
	}
	have := p.Files()
	if next != nil {
		base = b.mixed(base, next.Plan.Files(), have)
	}
	if next == nil || next.Plan.Status().Finished() {
		base = b.mixed(base, nil, have)
	}
	return base, nil
}

// mixed gives a base with other files in the place of its own where those are what
// the given files hold.
func (b bases) mixed(base *store.Mended, others, have map[string][]byte) *store.Mended {
	files := base.Plan.Files()
	for _, name := range union(files, others) {
		switch now := look(others, name); {
		case look(have, name) != now:
		case now.there:
			files[name] = others[name]
		default:
			delete(files, name)
		}
	}
	list := make([]plan.File, 0, len(files))
	for _, name := range names(files) {
		list = append(list, plan.File{Path: name, Data: files[name]})
	}
	stored := *base.Stored
	stored.Plan, _ = b.repo.ReadPlan(base.ID, "", list)
	mixed := *base
	mixed.Stored = &stored
	return &mixed
}

// union gives the names in either set, in order.
func union(a, b map[string][]byte) []string {
	all := append(names(a), names(b)...)
	slices.Sort(all)
	return slices.Compact(all)
}

// plan is the plan of the base, without what came past the gate.
func (b bases) plan(ctx context.Context, t Draft) (*plan.Plan, error) {
	m, err := b.of(ctx, t)
	return planOrNone(m), err
}

// forMerge is the base for a merge with the plan as a commit has it. A base that is not in
// that commit's history was proposed, or replayed: then it is the commit from where the
// two went on, but for what the store has taken in.
func (b bases) forMerge(ctx context.Context, t Draft, now *store.Snapshot) (*store.Mended, error) {
	base, err := b.of(ctx, t)
	if err != nil || t.isNew() || t.Base == now.Commit {
		return base, err
	}
	from, err := b.repo.Ancestry().Fork(ctx, t.Base, now.Commit)
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
	fork, err := b.of(ctx, then)
	if id := stored.Plan.Doc.Text("formerly"); err == nil && base == nil && id != "" { // the id was taken
		then.Plan, then.Base = id, t.Base
		if base, err = b.of(ctx, then); err == nil {
			then.Base = from
			fork, err = b.of(ctx, then)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case fork == nil || base == nil:
		return base, nil
	}
	landed, err := b.landed(ctx, t.Base, from, now.Commit)
	switch {
	case err != nil || landed:
		return base, err
	case base.Plan.Version() != fork.Plan.Version(): // a replan that the store does not have
		return fork, nil
	}
	return b.mixed(fork, base.Plan.Files(), stored.Plan.Files()), nil
}

// landed reports whether the change that a commit made is among those that lead from
// one commit to another.
func (b bases) landed(ctx context.Context, commit, from, to string) (bool, error) {
	change, err := b.repo.ChangeOf(ctx, commit)
	if err != nil || change == "" {
		return false, err
	}
	found, err := b.repo.Ancestry().FindChange(ctx, to, from, change)
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
