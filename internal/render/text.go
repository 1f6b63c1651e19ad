package render

import (
	"io"
	"strings"

	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
)

// TaskCard prints one task in full, for whoever is about to work on it or
// wants to know what came of it.
func TaskCard(w io.Writer, t *plan.Task, page *term.Page) error {
	page.Behind(nil, term.Sayf(term.Title, "%s %s: %s", t.Number(), t.ID, t.Title()))
	page.Line(term.Say(term.Plain, "status: "), term.Say(term.StatusSlot(string(t.Status)), string(t.Status)))
	scalars(page, t.Doc, "type", "kind", "priority", "agent", "estimate", "progress", "executed_by", "started_at", "completed_at", "lease_until")
	lists(page, t.Doc, "depends_on", "context_hints", "relevant_file_paths", "creates", "inputs", "outputs", "subtasks", "acceptance_criteria")
	page.Space()
	page.Block(0, term.Plain, t.Doc.Prose())
	record := term.Page{Columns: page.Columns, Palette: page.Palette}
	scalars(&record, t.Doc, "result", "error")
	lists(&record, t.Doc, "affected_files", "notes", "evidence")
	if text := record.String(); text != "" {
		page.Space()
		page.Add(&record)
	}
	return page.To(w)
}

func scalars(page *term.Page, d *plan.Document, keys ...string) {
	for _, key := range keys {
		s := strings.TrimSpace(d.Text(key))
		slot := term.Plain
		if key == "error" {
			slot = term.Failed
		}
		switch {
		case s == "":
		case strings.Contains(s, "\n"):
			page.Line(term.Say(term.Plain, key+":"))
			page.Block(2, slot, s)
		default:
			page.Behind(term.Say(term.Plain, key+": "), term.Say(slot, s))
		}
	}
}

func lists(page *term.Page, d *plan.Document, keys ...string) {
	for _, key := range keys {
		items := d.List(key)
		if len(items) > 0 {
			page.Line(term.Say(term.Plain, key+":"))
		}
		for _, it := range items {
			page.Behind(term.Say(term.Plain, "  - "), term.Say(term.Plain, it))
		}
	}
}
