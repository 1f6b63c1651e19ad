package validate

import "github.com/git-plan/git-plan/plan"

func transition() Rule {
	r := reading("transition", "a settled task stays as it is until it is reopened as pending", "set it to pending first, or leave it")
	r.Check = func(c *Context) {
		for _, t := range c.tasks() {
			if from, bad := illegal(c.Parents, t); bad {
				c.report(t.Doc.Path, t.Doc.Pos("status"), "reopen it as pending first, or leave it", "`%s` was %s and cannot become %s", t.ID, from, t.Status)
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
