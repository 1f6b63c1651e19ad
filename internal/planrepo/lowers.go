package planrepo

import (
	"context"
	"strings"

	"github.com/git-plan/git-plan/validate"
)

// Lowers says in what a commit asks for less than gates, or "". One that went
// on from an older gate is to be merged with what raised it since: it lowers
// only what it found.
func (r *Repo) Lowers(ctx context.Context, gates validate.Gates, v Verdict) (string, error) {
	if v.Gates == nil {
		return "", nil
	}
	lowered := v.Gates.Lowered(gates)
	for _, parent := range v.Parents {
		if len(lowered) == 0 {
			break
		}
		found, _, err := r.GatesAt(ctx, parent)
		if err != nil || len(v.Gates.Lowered(found)) == 0 {
			return "", err
		}
	}
	return strings.Join(lowered, ", "), nil
}
