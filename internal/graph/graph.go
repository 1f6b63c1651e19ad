// Package graph draws what waits for what in a plan: [ASCII] for a terminal,
// [SVG] as a picture, [Mermaid] and [Dot] for programs that make pictures. It
// does no I/O but to write the drawing. The text of plans is made harmless for each.
package graph

import (
	"cmp"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// look is how a status is shown: by a character in a terminal, by a sign before
// a label, so that it reads without colour, and by a class of style.
type look struct{ mark, sign, class string }

func lookOf(s plan.Status) look {
	switch s {
	case plan.Done:
		return look{"x", "✓ ", "done"}
	case plan.InProgress:
		return look{">", "▶ ", "active"}
	case plan.Blocked:
		return look{"!", "‖ ", "blocked"}
	case plan.Failed:
		return look{"!", "✗ ", "failed"}
	case plan.Skipped, plan.Cancelled:
		return look{"~", "~ ", "skipped"}
	}
	return look{" ", "", "plain"}
}

// Mark is the sign of a task's status, as in a tree of tasks.
func Mark(s plan.Status) string { return lookOf(s).mark }

// label is what a node of Mermaid or Graphviz says.
func label(t *plan.Task) string { return lookOf(t.Status).sign + Label(t, taskName(t), 60) }

// Label is what a node says of a task that goes by that name: number, name and
// title on one line of at most that many columns, fit for a terminal.
func Label(t *plan.Task, name string, columns int) string {
	text := t.Number() + " " + name
	if title := t.Title(); says(t, title) {
		text += ": " + title
	}
	return diag.Cut(diag.Printable(text), columns)
}

func taskName(t *plan.Task) string { return cmp.Or(t.ID, t.Doc.Path) }

// says reports whether a title says more than the id.
func says(t *plan.Task, title string) bool {
	return title != "" && !strings.EqualFold(strings.ReplaceAll(t.ID, "-", " "), strings.ReplaceAll(title, "-", " "))
}
