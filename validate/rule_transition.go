package validate

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
)

func transition() Rule {
	r := reading("transition", "a settled task stays as it is until it is reopened as pending, and none is done while its blocker is open",
		"set it to pending first, clear the blocker, or leave it")
	r.Check = func(c *Context) {
		for _, t := range c.tasks() {
			if from, bad := illegal(c.Parents, t); bad {
				c.report(t.Doc.Path, t.Doc.Pos("status"), "reopen it as pending first, or leave it", "`%s` was %s and cannot become %s", t.ID, from, t.Status)
			}
			if s := c.stopped(t); s != nil {
				c.report(t.Doc.Path, t.Doc.Pos("status"), "clear it first, `git plan alert clear "+s.ID+"`, or leave the task", "`%s` cannot be done while the blocker `%s` is open", t.ID, s.ID)
			}
		}
	}
	return r
}

// illegal tells whether no parent allows the task's status. A container's
// status follows its children, so it is not judged; neither is a task that a
// parent does not have.
func illegal(parents []*plan.Plan, t *plan.Task) (from plan.Status, bad bool) {
	for _, p := range parents {
		old := p.Task(t.ID)
		if old == nil || !old.Status.Settled() || old.Status == t.Status || t.Status == plan.Pending ||
			len(t.Children)+len(old.Children) > 0 {
			return "", false
		}
		from, bad = old.Status, true
	}
	return from, bad
}

// stopped gives a blocker under which a task was finished: one that was open
// before, whichever parent is asked, and still is. What is found out about a task
// that is done may stop what comes next.
func (c *Context) stopped(t *plan.Task) *plan.Signal {
	if t.Status != plan.Done || len(t.Children) > 0 || len(c.Parents) == 0 {
		return nil
	}
	open := c.Plan.Blockers(t)
	var found *plan.Signal
	for _, p := range c.Parents {
		old := p.Task(t.ID)
		if len(open) == 0 || old == nil || old.Status == plan.Done {
			return nil
		}
		before := map[string]bool{}
		for _, b := range p.Blockers(old) {
			before[b.ID] = true
		}
		i := slices.IndexFunc(open, func(s *plan.Signal) bool { return before[s.ID] })
		if i < 0 {
			return nil
		}
		found = open[i]
	}
	return found
}
