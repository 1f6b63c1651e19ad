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

// How much is shown of a line, in columns: on the whole, and on a narrow terminal
// at least.
const (
	maxShown = 100
	minShown = 20
	tabStop  = 4
)

// writeCaret shows a line, or what of it there is room for, and points to a column
// of it.
func writeCaret(page *term.Page, line string, d diag.Diagnostic) {
	cells, number := cellsOf(line), fmt.Sprint(d.Pos.Line)
	at, limit := min(max(d.Pos.Column-1, 0), len(cells)), maxShown
	if page.Columns > 0 {
		limit = max(minShown, min(limit, page.Columns-len("  "+number+" | ")-2))
	}
	first, lead := 0, ""
	if text := strings.Join(cells, ""); diag.Width(text) > limit {
		first = at
		for room := limit * 3 / 5; first > 0 && diag.Width(cells[first-1]) <= room; first-- {
			room -= diag.Width(cells[first-1])
		}
		if first > 0 {
			lead = "…"
		}
	}
	before := lead + strings.Join(cells[first:at], "")
	page.Line(term.Sayf(term.Dim, "  %s | ", number), term.Say(term.Plain, lead+diag.Cut(strings.Join(cells[first:], ""), limit+1)))
	page.Line(term.Sayf(term.Dim, "  %s | ", strings.Repeat(" ", len(number))), term.Say(term.Plain, strings.Repeat(" ", diag.Width(before))), term.Say(term.SeveritySlot(d.Severity), "^"))
}

// cellsOf gives the characters of a line as a terminal shows them: tabs expanded,
// and whatever it would not show as it is escaped.
func cellsOf(line string) []string {
	var out []string
	for column, size := 0, 0; line != ""; line = line[size:] {
		_, size = utf8.DecodeRuneInString(line)
		cell := diag.Printable(line[:size])
		if line[0] == '\t' {
			cell = strings.Repeat(" ", tabStop-column%tabStop)
		}
		column += diag.Width(cell)
		out = append(out, cell)
	}
	return out
}
