package render

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Show prints a plan for a terminal, lines unbroken; see [Sheet.Text].
func Show(w io.Writer, p *plan.Plan) error { return NewSheet(p).Text(w, 0) }

// write prints text with whatever a terminal might obey made visible: what
// comes out of a plan is harmless wherever it came from.
func write(w io.Writer, text string) error {
	_, err := io.WriteString(w, diag.PrintableText(text))
	return err
}

func indent(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(by)
		}
		b.WriteString(line)
	}
	return b.String()
}

// TaskCard prints one task in full, for whoever is about to work on it or
// wants to know what came of it.
func TaskCard(w io.Writer, t *plan.Task) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n", t.Number(), t.ID, diag.Printable(t.Title()))
	fmt.Fprintf(&b, "status: %s\n", t.Status)
	scalars(&b, t.Doc, "type", "kind", "priority", "agent", "estimate", "progress", "executed_by", "started_at", "completed_at", "lease_until")
	lists(&b, t.Doc, "depends_on", "context_hints", "relevant_file_paths", "creates", "inputs", "outputs", "subtasks", "acceptance_criteria")
	fmt.Fprintf(&b, "\n%s\n", diag.PrintableText(body(t.Doc)))
	var record strings.Builder
	scalars(&record, t.Doc, "result", "error")
	lists(&record, t.Doc, "affected_files", "notes", "evidence")
	if record.Len() > 0 {
		b.WriteString("\n" + record.String())
	}
	return write(w, b.String())
}

func scalars(b *strings.Builder, d *plan.Document, keys ...string) {
	for _, key := range keys {
		s := strings.TrimSpace(d.Text(key))
		switch {
		case s == "":
		case strings.Contains(s, "\n"):
			fmt.Fprintf(b, "%s:\n%s\n", key, indent(diag.PrintableText(s), "  "))
		default:
			fmt.Fprintf(b, "%s: %s\n", key, diag.Printable(s))
		}
	}
}

func lists(b *strings.Builder, d *plan.Document, keys ...string) {
	for _, key := range keys {
		items := d.List(key)
		if len(items) > 0 {
			fmt.Fprintf(b, "%s:\n", key)
		}
		for _, it := range items {
			fmt.Fprintf(b, "  - %s\n", diag.Printable(it))
		}
	}
}

// List prints one line a plan: id, status, a bar of what is done, how many
// tasks are ready, age and title.
func List(w io.Writer, rows []Summary, now time.Time) error {
	id, status := 0, 0
	for _, r := range rows {
		id, status = max(id, len(r.ID)), max(status, len(r.Status))
	}
	var b strings.Builder
	for _, r := range rows {
		name := string(r.Status)
		if r.Archived {
			name = "archived"
		}
		age := "-"
		if !r.Updated.IsZero() {
			age = ageText(now.Sub(r.Updated))
		}
		line := fmt.Sprintf("%-*s  %-*s  %s %3d/%-3d  %2d ready  %4s  %s", id, r.ID, max(status, 8), name,
			bar(r.Progress.Done, r.Progress.Total), r.Progress.Done, r.Progress.Total, r.Ready, age, diag.Printable(r.Title))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return write(w, b.String())
}

func bar(n, of int) string {
	const width = 10
	full := 0
	if of > 0 {
		full = n * width / of
	}
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "]"
}

// ageText writes a duration in its largest unit, such as 5m, 3h or 12d.
func ageText(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	case d < 10000*time.Hour:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	}
	return fmt.Sprintf("%dy", int(d.Hours()/24/365))
}
