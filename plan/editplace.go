package plan

import (
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// column is where the keys stand, 1 unless the frontmatter is indented as a
// whole.
func (d *Document) column() int {
	if len(d.Fields) == 0 {
		return 1
	}
	return d.Fields[0].KeyPos.Column
}

// extent is the range of whole lines a field stands on, without the blank
// lines and comments that lead to the next one.
func (d *Document) extent(f *Field) span {
	next := d.fence
	for i := range d.Fields {
		if line := d.Fields[i].KeyPos.Line; line > f.KeyPos.Line && line < next {
			next = line
		}
	}
	e := span{d.lineStart(f.KeyPos.Line), d.lineStart(next)}
	last, first := e.end, max(e.start+1, d.quoteEnd(f.Value))
	for e.end > e.start {
		cut := strings.LastIndexByte(d.Source[e.start:e.end-1], '\n') + 1 + e.start
		line := d.Source[cut:e.end]
		if cut < first || strings.TrimSpace(line) != "" && !d.isComment(line) {
			break
		}
		e.end = cut
	}
	e.end += d.blockTail(f.Value, d.Source[e.end:last])
	return e
}

// isComment reports whether a line that is not within a value is a comment: it
// begins no further in than the keys.
func (d *Document) isComment(line string) bool {
	text := strings.TrimLeft(line, " ")
	return strings.HasPrefix(text, "#") && len(line)-len(text) < d.column()
}

// blockTail measures how much of the blank lines below a block scalar is part
// of it: all of them after a header with `+`, else those up to the last that
// is not empty.
func (d *Document) blockTail(v Node, lines string) int {
	for len(v.Items)+len(v.Fields) > 0 {
		if n := len(v.Items); n > 0 {
			v = v.Items[n-1]
		} else {
			v = v.Fields[len(v.Fields)-1].Value
		}
	}
	if v.Kind != String || v.end > 0 {
		return 0
	}
	header := d.restOfLine(d.at(v.Pos))
	if !strings.HasPrefix(header, "|") && !strings.HasPrefix(header, ">") {
		return 0
	}
	header, _, _ = strings.Cut(header, " ")
	n, tail := 0, 0
	for line := range strings.Lines(lines) {
		if strings.TrimSpace(line) != "" {
			break
		}
		n += len(line)
		if line != "\n" || strings.Contains(header, "+") {
			tail = n
		}
	}
	return tail
}

// quoteEnd gives the byte offset of the end of a quoted text of several lines,
// of which any may look like a comment; else 0.
func (d *Document) quoteEnd(v Node) int {
	if v.Kind != String || v.end > 0 {
		return 0
	}
	at := d.at(v.Pos)
	return at + quotedLength(d.Source[at:], d.Source[at])
}

// at gives the byte offset of a place in the frontmatter.
func (d *Document) at(p diag.Pos) int {
	at := d.lineStart(p.Line)
	for range p.Column - 1 {
		at += runeLen(d.Source[at:])
	}
	return at
}

// lineStart gives the byte offset of a 1-based line of the frontmatter. It counts
// from the last key before that.
func (d *Document) lineStart(line int) int {
	if line >= d.fence {
		return d.front.end
	}
	n, at := 2, d.front.start
	for i := range d.Fields {
		if f := &d.Fields[i]; f.KeyPos.Line <= line && f.at > at {
			n, at = f.KeyPos.Line, strings.LastIndexByte(d.Source[:f.at], '\n')+1
		}
	}
	for ; n < line; n++ {
		at += strings.IndexByte(d.Source[at:], '\n') + 1
	}
	return at
}

// insertAt is the byte offset for a new key: after the last field that comes
// before it in canonical order, else before the first.
func (d *Document) insertAt(key string) int {
	order := func(k string) int {
		return slices.IndexFunc(specs(d.kind), func(s FieldSpec) bool { return s.Name == k })
	}
	at, want := d.front.end, order(key)
	if len(d.Fields) > 0 {
		at = d.lineStart(d.Fields[0].KeyPos.Line)
	}
	for i := range d.Fields {
		if o := order(d.Fields[i].Key); o >= 0 && (o < want || want < 0) {
			at = max(at, d.extent(&d.Fields[i]).end)
		}
	}
	return at
}
