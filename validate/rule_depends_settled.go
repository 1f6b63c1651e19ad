package validate

import (
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func dependsSettled() Rule {
	return Rule{ID: "depends-settled", Base: diag.Warning, Strict: diag.Warning, Class: PerTask,
		Doc: "a task does not rely on one that was skipped or cancelled", Fix: "check that it can still be done, and drop the dependency",
		Check: func(c *Context) {
			for _, t := range c.trial() {
				for _, e := range c.Plan.Graph().Written(t) {
					if s := e.To.Status; s == plan.Skipped || s == plan.Cancelled {
						c.report(t.Doc.Path, t.Doc.ItemPos("depends_on", e.Item), "check that the task can still be done, and drop the dependency",
							"`%s` depends on `%s`, which was %s", name(t), e.To.ID, s)
					}
				}
			}
		}}
}
