package validate

import (
	"path"

	"github.com/git-plan/git-plan/plan"
)

func planMissing() Rule {
	r := reading(plan.RulePlanMissing, "every plan folder has a plan.md", "write plan.md with a `title`")
	r.Check = func(c *Context) {
		if c.Plan.Doc != nil || hasPath(c, "plan.md") {
			return
		}
		hint := "write plan.md with a `title` and what the plan is about"
		if c.Plan.Empty() && !c.Stored {
			hint += ", or drop an additional thread with `git plan remove-thread --thread-id " + path.Base(c.Plan.Prefix) + "`"
		}
		c.report("plan.md", top, hint, "the plan has no plan.md")
	}
	return r
}

// hasPath reports whether reading already said why that file is not there.
func hasPath(c *Context, file string) bool {
	for _, d := range c.Found {
		if d.Path == path.Join(c.Plan.Prefix, file) {
			return true
		}
	}
	return false
}
