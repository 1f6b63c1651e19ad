package store

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// Message is what a person or agent says about a commit. What the commit does
// is told by trailers, which are made from its content.
type Message struct {
	// Subject takes the place of the one made from what happened.
	Subject string
	// Body holds paragraphs: reasons, discoveries.
	Body []string
	// Agent is who acted.
	Agent string
	// Check is the check that passed, if one did.
	Check *Check
	// Change is the identity of the change, which every replay keeps; empty for a
	// random one.
	Change string
	// Changes are the identities of several changes that became one.
	Changes []string
}

// Check is a check of the code that passed. No file of a plan tells of it: it
// is in the message of its commit alone.
type Check struct {
	// Signal names the check; Task is the task whose work it shows, or empty.
	Signal, Task string
	// Code is the commit that was checked out, or empty; Tree is the tree of the
	// files as they were, or empty where that could not be told.
	Code, Tree string
}

// Outcome is what a commit did to one plan.
type Outcome struct {
	ID string
	// Event is the leading one of Occurrences; both are empty where nothing but
	// leases was renewed.
	Event       plan.Event
	Occurrences []plan.Occurrence
	Version     int
	Tasks       int
	Replaces    string // the revision that a replan replaces
	Judged      string // what the judge said: "approved", "rejected", or nothing
	Removed     bool
	Before      *plan.Plan // nil for a new plan
	After       *plan.Plan // as stored; nil for a removed one
}

// NewChange gives a random identity for a change.
func NewChange() string { return strings.ToLower(rand.Text()[:16]) }

// message writes a commit message: a subject, the body, and trailers that
// native git parses, a block a plan.
func message(m Message, outcomes []Outcome) string {
	var ids []string
	for _, o := range outcomes {
		ids = append(ids, o.ID)
	}
	subject, rest, _ := strings.Cut(strings.TrimSpace(m.Subject), "\n")
	if subject == "" {
		subject = what(outcomes)
	}
	var b strings.Builder
	if len(ids) > 0 {
		b.WriteString(strings.Join(ids, ", ") + ": ")
	}
	b.WriteString(oneLine(subject) + "\n")
	for _, paragraph := range append([]string{rest}, m.Body...) {
		if text := bodyText(paragraph); text != "" {
			b.WriteString("\n" + text + "\n")
		}
	}
	b.WriteString("\n")
	for _, o := range outcomes {
		o.trailers(&b)
		if m.Check != nil && o.has(plan.CheckPassed) {
			m.Check.trailers(&b)
		}
	}
	if agent := oneLine(m.Agent); agent != "" {
		fmt.Fprintf(&b, trailerAgent+": %s\n", agent)
	}
	changes := m.Changes
	if len(changes) == 0 {
		changes = []string{cmp.Or(oneLine(m.Change), NewChange())}
	}
	for _, id := range changes {
		fmt.Fprintf(&b, trailerChange+": %s\n", id)
	}
	return b.String()
}

func (o Outcome) trailers(b *strings.Builder) {
	fmt.Fprintf(b, trailerPlan+": %s\n", o.ID)
	last := plan.Event("")
	for _, c := range o.Occurrences {
		if c.Event != last {
			last = c.Event
			fmt.Fprintf(b, trailerEvent+": %s\n", c.Event)
		}
		if c.Task != "" {
			fmt.Fprintf(b, TrailerTask+": %s/%s\n", o.ID, c.Task)
		}
	}
	if !o.Removed {
		fmt.Fprintf(b, trailerVersion+": %d\n", o.Version)
	}
	if o.Replaces != "" {
		fmt.Fprintf(b, trailerReplaces+": %s\n", o.Replaces)
	}
	if o.Judged != "" {
		fmt.Fprintf(b, trailerJudge+": %s\n", o.Judged)
	}
}

// bodyText keeps a paragraph from being read as the message's trailers or,
// by a later edit, as a comment.
func bodyText(s string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(s)) {
		line = strings.TrimRight(line, " \t\r\n")
		if strings.HasPrefix(line, "Plan") && strings.Contains(line, ":") || strings.HasPrefix(line, "#") {
			line = " " + line
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// what says in a few words what the commit does.
func what(outcomes []Outcome) string {
	if len(outcomes) != 1 {
		return fmt.Sprintf("%s plans", verb(commonEvent(outcomes)))
	}
	o := outcomes[0]
	var tasks []string
	for _, c := range o.Occurrences {
		if c.Event == o.Event && c.Task != "" && c.Signal == "" {
			tasks = append(tasks, c.Task)
		}
		if c.Event == o.Event && c.Signal != "" {
			tasks = append(tasks, c.Signal)
		}
	}
	switch {
	case o.Event == "":
		return renewal(o.Renewed())
	case len(tasks) == 1 && o.Occurrences[0].Event == plan.Released && o.Event == plan.Started:
		return takeover(o.Before.Task(tasks[0]))
	case len(tasks) > 3:
		return fmt.Sprintf("%s %d tasks", verb(o.Event), len(tasks))
	case len(tasks) > 0:
		return verb(o.Event) + " " + strings.Join(tasks, ", ")
	case o.Event == plan.Created && o.After != nil:
		return fmt.Sprintf("create the plan, %s", words.Count(o.Tasks, "task"))
	case o.Event == plan.Replanned:
		return fmt.Sprintf("replan to version %d", o.Version)
	}
	return verb(o.Event) + " the plan"
}

func renewal(tasks []*plan.Task) string {
	if len(tasks) == 1 {
		return "renew the lease of " + tasks[0].ID
	}
	return fmt.Sprintf("renew the leases of %d tasks", len(tasks))
}

func takeover(t *plan.Task) string {
	what := "take over " + t.ID
	if c, _ := t.Claim(); c.Agent != "" {
		what += " from " + c.Agent
	}
	return what
}

func commonEvent(outcomes []Outcome) plan.Event {
	for _, o := range outcomes {
		if o.Event != outcomes[0].Event || o.Event == "" {
			return plan.Revised
		}
	}
	return outcomes[0].Event
}

func verb(e plan.Event) string {
	verbs := map[plan.Event]string{
		plan.Created: "create", plan.Revised: "revise", plan.Replanned: "replan", plan.Started: "start",
		plan.Completed: "complete", plan.TaskFailed: "fail", plan.TaskSkipped: "skip", plan.TaskBlocked: "block",
		plan.Released: "release", plan.Reopened: "reopen", plan.TaskCancelled: "cancel",
		plan.SignalOpened: "open signal", plan.SignalCleared: "clear signal", plan.CheckPassed: "check",
		plan.Archived: "archive", plan.Restored: "restore", plan.GivenUp: "abandon", plan.Merged: "merge", plan.Removed: "remove",
	}
	return verbs[e]
}
