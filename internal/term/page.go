package term

import (
	"io"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// Page is lines for a terminal.
type Page struct {
	// Columns is how wide the terminal is; 0 breaks and cuts no line.
	Columns int
	Palette Palette

	b strings.Builder
}

// Line adds a line as it is.
func (p *Page) Line(parts ...Text) { p.Palette.write(&p.b, Join(parts...)) }

// Cut adds a line, or as much of it as fits.
func (p *Page) Cut(parts ...Text) { p.Line(Join(parts...).Cut(p.Columns)) }

// narrowest is how many columns are left to a text, however much stands before
// it.
const narrowest = 24

// Hang adds a text behind a lead, and what does not fit on lines of its own that
// begin below it, behind indent.
func (p *Page) Hang(lead, indent, text Text) {
	room := 0
	if p.Columns > 0 {
		room = max(narrowest, p.Columns-indent.Width())
	}
	for _, line := range text.Wrap(room) {
		p.Line(lead, line)
		lead = indent
	}
}

// Behind is Hang with lines that begin where the first one does.
func (p *Page) Behind(lead, text Text) {
	p.Hang(lead, Say(Plain, strings.Repeat(" ", lead.Width())), text)
}

// measure is how wide a line of prose may become: longer ones are hard to read,
// however wide the terminal is.
const measure = 100

// Block adds text of several lines, each behind a number of spaces and, if it
// is too long, on several lines that begin below it. What such a line says goes
// on in those after it, if they are of one paragraph.
func (p *Page) Block(spaces int, slot Slot, text string) {
	wide := p.Columns
	if wide > 0 {
		p.Columns = min(wide, measure)
	}
	text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "\t", "    ")
	for _, line := range reflow(strings.Split(text, "\n"), p.Columns-spaces) {
		own := line[:len(line)-len(strings.TrimLeft(line, " "))]
		p.Behind(Say(Plain, strings.Repeat(" ", spaces)+own), Say(slot, line[len(own):]))
	}
	p.Columns = wide
}

// Hint adds advice below a line, indented.
func (p *Page) Hint(text string) {
	if p.Columns > 0 {
		p.Behind(Join(Say(Plain, "        "), Say(Hint, "hint: ")), Say(Plain, text))
		return
	}
	p.b.WriteByte('\t')
	p.Line(Say(Hint, "hint: "), Say(Plain, text))
}

// Add adds what stands on another page.
func (p *Page) Add(other *Page) { p.b.WriteString(other.String()) }

// Space adds an empty line.
func (p *Page) Space() { p.b.WriteByte('\n') }

// String gives the page.
func (p *Page) String() string { return p.b.String() }

// To writes what is on the page, which is empty again then.
func (p *Page) To(w io.Writer) error {
	_, err := io.WriteString(w, p.b.String())
	p.b.Reset()
	return err
}

// StatusSlot is the slot of a task's status, or of a plan's.
func StatusSlot(status string) Slot {
	switch status {
	case "in_progress":
		return Active
	case "blocked", "replanning":
		return Blocked
	case "failed":
		return Failed
	case "done", "complete":
		return Done
	case "skipped", "cancelled", "abandoned", "archived":
		return Skipped
	}
	return Plain
}

// SeveritySlot is the slot of a finding's severity.
func SeveritySlot(s diag.Severity) Slot {
	if s == diag.Error {
		return Error
	}
	return Warning
}
