package draft

import (
	"context"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Drafted is a thread that holds a stored plan with changes that are not on
// the store.
type Drafted struct {
	Thread Thread
	// Folder is the thread's folder as a person standing here would write it.
	Folder string
	// Base is the stored plan that the thread began from, nil where it is gone;
	// with what the store has since taken in that was proposed from it.
	Base *plan.Plan
	// Plan is the plan in the folder, nil where the folder was cleared so that
	// the next commit removes the plan.
	Plan *plan.Plan
	// Found are the findings of reading the folder.
	Found []diag.Diagnostic
}

// Drafted gives the thread in which a stored plan was edited, or nil.
func (d *Drafts) Drafted(ctx context.Context, id string) (*Drafted, error) {
	s, err := d.State()
	if err != nil {
		return nil, err
	}
	for _, t := range s.ordered() {
		if t.Plan != id {
			continue
		}
		base, err := d.basePlan(ctx, *t)
		if err != nil {
			return nil, err
		}
		p, found, err := d.read(*t, id)
		if err != nil {
			return nil, err
		}
		out := &Drafted{Thread: *t, Folder: d.prefix(t.Dir), Base: base, Plan: p, Found: found}
		switch {
		case !p.Empty() && (base == nil || !sameFiles(base.Files(), p.Files())):
			out.Base, err = d.baseNow(ctx, *t, base, p)
			return out, err
		case p.Empty() && t.Cleared && base != nil:
			out.Plan = nil
			return out, nil
		}
	}
	return nil, nil
}
