package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
)

// writeText prints the findings the way compilers do, those of a commit below a
// line that names it, and a last line that counts.
func writeText(w io.Writer, r Report, carets bool) error {
	var b strings.Builder
	for _, g := range r.Groups {
		if g.Commit != "" && len(g.Findings) > 0 {
			fmt.Fprintf(&b, "commit %s %s\n", shortName(g.Commit), diag.Printable(g.Subject))
		}
		if !carets || g.Source == nil {
			diag.WriteText(&b, g.Findings)
			continue
		}
		sources := lines{source: g.Source}
		for _, d := range g.Findings {
			b.WriteString(diag.Printable(d.String()) + "\n")
			writeCaret(&b, sources.at(d), d.Pos)
			if d.Hint != "" {
				fmt.Fprintf(&b, "\thint: %s\n", diag.Printable(d.Hint))
			}
		}
	}
	errors, warnings := r.Count()
	fmt.Fprintf(&b, "%s, %s in %s", words.Count(errors, "error"), words.Count(warnings, "warning"), words.Count(r.Plans(), "plan"))
	if n := r.Commits(); n > 0 {
		fmt.Fprintf(&b, " of %s", words.Count(n, "commit"))
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
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

// How much is shown of a line, in cells of a terminal: as much on the whole,
// and before the caret.
const (
	maxShown  = 100
	maxBefore = 60
	tabStop   = 4
)

// writeCaret shows a line and points to a column of it.
func writeCaret(b *strings.Builder, line *string, pos diag.Pos) {
	if line == nil {
		return
	}
	cells := cellsOf(*line)
	at := min(max(pos.Column-1, 0), len(cells))
	first, before := at, 0
	for first > 0 && before+cells[first-1].width <= maxBefore {
		first--
		before += cells[first].width
	}
	lead := ""
	if first > 0 {
		lead = "…"
	}
	number := fmt.Sprint(pos.Line)
	fmt.Fprintf(b, "  %s | %s", number, lead)
	shown := 0
	for i, c := range cells[first:] {
		if shown += c.width; shown > maxShown && first+i > at {
			b.WriteString("…")
			break
		}
		b.WriteString(c.text)
	}
	fmt.Fprintf(b, "\n  %s | %s^\n", strings.Repeat(" ", len(number)), strings.Repeat(" ", before+len([]rune(lead))))
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
