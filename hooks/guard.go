package hooks

import (
	"context"
	"errors"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/planrepo"
)

// guard judges whatever moves the plans branch of this repository, at the last
// moment at which it can be refused. It is the one hook that --no-verify, a
// rebase and a fast-forward do not pass by, and runs for every ref there is:
// so it is for those who ask for it with plan.guardRef. Git does not run it
// where another branch is renamed to this one. Where this one is a symbolic ref,
// it is the branch that it leads to which moves.
func (r Run) guard(ctx context.Context) error {
	if len(r.Args) == 0 || r.Args[0] != "prepared" {
		return nil
	}
	wanted, err := r.Repo.Config.Bool("plan.guardRef", false)
	if err != nil || !wanted {
		return err
	}
	lines, err := r.lines(3)
	if err != nil {
		return err
	}
	home, err := r.Repo.RefEnd(ctx, r.Repo.Ref)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if line[2] != home || named(line[1]) == "" {
			continue
		}
		// The old value that git gives is what the mover expected, if anything.
		old, err := r.Repo.Store.TipOf(ctx, r.Repo.Ref)
		if err != nil && !errors.Is(err, gitstore.ErrNoRef) {
			old = "" // a broken ref is being mended
		}
		got, err := r.Repo.Receive(ctx, planrepo.RefUpdate{Ref: r.Repo.Ref, Old: old, New: line[1]}, planrepo.Policy{AllowGateLowering: true})
		if err != nil {
			return err
		}
		if err := newTeller(r).tell(ctx, got); err != nil {
			return err
		}
		if !got.OK() {
			return &Refusal{r.Repo.Branch() + " stays where it is (plan.guardRef): mend what is named, and try again"}
		}
	}
	return nil
}
