package planrepo

import (
	"context"
	"errors"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// GatesAt reads the gates.yaml of a commit.
func (r *Repo) GatesAt(ctx context.Context, commit string) (validate.Gates, []diag.Diagnostic, error) {
	e, ok, err := r.Store.Lookup(ctx, commit, GatesFile)
	if err != nil || !ok {
		return validate.DefaultGates(), nil, err
	}
	return r.gatesOf(ctx, e)
}

// gatesOf reads the gates.yaml that an entry is.
func (r *Repo) gatesOf(ctx context.Context, e gitstore.Entry) (validate.Gates, []diag.Diagnostic, error) {
	if fileMode(e.Mode) != plan.Regular {
		return validate.DefaultGates(), []diag.Diagnostic{{
			Path: GatesFile, Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: validate.RuleGateConfig,
			Message: "it is no regular file",
		}}, nil
	}
	data, err := r.Store.Blob(ctx, e.Object, plan.MaxFile)
	var large *gitstore.TooLargeError
	if err != nil && !errors.As(err, &large) {
		return validate.Gates{}, nil, err
	}
	if large != nil {
		data = make([]byte, plan.MaxFile+1) // over the limit, which is what there is to say
	}
	gates, found := validate.ParseGates(GatesFile, data)
	return gates, found, nil
}

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
