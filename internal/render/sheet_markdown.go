package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-plan/git-plan/internal/diff"
	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
)

// Markdown writes the sheet for a forge or a chat: a nested list of tasks with
// boxes. No text of the plan becomes markup, a mention or a link there.
func (s *Sheet) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", diff.Inline(s.Heading))
	for _, part := range [][2]string{{"Status", s.Status}, {"Goal", s.Goal}} {
		if part[1] != "" {
			fmt.Fprintf(&b, "\n**%s:** %s\n", part[0], diff.Inline(part[1]))
		}
	}
	markdownQuote(&b, "", s.GoalDetail)
	if len(s.Constraints) > 0 {
		b.WriteString("\n**Constraints:**\n\n")
	}
	for _, text := range s.Constraints {
		fmt.Fprintf(&b, "- %s\n", diff.Inline(text))
	}
	if s.Body != "" {
		markdownQuote(&b, "", strings.Split(s.Body, "\n"))
	}
	fmt.Fprintf(&b, "\n**Progress:** %s\n\n", s.progress())
	s.markdownSteps(&b, s.Steps, "")
	for i, text := range s.Signals {
		if i == 0 {
			b.WriteString("\n**Open signals:**\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", diff.Inline(text))
	}
	if s.Summary != "" {
		b.WriteString("\n**Summary:**\n")
		markdownQuote(&b, "", strings.Split(s.Summary, "\n"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownQuote writes lines as a quotation, each on a line of its own.
func markdownQuote(b *strings.Builder, indent string, lines []string) {
	for i, line := range lines {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(strings.TrimRight(indent+"> "+markdownLine(line), " "))
		if i < len(lines)-1 && line != "" {
			b.WriteString(`<br>`)
		}
		b.WriteString("\n")
	}
}

// markdownLine keeps the white space that a line begins with.
func markdownLine(line string) string {
	text := strings.TrimLeft(line, " ")
	return strings.Repeat("&nbsp;", len(line)-len(text)) + diff.Inline(text)
}

func (s *Sheet) markdownSteps(b *strings.Builder, steps []*form.Item, indent string) {
	for _, step := range steps {
		box, status := "[ ]", planspec.StatusOf(step)
		if status.Task.Settled() {
			box = "[x]"
		}
		line := fmt.Sprintf("%s- %s **%s**", indent, box, diff.Inline(step.Number))
		if kind := step.Get("kind"); kind != "" {
			line += " <code>" + diff.Inline(kind) + "</code>"
		}
		if status.Task != plan.Pending && status.Task != plan.Done {
			line += " **" + status.Word + "**"
		}
		line += " " + diff.Inline(stepLine(step))
		if note := s.note(step); note != "" {
			line += " <i>(" + diff.Inline(note) + ")</i>"
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
		body, children := s.Folds.Shows(step)
		if lines := stepBody(step); body && len(lines) > 0 {
			markdownQuote(b, indent+"  ", lines)
			b.WriteString("\n")
		}
		if children {
			s.markdownSteps(b, step.Children, indent+"  ")
		}
	}
}
