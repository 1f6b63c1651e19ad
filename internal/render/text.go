package render

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// mark is the one-character sign of a task's status.
func mark(s plan.Status) string {
	switch s {
	case plan.Done:
		return "x"
	case plan.InProgress:
		return ">"
	case plan.Blocked, plan.Failed:
		return "!"
	case plan.Skipped, plan.Cancelled:
		return "~"
	}
	return " "
}

// Show prints a plan for a person: what it is, how far it has come, and its
// tasks as a tree with what each waits for.
func Show(w io.Writer, p *plan.Plan) error {
	var b strings.Builder
	c := p.Progress()
	fmt.Fprintf(&b, "%s: %s\n", p.ID, diag.Printable(p.Title()))
	fmt.Fprintf(&b, "status: %s, version %d\n", p.Status(), p.Version())
	if p.Goal() != p.Title() {
		fmt.Fprintf(&b, "goal: %s\n", diag.Printable(p.Goal()))
	}
	list(&b, "constraint", p.Doc.List("constraints"))
	if text := body(p.Doc); text != "" {
		fmt.Fprintf(&b, "\n%s\n", indent(diag.PrintableText(text), "    "))
	}
	if len(p.Tasks) > 0 {
		b.WriteString("\n")
		tree(&b, p)
	}
	for i, s := range p.Signals {
		if i == 0 {
			b.WriteString("\n")
		}
		on := "the plan"
		if s.Task != "" {
			on = s.Task
		}
		first, _, _ := strings.Cut(s.Message(), "\n")
		fmt.Fprintf(&b, "signal: %s (%s) on %s: %s\n", s.ID, s.Level, diag.Printable(on), diag.Printable(first))
	}
	if text := strings.TrimSpace(p.Doc.Text("final_summary")); text != "" {
		fmt.Fprintf(&b, "\nsummary: %s\n", diag.PrintableText(text))
	}
	fmt.Fprintf(&b, "\nProgress: %d/%d (%d%%)\n", c.Done, c.Total, percent(c.Done, c.Total))
	return write(w, b.String())
}

// write prints text with whatever a terminal might obey made visible: what
// comes out of a plan is harmless wherever it came from.
func write(w io.Writer, text string) error {
	_, err := io.WriteString(w, diag.PrintableText(text))
	return err
}

func list(b *strings.Builder, name string, items []string) {
	for _, it := range items {
		fmt.Fprintf(b, "%s: %s\n", name, diag.Printable(it))
	}
}

func percent(n, of int) int {
	if of == 0 {
		return 0
	}
	return n * 100 / of
}

// tree prints one line a task, columns aligned.
func tree(b *strings.Builder, p *plan.Plan) {
	number, id := 0, 0
	for _, t := range p.All() {
		number, id = max(number, len(t.Number())), max(id, len(t.ID)+2*depth(t))
	}
	ready := map[*plan.Task]bool{}
	for _, t := range p.Ready() {
		ready[t] = true
	}
	for _, t := range p.All() {
		name := strings.Repeat("  ", depth(t)) + t.ID
		line := fmt.Sprintf("[%s] %-*s  %-*s  %s", mark(t.Status), number, t.Number(), id, diag.Printable(name), diag.Printable(t.Title()))
		if note := note(p, t, ready[t]); note != "" {
			line += "  (" + note + ")"
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func depth(t *plan.Task) int {
	n := 0
	for a := t.Parent; a != nil; a = a.Parent {
		n++
	}
	return n
}

// note says what a reader wants to know of a task beside its mark.
func note(p *plan.Plan, t *plan.Task, ready bool) string {
	var parts []string
	if t.Kind != "" {
		parts = append(parts, t.Kind)
	}
	switch {
	case ready:
		parts = append(parts, "ready")
	case t.Status == plan.Pending && len(t.Children) == 0:
		var needs []string
		for _, u := range p.WaitsFor(t) {
			needs = append(needs, u.ID)
		}
		if len(needs) > 0 {
			parts = append(parts, "needs "+words.Few(needs, 5))
		}
	case t.Status == plan.Blocked || t.Status == plan.Failed || t.Status == plan.Cancelled:
		parts = append(parts, string(t.Status))
	}
	if who := t.Doc.Text("executed_by"); who != "" && t.Status == plan.InProgress {
		parts = append(parts, diag.Printable(who))
	}
	return strings.Join(parts, "; ")
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
