package term

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// Piece is part of a line. Its text is harmless to a terminal: see [Say].
type Piece struct {
	slot Slot
	text string
}

// Text is a line in pieces.
type Text []Piece

// Say makes a line of one piece. Whatever a terminal might obey, and line feeds,
// are made visible in it.
func Say(slot Slot, text string) Text { return Text{{slot, diag.Printable(text)}} }

// Sayf is Say of a formatted text.
func Sayf(slot Slot, format string, args ...any) Text { return Say(slot, fmt.Sprintf(format, args...)) }

// Join makes one line of several.
func Join(all ...Text) Text {
	return slices.Concat(all...)
}

// String gives the line without colours.
func (t Text) String() string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.text)
	}
	return b.String()
}

// Width is how many columns the line takes.
func (t Text) Width() int {
	n := 0
	for _, p := range t {
		n += diag.Width(p.text)
	}
	return n
}

// Pad fills the line with spaces up to a number of columns.
func (t Text) Pad(columns int) Text {
	if n := columns - t.Width(); n > 0 {
		return Join(t, Text{{Plain, strings.Repeat(" ", n)}})
	}
	return t
}

// Cut shortens the line to at most that many columns; 0 or less does not. Where
// something is missing stands "…".
func (t Text) Cut(columns int) Text {
	if columns <= 0 || t.Width() <= columns {
		return t
	}
	short := diag.Cut(t.String(), columns)
	kept := t.bytes(0, len(short)-len("…"))
	if n := len(kept); n > 0 {
		kept[n-1].text += "…"
		return kept
	}
	return Text{{Plain, "…"}}
}

// Wrap breaks the line into lines of at most that many columns, where [diag.Break]
// says. It gives at least one line. A limit below 2 breaks nothing.
func (t Text) Wrap(columns int) []Text {
	var out []Text
	rest, from := t.String(), 0
	for columns >= 2 {
		end, next := diag.Break(rest, columns)
		if end == len(rest) {
			break
		}
		out = append(out, t.bytes(from, from+end))
		from, rest = from+next, rest[next:]
	}
	return append(out, t.bytes(from, from+len(rest)))
}

// bytes gives a part of the line.
func (t Text) bytes(from, to int) Text {
	var out Text
	at := 0
	for _, p := range t {
		begin, end := max(from-at, 0), min(to-at, len(p.text))
		if begin < end {
			out = append(out, Piece{p.slot, p.text[begin:end]})
		}
		at += len(p.text)
	}
	return out
}

// write writes the line with its colours and its line feed. Spaces at its end
// are left out.
func (p Palette) write(b *strings.Builder, t Text) {
	last := len(t) - 1
	for last >= 0 && strings.Trim(t[last].text, " ") == "" {
		last--
	}
	for i, piece := range t[:last+1] {
		if i == last {
			piece.text = strings.TrimRight(piece.text, " ")
		}
		b.WriteString(p.Paint(piece.slot, piece.text))
	}
	b.WriteByte('\n')
}

// Recolor gives the line with another slot where it has none.
func Recolor(t Text, slot Slot) Text {
	out := make(Text, 0, len(t))
	for _, p := range t {
		if p.slot == Plain {
			p.slot = slot
		}
		out = append(out, p)
	}
	return out
}
