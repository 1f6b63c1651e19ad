package draft

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// A merge may give a plan another id, and then the one it had is somebody else's. A
// process that is killed between the two leaves threads that name the wrong plan, see
// [Follow]. Who made a plan, and when, tells that.

// madeBy tells who made a plan and when, "" where the plan does not say both.
func madeBy(p *plan.Plan) string {
	if p == nil || p.Doc == nil || p.Doc.Text("created_at") == "" || p.Doc.Text("created_by") == "" {
		return ""
	}
	return p.Doc.Text("created_at") + " " + p.Doc.Text("created_by")
}

// another reports whether a stored plan is not the one that a thread began from, but
// one that has its id since.
func another(base, now *plan.Plan) bool {
	was, is := madeBy(base), madeBy(now)
	return was != "" && is != "" && was != is && !merge.SameMade(base, now)
}

// anotherError refuses to bring a thread together with a plan that is not its own.
func anotherError(id string) error {
	return &store.ConflictError{Plan: id, Details: []string{"another plan has that id since"}, Hint: fmt.Sprintf(
		"keep a copy of your edits, look with `git plan list` which id yours has, and bring them in there; `git plan checkout --force %s` takes the other one", id)}
}

// followAlone lets threads whose id is that of another plan by now hold their own, if
// there is just one in the store that was made by whom theirs was, and when.
func (d *Drafts) followAlone(ctx context.Context, s *State, now *store.Snapshot) (moved bool, err error) {
	for i := range s.Threads {
		t := &s.Threads[i]
		if t.Plan == "" || t.Base == "" || t.Base == now.Commit || t.Merging != "" || t.Filling != nil {
			continue
		}
		id, err := d.ownID(ctx, *t, now)
		if err != nil {
			return false, err
		}
		if id == "" || s.holder(id) != nil {
			continue
		}
		if t.ID == s.Current && s.Plan == t.Plan {
			s.Plan = id
		}
		t.rename(map[string]string{t.Plan: id})
		moved = true
	}
	return moved, nil
}

// ownID gives the id that a thread's plan has now, "" where it has the one it had or
// that cannot be told.
func (d *Drafts) ownID(ctx context.Context, t Thread, now *store.Snapshot) (string, error) {
	base, err := d.basePlan(ctx, t)
	if err != nil {
		return "", nil // which is told where it is needed
	}
	stored, err := loadPlan(ctx, now, t.Plan)
	if err != nil || !another(base, planOrNone(stored)) {
		return "", err
	}
	then, err := d.repo.At(ctx, t.Base)
	if err != nil {
		return "", err
	}
	own, there := "", then.IDs()
	for _, id := range now.IDs() {
		if slices.Contains(there, id) {
			continue // made beside it, in one second, and no new id of it
		}
		p, err := now.Load(ctx, id)
		if err != nil {
			return "", err
		}
		if madeBy(p.Plan) == madeBy(base) {
			if own != "" {
				return "", nil
			}
			own = id
		}
	}
	return own, nil
}
