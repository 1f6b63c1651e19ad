package main

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/draft"
)

// warnOfMerges tells of threads that hold an open merge: of all, or of one. Who writes
// another plan into such a folder makes it part of the merge.
func (a *app) warnOfMerges(d *draft.Drafts, thread string) {
	open, err := d.Unsettled()
	if err != nil {
		return // which is told by who reads the drafts
	}
	for _, u := range open {
		if thread == "" || u.Thread.ID == thread {
			a.warn("%s; %s", mergeIn(u), settleBy(u))
		}
	}
}

// mergeIn says what is undecided in a thread.
func mergeIn(u draft.Unsettled) string {
	text := fmt.Sprintf("%s holds plan %s with an open merge", u.Folder, u.Thread.Plan)
	if len(u.Standing) == 0 {
		return text
	}
	const shown = 5
	var standing []string
	for _, c := range u.Standing[:min(shown, len(u.Standing))] {
		standing = append(standing, c.String())
	}
	if more := len(u.Standing) - shown; more > 0 {
		standing = append(standing, fmt.Sprintf("and %d more", more))
	}
	return text + ", in which stands what is published: " + strings.Join(standing, "; ")
}

// settleBy says how a merge is made.
func settleBy(u draft.Unsettled) string {
	if len(u.Standing) == 0 {
		return "`git plan commit` makes it"
	}
	return fmt.Sprintf("`git plan commit` takes it so, `git plan sync --ours %s` takes ours, or edit the folder first", u.Thread.Plan)
}
