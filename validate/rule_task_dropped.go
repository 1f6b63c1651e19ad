package validate

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// RuleTaskDropped is the id of the rule that keeps what a version promised.
const RuleTaskDropped = "task-dropped"

func taskDropped() Rule {
	const fix = "put it back, or make a new version with `git plan replan`"
	r := reading(RuleTaskDropped, "within one version, tasks that are settled or in progress stay, unless all tasks of a container are replaced, and `gates: strict` does not become `base`", fix)
	r.Check = func(c *Context) {
		if c.Parent == nil || c.Plan.Doc == nil || c.Plan.Version() > c.Parent.Version() {
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
	if len(old.Children) > 0 || c.isReplaced(old.Parent) {
		return false // the children of a container are looked at
	}
	return old.Settled() || old.Status == plan.InProgress && c.Scope != Range
}

// isReplaced reports whether nothing of what was below a container is there any
// more, nor below one that it is in, and it is open: that part of the plan was planned
// again.
func (c *Context) isReplaced(container *plan.Task) bool {
	for ; container != nil; container = container.Parent {
		now := c.Plan.Task(container.ID)
		if now != nil && !now.Settled() && !c.keepsSome(container.Children) {
			return true
		}
	}
	return false
}

func (c *Context) keepsSome(tasks []*plan.Task) bool {
	return slices.ContainsFunc(tasks, func(t *plan.Task) bool { return c.Plan.Task(t.ID) != nil || c.keepsSome(t.Children) })
}
