package validate

import "github.com/git-plan/git-plan/plan"

func filename() Rule {
	r := reading(plan.RuleFilename, "task files are named NN-slug.md, and plan folders in kebab-case and not `archive`", "rename it")
	r.Check = func(c *Context) {
		if id := c.Plan.ID; c.Stored && (!plan.IsKebab(id) || id == "archive") {
			c.report("plan.md", top, "rename the plan's folder", "`%s` cannot name a plan: ids are kebab-case and `archive` is taken", id)
		}
		if n := len(c.Plan.ID); n > plan.MaxName {
			c.report("plan.md", top, "give the plan a shorter id", "the plan's id is %d bytes long, over the limit of %d", n, plan.MaxName)
		}
	}
	return r
}
