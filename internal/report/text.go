package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
)

// writeText prints the findings the way compilers do, those of a commit below a
// line that names it, and a last line that counts.
func writeText(w io.Writer, r Report, o Options) error {
	page := term.Page{Palette: o.Palette, Columns: o.Columns}
	for _, g := range r.Groups {
		if g.Commit != "" && len(g.Findings) > 0 {
			page.Line(term.Say(term.Plain, "commit "), term.Say(term.Commit, shortName(g.Commit)), term.Say(term.Plain, " "+g.Subject))
		}
		sources := lines{source: g.Source}
		for _, d := range g.Findings {
			var line *string
			if o.Carets && g.Source != nil {
				line = sources.at(d)
			}
			writeFinding(&page, d, line)
		}
	}
	errors, warnings := r.Count()
	last := fmt.Sprintf("%s, %s in %s", words.Count(errors, "error"), words.Count(warnings, "warning"), words.Count(r.Plans(), "plan"))
	if n := r.Commits(); n > 0 {
		last += fmt.Sprintf(" of %s", words.Count(n, "commit"))
	}
	slot := term.Done
	switch {
	case errors > 0:
		slot = term.Error
	case warnings > 0:
		slot = term.Warning
	}
	page.Line(term.Say(slot, last))
	return page.To(w)
}

// WriteFindings prints findings the way compilers do, by way of a page for w.
func WriteFindings(w io.Writer, ds []diag.Diagnostic, page *term.Page) error {
	for _, d := range ds {
		writeFinding(page, d, nil)
	}
	return page.To(w)
}

// findingIndent is before what of a finding does not fit on its first line.
const findingIndent = "    "

// writeFinding prints a finding in a line, the line that it is about, if that is
// given, and its hint.
func writeFinding(page *term.Page, d diag.Diagnostic, line *string) {
	place, indent := term.Sayf(term.Title, "%s:%s: ", d.Path, d.Pos), term.Say(term.Plain, findingIndent)
	says := term.Join(term.Sayf(term.SeveritySlot(d.Severity), "%s: ", d.Severity), term.Say(term.Plain, d.Message), term.Sayf(term.Dim, " [%s]", d.Rule))
	if page.Columns > 0 && indent.Width()+place.Width() > page.Columns {
		page.Line(place) // whole, since people and terminals open files by it
		page.Hang(indent, indent, says)
	} else {
		page.Hang(nil, indent, term.Join(place, says))
	}
	if line != nil {
		writeCaret(page, *line, d)
	}
	if d.Hint != "" {
		page.Hint(d.Hint)
	}
}

// lines finds the lines of findings; a file's text is asked for once in a row.
type lines struct {
	source func(string) (string, bool)
	path   string
	text   []string
}

// at gives the line that a finding is about, or nil.
func (l *lines) at(d diag.Diagnostic) *string {
	if l.path != d.Path || l.text == nil {
		l.path, l.text = d.Path, []string{}
		if text, ok := l.source(d.Path); ok {
			text = strings.TrimPrefix(text, "\uFEFF")
			l.text = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
		}
	}
	if !d.Pos.IsValid() || d.Pos.Line > len(l.text) {
		return nil
	}
	return &l.text[d.Pos.Line-1]
}

// How much is shown of a line, in cells of a terminal: as much on the whole, on
// a narrow terminal at least, and before the caret.
const (
	maxShown  = 100
	minShown  = 20
	maxBefore = 60
	tabStop   = 4
)

// extent gives how much is shown of a line, and before the caret, where there is
// room for so many cells; if it is not positive, for any number. A line that fits
// is shown whole; else ellipses take two cells.
func extent(line []cell, room int) (shown, before int) {
	shown, before = maxShown, maxBefore
	if room > 0 {
		shown = max(minShown, min(shown, room-2))
		before = min(before, shown*3/5)
	}
	whole := 0
	for _, c := range line {
		whole += c.width
	}
	if whole <= shown {
		before = whole
	}
	return shown, before
}

// writeCaret shows a line and points to a column of it.
func writeCaret(page *term.Page, line string, d diag.Diagnostic) {
	cells := cellsOf(line)
	number := fmt.Sprint(d.Pos.Line)
	maxShown, maxBefore := extent(cells, page.Columns-len("  "+number+" | "))
	at := min(max(d.Pos.Column-1, 0), len(cells))
	first, before := at, 0
	for first > 0 && before+cells[first-1].width <= maxBefore {
		first--
		before += cells[first].width
	}
	text := ""
	if first > 0 {
		text = "…"
		before++
	}
	shown := 0
	for i, c := range cells[first:] {
		if shown += c.width; shown > maxShown && first+i > at {
			text += "…"
			break
		}
		text += c.text
	}
	page.Line(term.Sayf(term.Dim, "  %s | ", number), term.Say(term.Plain, text))
	page.Line(term.Sayf(term.Dim, "  %s | ", strings.Repeat(" ", len(number))), term.Say(term.Plain, strings.Repeat(" ", before)), term.Say(term.SeveritySlot(d.Severity), "^"))
}

// cell is one character as a terminal shows it.
type cell struct {
	text  string
	width int
}

// cellsOf gives the characters of a line with tabs expanded and whatever a
// terminal would not show as it is escaped.
func cellsOf(line string) []cell {
	var out []cell
	column := 0
	for size := 0; line != ""; line = line[size:] {
		var r rune
		r, size = utf8.DecodeRuneInString(line)
		c := cell{text: diag.Printable(line[:size])}
		switch {
		case r == '\t':
			c.width = tabStop - column%tabStop
			c.text = strings.Repeat(" ", c.width)
		case c.text != string(r): // escaped, in ASCII
			c.width = len(c.text)
		default:
			c.width = diag.RuneWidth(r)
		}
		column += c.width
		out = append(out, c)
	}
	return out
}
