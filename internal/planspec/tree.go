package planspec

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Tree draws the steps for a person: a row a step with number, status, badge
// of the type and text, and below it the body where it is not folded away. It
// is text of a plan and may hold anything; see diag.PrintableText.
func Tree(p *Plan) string {
	var t tree
	t.rows(p.Steps, "", true)
	return t.String()
}

type tree struct{ strings.Builder }

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
		body, children := s.shows()
		row := fmt.Sprintf("%-*s  %s  %-*s  ", width, s.ID, s.Status.Marker(), badgeWidth, s.badge())
		t.WriteString(strings.TrimRight(guide+branch+row+s.line(), " ") + "\n")
		if body {
			t.body(s, guide+below+strings.Repeat(" ", utf8.RuneCountInString(row)))
		}
		if children {
			t.rows(s.Children, guide+below, false)
		}
	}
}

func (t *tree) body(s *Step, indent string) {
	var lines []string
	if len(s.Inputs) > 0 {
		lines = append(lines, inputArrow+" "+strings.Join(s.Inputs, ", "))
	}
	for _, line := range append(lines, s.Detail...) {
		t.WriteString(strings.TrimRight(indent+"> "+line, " ") + "\n")
	}
}

// badge gives the type as a person sees it, nothing for none.
func (s *Step) badge() string {
	if s.Type == "" {
		return ""
	}
	return "[" + strings.ToUpper(s.Type) + "]"
}

// line gives the text of a step's line as a person reads it, without escapes.
func (s *Step) line() string {
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
// are of each type, and how many of them are done.
func Counts(p *Plan) string {
	byType := map[string]int{}
	p.Walk(func(s *Step) { byType[s.Type]++ })
	c := p.Progress()
	parts := []string{fmt.Sprintf("Steps: %d", c.Total)}
	for _, typ := range Types() {
		parts = append(parts, fmt.Sprintf("%s: %d", typ, byType[typ]))
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
