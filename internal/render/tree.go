package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// badgeWidth is that of the longest badge.
const badgeWidth = len("[SUBTASK]")

// tree draws the steps: a row a step with number, status, badge of the type and
// text, and below it the body where it is not folded away. Where no step has a
// type, there is no column for them.
func (s *Sheet) tree(page *term.Page) {
	typed := slices.ContainsFunc(s.all(), func(step *form.Item) bool { return step.Get("kind") != "" })
	s.rows(page, s.Steps, "", typed)
}

// rows draws siblings; guide is what stands before the rows of what is below their
// parent.
func (s *Sheet) rows(page *term.Page, steps []*form.Item, guide string, typed bool) {
	width := 0
	for _, step := range steps {
		width = max(width, len(step.Number))
	}
	for i, step := range steps {
		branch, below := "├─ ", "│  " // equally wide
		switch {
		case form.Above(step.Number) == "":
			branch, below = "", ""
		case i == len(steps)-1:
			branch, below = "└─ ", "   "
		}
		head := term.Join(term.Sayf(term.Dim, "%-*s", width+2, step.Number), term.Say(s.slot(step), planspec.StatusOf(step).Marker), term.Say(term.Plain, "  "))
		if typed {
			head = term.Join(head, term.Say(term.Dim, badge(step)).Pad(badgeWidth+2))
		}
		indent := term.Say(term.Dim, guide+below+strings.Repeat(" ", head.Width()))
		page.Hang(term.Join(term.Say(term.Dim, guide+branch), head), indent, s.rowText(step))
		body, children := s.Folds.Shows(step)
		if body {
			quote := term.Join(indent, term.Say(term.Dim, "> "))
			for _, line := range stepBody(step) {
				page.Hang(quote, quote, term.Say(term.Plain, line))
			}
		}
		if children {
			s.rows(page, step.Children, guide+below, typed)
		}
	}
}

// rowText gives the text of a row: the step's line, and the note on it in brackets.
func (s *Sheet) rowText(step *form.Item) term.Text {
	line, note := term.Say(term.Plain, stepLine(step)), s.noteText(step)
	if note.Width() == 0 {
		return line
	}
	open := "  ("
	if line.Width() == 0 {
		open = "("
	}
	return term.Join(line, term.Say(term.Dim, open), note, term.Say(term.Dim, ")"))
}

// badge gives a step's type as a person sees it, such as "[ACT]", and nothing for
// none.
func badge(step *form.Item) string {
	kind := step.Get("kind")
	if kind == "" {
		return ""
	}
	return "[" + strings.ToUpper(diag.Printable(kind)) + "]"
}

// stepBody gives the lines below a step's line: its inputs, if it has any, and its
// detail.
func stepBody(step *form.Item) []string {
	var lines []string
	if inputs := step.List("inputs"); len(inputs) > 0 {
		lines = append(lines, "← "+strings.Join(inputs, ", "))
	}
	return append(lines, planspec.Detail(step)...)
}

// stepLine gives the text of a step's line as a person reads it, without escapes:
// description, outputs, result and progress.
func stepLine(step *form.Item) string {
	parts := []string{step.Title()}
	if outputs := step.List("outputs"); len(outputs) > 0 {
		parts = append(parts, "→ "+strings.Join(outputs, ", "))
	}
	if result := step.Get("result"); result != "" {
		parts = append(parts, "| "+result)
	}
	if progress := step.Get("progress"); progress != "" {
		parts = append(parts, "| Progress: "+progress)
	}
	return strings.TrimLeft(strings.Join(parts, " "), " ")
}

// counts gives the lines that close the view of a plan: how many steps there are of
// each type, and how many of them are done. Where no step has a type, types are left
// out.
func (s *Sheet) counts() []string {
	byType, total := map[string]int{}, 0
	for _, step := range s.all() {
		byType[step.Get("kind")]++
		total++
	}
	parts := []string{fmt.Sprintf("Steps: %d", total)}
	other := total
	for _, typ := range planspec.Types() {
		other -= byType[typ]
		if total == 0 || byType[""] < total {
			parts = append(parts, fmt.Sprintf("%s: %d", typ, byType[typ]))
		}
	}
	if other > 0 && byType[""] < total {
		parts = append(parts, fmt.Sprintf("other: %d", other))
	}
	return []string{strings.Join(parts, " | "), "Progress: " + s.progress()}
}

// progress gives how many steps are done, such as "3/17 (17%)".
func (s *Sheet) progress() string {
	all, done := s.all(), 0
	for _, step := range all {
		if step.Get("status") == string(plan.Done) {
			done++
		}
	}
	return share(done, len(all))
}

func share(done, total int) string {
	percent := 0
	if total > 0 {
		percent = 100 * done / total
	}
	return fmt.Sprintf("%d/%d (%d%%)", done, total, percent)
}
