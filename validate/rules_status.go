package validate

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func transition(c *Context) {
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

func taskDropped(c *Context) {
	if c.Parent == nil || c.Plan.Doc == nil || c.Plan.Version() > c.Parent.Version() || c.Plan.IsAbandoned() {
		return
	}
	for _, old := range c.Parent.All() {
		if old.ID != "" && c.Plan.Task(old.ID) == nil && c.mustStay(old) {
			c.report("plan.md", top, fixDropped, "task `%s` is %s, and no longer in the plan", old.ID, old.Status)
		}
	}
	if ParseGate(c.Parent.Gates()) == Strict && ParseGate(c.Plan.Gates()) != Strict {
		c.report("plan.md", c.Plan.Doc.Pos("gates"), fixDropped, "`gates` was strict and cannot become base")
	}
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

// evidence judges the move: a task that was done before was judged then,
// and what showed it may be gone since, by a squash say. A look at a plan
// without its past only warns.
func evidence(c *Context) {
	for _, t := range c.tasks() {
		moved := c.justDone(t)
		if !moved && !(c.Scope == Whole && c.Parent == nil && isDone(t)) {
			continue
		}
		why, known := c.unshown(t)
		if why == "" {
			continue
		}
		c.report(t.Doc.Path, t.Doc.Pos("status"), "commit the work with a trailer `Plan-Task: "+c.Plan.ID+"/"+t.ID+"`, or run its check with `git plan alert run`",
			"task `%s` is done, and %s", name(t), why)
		if !moved || !known {
			c.found[len(c.found)-1].Severity = diag.Warning
		}
	}
}

// isDone reports whether the task is done and has something to show. One that
// holds others follows them, and what the decomposition of the goal brought
// forth is the plan itself.
func isDone(t *plan.Task) bool {
	return t.Status == plan.Done && len(t.Children) == 0 && !isDecomposition(t)
}

// justDone reports whether the task is done and was not before. What is done in
// a new plan was done elsewhere.
func (in Input) justDone(t *plan.Task) bool {
	if !isDone(t) || in.Parent == nil || in.isOfSide(t) {
		return false
	}
	old := in.Parent.Task(t.ID)
	return old == nil || old.Status != plan.Done
}

// Unshown gives the tasks that become done and have nothing in their files to
// show for it: those for which it is worth looking for a commit.
func Unshown(in Input) []*plan.Task {
	return slices.DeleteFunc(slices.Clone(in.Plan.All()), func(t *plan.Task) bool {
		if !t.Doc.Readable || !in.justDone(t) {
			return true
		}
		why, known := in.unshown(t)
		return why == "" || !known
	})
}

// unshown says why nothing shows that the task is done, "" if something does.
// It is not known for sure where a commit cannot be looked at.
func (in Input) unshown(t *plan.Task) (why string, known bool) {
	if _, ok := in.Shown[t.ID]; ok {
		return "", true
	}
	why, known = "nothing shows it", true
	for _, e := range t.Evidence() {
		text, answer := in.shows(e, t)
		switch {
		case answer == Yes:
			return "", true
		case answer == Unknown:
			why, known = text, false
		case known:
			why = text
		}
	}
	return why, known
}

// shows tells whether an entry shows that the task is done, and why it does not.
func (in Input) shows(e plan.Evidence, t *plan.Task) (why string, answer Existence) {
	switch {
	case e.Passed(t):
		return "", Yes
	case e.Signal != "":
		return fmt.Sprintf("its check `%s` passed only before it began", e.Signal), No
	}
	if answer = in.names(e.Commit, t); answer == Unknown {
		return fmt.Sprintf("commit %.12s, which is to show it, is not here to look at", e.Commit), Unknown
	}
	return fmt.Sprintf("commit %.12s does not name it", e.Commit), answer
}

func (in Input) names(commit string, t *plan.Task) Existence {
	if in.Names == nil {
		return Unknown
	}
	return in.Names(commit, in.Plan.ID+"/"+t.ID)
}
