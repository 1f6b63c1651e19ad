package planspec

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// View says how the steps of a plan are drawn.
type View struct {
	// Columns is how wide a line may become before it is broken; 0 breaks none.
	Columns int
	// Note says what else a reader is to know of a step, if it is set; it stands
	// in brackets behind the step's line.
	Note func(*Step) string
}

// Tree draws the steps for a person: a row a step with number, status, badge
// of the type and text, and below it the body where it is not folded away.
// It is fit for a terminal whatever the plan holds.
func Tree(p *Plan) string { return View{}.Tree(p) }

// Tree draws the steps as [Tree] does, in this view. Where no step has a type,
// there is no column for them.
func (v View) Tree(p *Plan) string {
	t := tree{View: v}
	p.Walk(func(s *Step) { t.typed = t.typed || s.Type != "" })
	t.rows(p.Steps, "", true)
	return t.String()
}

type tree struct {
	strings.Builder
	View
	typed bool
}

// badgeWidth is that of the longest badge.
const badgeWidth = len("[SUBTASK]")

// narrowest is how many columns the text of a row has at least, however deep
// it stands.
const narrowest = 24

// rows draws siblings; guide is what stands before the rows of their parent's
// descendants.
func (t *tree) rows(steps []*Step, guide string, top bool) {
	width := 0
	for _, s := range steps {
		width = max(width, len(s.ID))
	}
	for i, s := range steps {
		branch, below := "├─ ", "│  " // equally wide
		switch {
		case top:
			branch, below = "", ""
		case i == len(steps)-1:
			branch, below = "└─ ", "   "
		}
		head := fmt.Sprintf("%-*s  %s  ", width, s.ID, s.Status.Marker())
		if t.typed {
			head += pad(s.Badge(), badgeWidth) + "  "
		}
		indent := guide + below + strings.Repeat(" ", diag.Width(head))
		t.put(guide+branch+head, indent, t.text(s))
		body, children := s.Shows()
		if body {
			for _, line := range s.BodyLines() {
				t.put(indent+"> ", indent+"> ", diag.Printable(line))
			}
		}
		if children {
			t.rows(s.Children, guide+below, false)
		}
	}
}

// put writes a text behind a lead, and what does not fit in lines of its own.
func (t *tree) put(lead, indent, text string) {
	room := 0
	if t.Columns > 0 {
		room = max(narrowest, t.Columns-diag.Width(indent))
	}
	for _, line := range diag.Wrap(text, room) {
		t.WriteString(strings.TrimRight(lead+line, " ") + "\n")
		lead = indent
	}
}

func (t *tree) text(s *Step) string {
	line := diag.Printable(s.Line())
	if t.Note == nil {
		return line
	}
	if note := t.Note(s); note != "" {
		line = strings.TrimLeft(line+"  ("+diag.Printable(note)+")", " ")
	}
	return line
}

// pad fills a text with spaces up to a number of columns.
func pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-diag.Width(s)))
}

// Badge gives the type as a person sees it, such as "[ACT]", and nothing for
// none.
func (s *Step) Badge() string {
	if s.Type == "" {
		return ""
	}
	return "[" + strings.ToUpper(diag.Printable(s.Type)) + "]"
}

// BodyLines gives the lines that stand below a step's line: its inputs, if it has
// any, and its detail.
func (s *Step) BodyLines() []string {
	var lines []string
	if len(s.Inputs) > 0 {
		lines = append(lines, inputArrow+" "+strings.Join(s.Inputs, ", "))
	}
	return append(lines, s.Detail...)
}

// Line gives the text of a step's line as a person reads it, without escapes:
// description, outputs, result and progress.
func (s *Step) Line() string {
	parts := []string{s.Description}
	if len(s.Outputs) > 0 {
		parts = append(parts, outputArrow+" "+strings.Join(s.Outputs, ", "))
	}
	if s.Result != "" {
		parts = append(parts, "| "+s.Result)
	}
	if s.DoneCount != 0 || s.TotalCount != nil {
		parts = append(parts, "| "+progressWord+" "+s.count())
	}
	return strings.TrimLeft(strings.Join(parts, " "), " ")
}

// Counts gives the lines that close the view of a plan: how many steps there
// are of each type, and how many of them are done. Where no step has a type,
// types are left out.
func Counts(p *Plan) string {
	byType := map[string]int{}
	p.Walk(func(s *Step) { byType[s.Type]++ })
	c := p.Progress()
	parts := []string{fmt.Sprintf("Steps: %d", c.Total)}
	other := c.Total
	for _, typ := range Types() {
		other -= byType[typ]
		if c.Total == 0 || byType[""] < c.Total {
			parts = append(parts, fmt.Sprintf("%s: %d", typ, byType[typ]))
		}
	}
	if other > 0 && byType[""] < c.Total {
		parts = append(parts, fmt.Sprintf("other: %d", other))
	}
	return strings.Join(parts, " | ") + "\n" + "Progress: " + c.Share() + "\n"
}

// Share gives how many steps are done, such as "3/17 (17%)".
func (c Progress) Share() string {
	percent := 0
	if c.Total > 0 {
		percent = 100 * c.Done / c.Total
	}
	return fmt.Sprintf("%d/%d (%d%%)", c.Done, c.Total, percent)
}
