package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan/diag"
)

// Text writes the sheet for a terminal of that many columns, or without
// breaking lines for 0: heading, status, goal and constraints, the tree of
// steps, and how many there are.
func (s *Sheet) Text(w io.Writer, columns int) error {
	t := sheetText{columns: columns}
	t.line("", "═══ "+s.Heading+" ═══")
	t.b.WriteString("\n")
	t.head(s)
	if s.Body != "" {
		t.section(indent(diag.PrintableText(s.Body), "    "))
	}
	t.section("Progress: " + s.Steps.Progress().Share())
	if len(s.Steps.Steps) > 0 {
		t.section(strings.TrimSuffix(planspec.View{Columns: columns, Note: s.note}.Tree(s.Steps), "\n"))
	}
	t.foot(s)
	t.b.WriteString("\n───\n" + planspec.Counts(s.Steps))
	return write(w, t.b.String())
}

type sheetText struct {
	b       strings.Builder
	columns int
}

// line writes a text behind a lead, and what does not fit on lines of its own.
func (t *sheetText) line(lead, text string) {
	room := 0
	if t.columns > 0 {
		room = max(20, t.columns-diag.Width(lead))
	}
	for _, line := range diag.Wrap(diag.Printable(text), room) {
		t.b.WriteString(strings.TrimRight(lead+line, " ") + "\n")
		lead = strings.Repeat(" ", diag.Width(lead))
	}
}

// section writes lines after an empty one.
func (t *sheetText) section(text string) {
	t.b.WriteString("\n" + strings.TrimRight(text, "\n") + "\n")
}

func (t *sheetText) head(s *Sheet) {
	if s.Status != "" {
		t.line("", "Status: "+s.Status)
	}
	if s.Goal != "" {
		t.line("Goal: ", s.Goal)
	}
	for _, line := range s.GoalDetail {
		t.line("  > ", line)
	}
	if len(s.Constraints) > 0 {
		t.section("Constraints:")
	}
	for _, text := range s.Constraints {
		t.line("  - ", text)
	}
}

func (t *sheetText) foot(s *Sheet) {
	for i, text := range s.Signals {
		if i == 0 {
			t.b.WriteString("\n")
		}
		t.line("signal: ", text)
	}
	if s.Summary != "" {
		t.section(fmt.Sprintf("summary: %s", diag.PrintableText(s.Summary)))
	}
}
