package store

import (
	"context"
	"errors"

	"github.com/git-plan/git-plan/plan/diag"
)

// Findings tells what the gate would say of writes on top of this state of the
// store, all of it: for who has more to say against them and wants to say
// everything at once. Nothing is written.
func (s *Snapshot) Findings(ctx context.Context, writes ...Write) ([]diag.Diagnostic, error) {
	c := &commitment{repo: s.repo, snapshot: s, proposal: Proposal{Writes: writes}}
	err := c.judge(ctx)
	var refused *RejectedError
	if errors.As(err, &refused) {
		return refused.Findings, nil
	}
	return c.findings, err
}
