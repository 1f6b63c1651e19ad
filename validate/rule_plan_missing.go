package validate

import "github.com/git-plan/git-plan/plan"

func planMissing() Rule {
	r := reading(plan.RulePlanMissing, "every plan folder has a plan.md", "write plan.md with a `title`")
	r.Check = func(c *Context) {
		if c.Plan.Doc == nil && !c.hasPath("plan.md") {
			c.report("plan.md", top, "write plan.md with a `title` and what the plan is about", "the plan has no plan.md")
		}
	}
	return r
}
