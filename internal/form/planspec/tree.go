package planspec

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan/diag"
)

// View says what is told of the steps that are drawn beside what they say.
type View struct {
	// Note says what else a reader is to know of a step, if it is set; it stands
	// in brackets behind the step's line.
	Note func(*Step) term.Text
	// Slot says how a step stands, if it is set; else its status does.
	Slot func(*Step) term.Slot
}

// Draw draws the steps for a person: a row a step with number, status, badge of
// the type and text, and below it the body where it is not folded away. Where no
// step has a type, there is no column for them. It is fit for a terminal
// whatever the plan holds.
func (v View) Draw(page *term.Page, p *Plan) {
	t := tree{View: v, page: page}
	p.Walk(func(s *Step) { t.typed = t.typed || s.Type != "" })
	t.rows(p.Steps, "", true)
}

type tree struct {
	View
	page  *term.Page
	typed bool
}

// badgeWidth is that of the longest badge.
const badgeWidth = len("[SUBTASK]")

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
		head := term.Join(term.Sayf(term.Dim, "%-*s", width+2, s.ID), term.Say(t.slot(s), s.Status.Marker()), term.Say(term.Plain, "  "))
		if t.typed {
			head = term.Join(head, term.Say(term.Dim, s.Badge()).Pad(badgeWidth+2))
		}
		indent := term.Say(term.Dim, guide+below+strings.Repeat(" ", head.Width()))
		t.page.Hang(term.Join(term.Say(term.Dim, guide+branch), head), indent, t.text(s))
		body, children := s.Shows()
		if body {
			quote := term.Join(indent, term.Say(term.Dim, "> "))
			for _, line := range s.BodyLines() {
				t.page.Hang(quote, quote, term.Say(term.Plain, line))
			}
		}
		if children {
			t.rows(s.Children, guide+below, false)
		}
	}
}

func (t *tree) slot(s *Step) term.Slot {
	if t.Slot != nil {
		return t.Slot(s)
	}
	return StatusSlot(s.Status)
}

// StatusSlot is the slot of a step's status.
func StatusSlot(s Status) term.Slot {
	return map[Status]term.Slot{Active: term.Active, Done: term.Done, Blocked: term.Blocked, Skipped: term.Skipped}[s]
}

func (t *tree) text(s *Step) term.Text {
	line := term.Say(term.Plain, s.Line())
	if t.Note == nil {
		return line
	}
	if note := t.Note(s); note.Width() > 0 {
		open := "  ("
		if line.Width() == 0 {
			open = "("
		}
		line = term.Join(line, term.Say(term.Dim, open), note, term.Say(term.Dim, ")"))
	}
	return line
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
