package main

import (
	"context"

	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// model looks at how models are asked, and whether one is missing where the
// store wants verdicts. No model is asked. Nobody writes plans in a bare
// repository, mostly, so none is missed there.
func (d *doctor) model(ctx context.Context, gates validate.Gates) {
	m, ok, err := d.app.model(ctx)
	switch {
	case err != nil:
		d.fault(diag.Error, "model", "git config plan.llm.timeout 120", "%v", err)
	case ok:
		d.ok("model", "asked by %q, within %s", m.Command, m.Timeout)
	case gates.Judge == validate.Required && !d.app.repo.Bare:
		d.fault(diag.Warning, "model", "git config "+modelCommand+" <command>", "the store wants plans to be judged, and no model is set up here to do so")
	}
}
