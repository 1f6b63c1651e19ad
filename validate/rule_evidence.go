package validate

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// RuleEvidence is the id of the rule that needs [Input.Names] and
// [Input.Shown].
const RuleEvidence = "evidence"

func evidence() Rule {
	return Rule{
		ID: RuleEvidence, Doc: "a task becomes done only with something to show for it: a commit of the code that names the task in a trailer `Plan-Task: <plan>/<task>`, or a check that passed since it began",
		Fix: "name the task in the commit of the work, or run its check with `git plan alert run`", Check: checkEvidence,
	}
}

// checkEvidence judges the move: a task that was done before was judged then,
// and what showed it may be gone since, by a squash say. A look at a plan
// without its past only warns.
func checkEvidence(c *Context) {
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
