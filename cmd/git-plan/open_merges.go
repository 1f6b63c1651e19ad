package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/merge"
)

// warnOfMerges tells of threads that hold an open merge: of all, or of one. Who writes
// another plan into such a folder makes it part of the merge.
func (w *workspace) warnOfMerges(d *draft.Drafts, thread string) {
	open, err := d.Unsettled()
	if err != nil {
		return // which is told by who reads the drafts
	}
	for _, u := range open {
		if thread == "" || u.Thread.ID == thread {
			w.warn("%s; %s", mergeIn(u), settleBy(u))
		}
	}
}

// mergeIn says what is undecided in a thread, and what of it stands there.
func mergeIn(u draft.Unsettled) string {
	text := fmt.Sprintf("%s holds plan %s with an open merge", u.Folder, u.Thread.Plan)
	if len(u.Standing) == 0 {
		return text
	}
	const shown = 5
	var parts []string
	for _, g := range []struct {
		side merge.Side
		what string
	}{{merge.Theirs, "stands what is published"}, {merge.Ours, "is kept what is here"}, {merge.Neither, "is to be mended"}} {
		var standing []string
		for _, c := range u.Standing[:min(shown, len(u.Standing))] {
			if c.Holds == g.side {
				standing = append(standing, c.String())
			}
		}
		if len(standing) > 0 {
			parts = append(parts, g.what+": "+strings.Join(standing, "; "))
		}
	}
	if more := len(u.Standing) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return text + ", in which " + strings.Join(parts, "; and ")
}

// settleBy says how a merge is made.
func settleBy(u draft.Unsettled) string {
	var sync []string
	for _, side := range settlingSides(u) {
		sync = append(sync, fmt.Sprintf("`git plan sync --%[1]s %[2]s` takes %[1]s", side, u.Thread.Plan))
	}
	taken := strings.Join(sync, ", ")
	switch {
	case len(u.Standing) == 0:
		return "`git plan commit` makes it"
	case stands(u, merge.Neither):
		return "mend that in the folder and `git plan commit`, or " + taken
	case !stands(u, merge.Theirs):
		return "`git plan commit` keeps it, " + taken + ", or edit the folder first"
	}
	return "`git plan commit` takes it so, " + taken + ", or edit the folder first"
}

// mendMerge says in short what makes a merge.
func mendMerge(u draft.Unsettled) string {
	ways := []string{"git plan commit"}
	if stands(u, merge.Neither) {
		ways[0] = "edit " + u.Folder + ", then git plan commit"
	}
	for _, side := range settlingSides(u) {
		ways = append(ways, fmt.Sprintf("git plan sync --%s %s", side, u.Thread.Plan))
	}
	return strings.Join(ways, ", or ")
}

// settlingSides gives the sides by which sync makes of the merge something else than
// stands in the thread.
func settlingSides(u draft.Unsettled) (sides []merge.Side) {
	mend := stands(u, merge.Neither)
	if mend || stands(u, merge.Theirs) {
		sides = append(sides, merge.Ours)
	}
	if mend || stands(u, merge.Ours) {
		sides = append(sides, merge.Theirs)
	}
	return sides
}

// stands reports whether a thread has a conflict in the way of a side.
func stands(u draft.Unsettled, side merge.Side) bool {
	return slices.ContainsFunc(u.Standing, func(c merge.Conflict) bool { return c.Holds == side })
}
