package validate

import "github.com/git-plan/git-plan/plan"

func limits() Rule {
	r := reading(plan.RuleLimits, "frontmatter stays under 64 KiB, 256 keys and depth 16, a file under 256 KiB, a plan under 4 MiB and 10,000 files, with at most 99 tasks a folder, 16 folders deep and 200 bytes a name", "split it")
	r.Check = func(c *Context) {
		count := map[string]int{}
		for _, t := range c.Plan.All() {
			if count[t.Dir]++; count[t.Dir] == plan.MaxSiblings+1 {
				c.report(t.Doc.Path, top, "group tasks under a container", "more than %d tasks in one folder", plan.MaxSiblings)
			}
		}
	}
	return r
}
