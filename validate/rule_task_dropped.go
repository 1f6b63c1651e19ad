package validate

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// RuleTaskDropped is the id of the rule that keeps what a version promised.
const RuleTaskDropped = "task-dropped"

func taskDropped() Rule {
	const fix = "put it back, or make a new version with `git plan replan`"
	r := reading(RuleTaskDropped, "within one version, tasks that are settled or in progress stay, unless their container is emptied to be planned again, and `gates: strict` does not become `base`", fix)
	r.Check = func(c *Context) {
		if c.Parent == nil || c.Plan.Doc == nil || c.Plan.Version() > c.Parent.Version() || c.Plan.IsAbandoned() {
			return
		}
		for _, old := range c.Parent.All() {
			if old.ID != "" && c.Plan.Task(old.ID) == nil && c.mustStay(old) {
				c.report("plan.md", top, fix, "task `%s` is %s, and no longer in the plan", old.ID, old.Status)
			}
		}
		if ParseGate(c.Parent.Gates()) == Strict && ParseGate(c.Plan.Gates()) != Strict {
			c.report("plan.md", c.Plan.Doc.Pos("gates"), fix, "`gates` was strict and cannot become base")
		}
	}
	return r
}

// mustStay reports whether a task may not be dropped. A task that was in
// progress before several commits may have been released in one of them.
func (c *Context) mustStay(old *plan.Task) bool {
	if len(old.Children) > 0 {
		return false // its children are looked at
	}
	for up := old.Parent; up != nil; up = up.Parent {
		if c.beginsAgain(up) {
			return false
		}
	}
	return old.Settled() || old.Status == plan.InProgress && c.Scope != Range
}

// beginsAgain reports whether a container was emptied and is pending, for its work to be
// planned again. After several commits that work may have begun.
func (c *Context) beginsAgain(old *plan.Task) bool {
	now := c.Plan.Task(old.ID)
	return now != nil && (now.Status == plan.Pending || c.Scope == Range) && !slices.ContainsFunc(old.Children, func(t *plan.Task) bool {
		return c.Plan.Task(t.ID) != nil
	})
}
