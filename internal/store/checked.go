package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

func (c *Check) trailers(b *strings.Builder) {
	if c.Code != "" {
		fmt.Fprintf(b, trailerCode+": %s\n", c.Code)
	}
	if c.Tree != "" {
		fmt.Fprintf(b, trailerTree+": %s\n", c.Tree)
	}
}

func (o Outcome) has(e plan.Event) bool {
	return slices.ContainsFunc(o.Occurrences, func(c plan.Occurrence) bool { return c.Event == e })
}

// isRecord reports whether the change is one that a check may make: a signal
// opened or cleared, or a note of no other event.
func (o Outcome) isRecord() bool {
	return o.Before != nil && o.After != nil && !plan.DefinitionChanged(o.Before, o.After)
}

// passed adds a check that passed, if one did, to what comparing the content
// told. What that tells as nothing else than a revision is the note of the check.
func (o *Outcome) passed(c *Check) {
	if c == nil {
		return
	}
	o.Occurrences = slices.DeleteFunc(o.Occurrences, func(c plan.Occurrence) bool { return c.Event == plan.Revised })
	o.Occurrences = append(o.Occurrences, plan.Occurrence{Event: plan.CheckPassed, Task: c.Task, Signal: c.Signal})
	o.Event = plan.Leading(o.Occurrences)
}

// checkIn reads the check that passed out of a message, nil where there is none
// for that plan. What it names must look like what git plan writes; whether the
// check was ever run nobody can tell from a message.
func checkIn(message, id string) *Check {
	if !strings.Contains(message, trailerEvent+": "+string(plan.CheckPassed)) {
		return nil
	}
	var c *Check
	ours, event := false, ""
	for key, value := range trailers(message) {
		switch key {
		case trailerPlan:
			ours, event = value == id, ""
		case trailerEvent:
			if event = value; ours && event == string(plan.CheckPassed) {
				c = &Check{}
			}
		case TrailerTask:
			if task, ok := strings.CutPrefix(value, id+"/"); c != nil && ours && event == string(plan.CheckPassed) && ok {
				c.Task = task
			}
		case trailerCode:
			if c != nil && ours && IsObjectName(value) {
				c.Code = value
			}
		case trailerTree:
			if c != nil && ours && IsObjectName(value) {
				c.Tree = value
			}
		}
	}
	return c
}

// IsObjectName reports whether s has the form of a whole object name.
func IsObjectName(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}
