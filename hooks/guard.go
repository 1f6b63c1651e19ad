package hooks

import (
	"context"
	"errors"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/store"
)

// guard judges whatever moves the plans branch of this repository, at the last
// moment at which it can be refused. It is the one hook that --no-verify, a
// rebase and a fast-forward do not pass by, and runs for every ref there is:
// so it is for those who ask for it with plan.guardRef. Git does not run it
// where another branch is renamed or copied to this one. Where this one is a
// symbolic ref, it is the branch that it leads to which moves.
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
	judged := ""
	for _, line := range lines {
		if line[2] != home && line[2] != r.Repo.Ref {
			continue
		}
		to, err := r.leadsTo(ctx, line[1])
		if err != nil {
			return err
		}
		if to == "" || to == judged {
			continue
		}
		// The old value that git gives is what the mover expected, if anything.
		old, err := r.Repo.Store.TipOf(ctx, r.Repo.Ref)
		if err != nil && !errors.Is(err, gitstore.ErrNoRef) {
			old = "" // a broken ref is being mended
		}
		got, err := r.Repo.Receive(ctx, store.RefUpdate{Ref: r.Repo.Ref, Old: old, New: to}, store.Server{AllowGateLowering: true})
		if err != nil {
			return err
		}
		if err := newTeller(r).tell(ctx, got); err != nil {
			return err
		}
		if !got.OK() {
			return &Refusal{r.Repo.Branch() + " stays where it is (plan.guardRef): mend what is named, and try again"}
		}
		judged = to
	}
	return nil
}

// leadsTo gives the commit that a ref is to be at by its new value, "" for none.
// Git 2.46 and later tell of one that is to lead to another ref, too.
func (r Run) leadsTo(ctx context.Context, value string) (string, error) {
	ref, symbolic := strings.CutPrefix(value, "ref:")
	if !symbolic {
		return named(value), nil
	}
	tip, err := r.Repo.Store.TipOf(ctx, ref)
	if errors.Is(err, gitstore.ErrNoRef) {
		return "", nil
	}
	return tip, err
}
