package validate

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
)

func transition() Rule {
	r := reading("transition", "a settled task stays as it is until it is reopened as pending, and none is done while its blocker is open",
		"set it to pending first, clear the blocker, or leave it")
	r.Check = func(c *Context) {
		if c.Parent == nil || c.Scope == Range {
			return // a task may be reopened, and a blocker cleared, on the way
		}
		for _, t := range c.tasks() {
			old := c.Parent.Task(t.ID)
			if old == nil || len(t.Children) > 0 || c.isOfSide(t) {
				continue // the status of a container follows its children
			}
			if len(old.Children) == 0 && old.Settled() && old.Status != t.Status && t.Status != plan.Pending {
				c.report(t.Doc.Path, t.Doc.Pos("status"), "reopen it as pending first, or leave it", "`%s` was %s and cannot become %s", t.ID, old.Status, t.Status)
			}
			if s := c.stopped(t, old); s != nil {
				c.report(t.Doc.Path, t.Doc.Pos("status"), "clear it first, `git plan alert clear "+s.ID+"`, or leave the task", "`%s` cannot be done while the blocker `%s` is open", t.ID, s.ID)
			}
		}
	}
	return r
}

// isOfSide reports whether a merge has a task as it became on another side.
func (in Input) isOfSide(t *plan.Task) bool {
	return slices.ContainsFunc(in.Sides, func(p *plan.Plan) bool {
		had := p.Task(t.ID)
		return had != nil && had.Status == t.Status
	})
}

// stopped gives a blocker under which a task was finished: one that was open
// before, and still is. What is found out about a task that is done may stop
// what comes next.
func (c *Context) stopped(t, old *plan.Task) *plan.Signal {
	if t.Status != plan.Done || old.Status == plan.Done {
		return nil
	}
	open, before := c.Plan.Blockers(t), c.Parent.Blockers(old)
	for _, s := range open {
		if slices.ContainsFunc(before, func(b *plan.Signal) bool { return b.ID == s.ID }) {
			return s
		}
	}
	return nil
}
