package hooks

import (
	"context"

	"github.com/git-plan/git-plan/internal/planrepo"
)

// preReceive judges a push on the server, before any of it lands. Refs that do
// not hold plans pass unseen.
func (r Run) preReceive(ctx context.Context) error {
	lines, err := r.lines(3)
	if err != nil {
		return err
	}
	policy, err := r.Repo.Policy()
	if err != nil {
		return err
	}
	refused, t := false, newTeller(r)
	for _, line := range lines {
		u := planrepo.RefUpdate{Old: named(line[0]), New: named(line[1]), Ref: line[2]}
		if !r.Repo.Governs(u.Ref) {
			continue
		}
		got, err := r.Repo.Receive(ctx, u, policy)
		if err != nil {
			return err
		}
		if err := t.tell(ctx, got); err != nil {
			return err
		}
		refused = refused || !got.OK()
	}
	if refused {
		return &Refusal{"the push is refused as a whole: mend what is named, and push again"}
	}
	return nil
}
