package diff

import (
	"io"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// Text writes the differences for a terminal: what changed in a line, then
// plan by plan and task by task. Words that went stand in [-…-], words that
// came in {+…+}; with color they are told apart by that alone.
func Text(w io.Writer, r *Result, color bool) error {
	p := painter{color: color}
	p.line(say(plain, -1, "%s (%s to %s)", r.Summary(), short(r.From), short(r.To)))
	v := newView()
	for i := range r.Plans {
		plan := &r.Plans[i]
		p.b.WriteString("\n")
		p.line(heading(plan))
		p.lines(v.plan(plan))
		for _, t := range shown(plan) {
			p.lines(v.task(plan, t))
		}
		p.lines(last(plan))
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// short cuts the name of a commit.
func short(name string) string {
	if len(name) >= 40 && strings.Trim(name, "0123456789abcdef") == "" {
		return name[:10]
	}
	return name
}

// painter writes lines for a terminal. Whatever comes out of a plan passes
// through [diag.Printable].
type painter struct {
	b     strings.Builder
	color bool
}

func (p *painter) lines(all []line) {
	for _, l := range all {
		p.line(l)
	}
}

func (p *painter) line(l line) {
	start := painter{color: p.color}
	start.parts(l)
	p.b.WriteString(strings.TrimRight(start.b.String(), " ") + "\n")
}

func (p *painter) parts(l line) {
	if l.depth >= 0 {
		p.b.WriteString(strings.Repeat("  ", l.depth))
		p.paint(markColor(l.mark), string(l.mark))
		p.b.WriteString(" ")
	}
	bare := l.mark == plus || l.mark == minus // the mark says it
	for _, s := range l.spans {
		p.span(s, bare)
	}
}

func (p *painter) span(s Span, bare bool) {
	text := diag.Printable(s.Text)
	open, shut, color := "", "", ""
	switch s.Op {
	case Deleted:
		open, shut, color = "[-", "-]", red
	case Inserted:
		open, shut, color = "{+", "+}", green
	}
	if bare || p.color {
		open, shut = "", ""
	}
	p.paint(color, open+text+shut)
}

// Sequences that set the colour of what follows.
const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	reset  = "\x1b[m"
)

func markColor(mark rune) string {
	switch mark {
	case plus:
		return green
	case minus:
		return red
	case edited:
		return yellow
	case shifted:
		return cyan
	}
	return ""
}

func (p *painter) paint(color, text string) {
	if p.color && color != "" && text != "" {
		text = color + text + reset
	}
	p.b.WriteString(text)
}
