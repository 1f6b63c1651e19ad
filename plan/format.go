package plan

import (
	"slices"
	"strings"
)

// Format gives the document in canonical form: fields in the order of the
// format's tables (then x-* fields as they stand), one line a scalar with a
// single space, one blank line below the frontmatter, one line feed at the
// end. Comments stay with the field they stand above or beside, and the body
// is otherwise left alone. Formatting twice is formatting once.
//
// A document that cannot be read, or whose meaning would change, is given
// back as it is with ok false.
func (d *Document) Format() (formatted *Document, ok bool) {
	if !d.Readable || d.hasDuplicates() || len(d.Markers) > 0 {
		return d, false
	}
	if d.isShifted() && strings.Contains(d.Source[d.front.start:d.front.end], "#") {
		return d, false // the place of a comment cannot be told from the values alone
	}
	var b strings.Builder
	b.WriteString("---\n")
	for _, c := range d.chunks() {
		b.WriteString(c.text)
	}
	b.WriteString("---\n")
	if body := d.trimmedBody(); body != "" {
		b.WriteString("\n" + body + "\n")
	}
	e, _ := parseDocument(d.kind, d.Path, []byte(b.String()))
	same := e.Readable && len(e.Fields) == len(d.Fields)
	for _, f := range d.Fields {
		g := e.Field(f.Key)
		same = same && g != nil && g.Value.Equal(f.Value)
	}
	if !same {
		return d, false
	}
	return e, true
}

// isShifted reports whether the lines of fields cannot stand as they are: the
// frontmatter is written as one `{…}`, or indented as a whole.
func (d *Document) isShifted() bool { return d.flow || d.column() > 1 }

func (d *Document) trimmedBody() string {
	lines := strings.Split(strings.TrimRight(d.Body, " \t\n"), "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	return strings.Join(lines, "\n")
}

func (d *Document) hasDuplicates() bool {
	for i := range d.Fields {
		if d.Field(d.Fields[i].Key) != &d.Fields[i] {
			return true
		}
	}
	return false
}

// chunk is a field as it will be printed, with the comments above it.
type chunk struct {
	text  string
	order int
}

// chunks gives the frontmatter's lines in canonical order. Comments after the
// last field come last.
func (d *Document) chunks() []chunk {
	const last = 1 << 30
	var out []chunk
	if d.isShifted() {
		for _, f := range d.Fields {
			out = append(out, chunk{emitAny(f, d.isFlow(f.Key)), d.order(f.Key)})
		}
	} else {
		at := d.front.start
		for i := range d.Fields {
			e := d.extent(&d.Fields[i])
			lead := dropBlank(d.Source[at:e.start])
			out = append(out, chunk{lead + d.canonical(&d.Fields[i], e), d.order(d.Fields[i].Key)})
			at = e.end
		}
		out = append(out, chunk{dropBlank(d.Source[at:d.front.end]), last})
	}
	slices.SortStableFunc(out, func(a, b chunk) int { return a.order - b.order })
	return out
}

func (d *Document) order(key string) int {
	for i, s := range specs(d.kind) {
		if s.Name == key {
			return i
		}
	}
	return 1 << 20
}

// canonical prints one field. A field with a comment in it keeps its lines: a
// comment's place cannot be told from the values alone.
func (d *Document) canonical(f *Field, e span) string {
	raw := d.Source[e.start:e.end]
	if strings.Contains(raw, "#") || f.Value.Kind == Map || hasNested(f.Value) {
		return raw
	}
	return emitAny(*f, d.isFlow(f.Key))
}

func hasNested(n Node) bool {
	return slices.ContainsFunc(n.Items, func(it Node) bool { return it.Kind != String })
}

func emitAny(f Field, flow bool) string {
	key := emitScalar(f.Key)
	switch {
	case f.Value.Kind == Null:
		return key + ":\n"
	case f.Value.Kind == Map || hasNested(f.Value):
		return key + ": " + emitInline(f.Value) + "\n"
	default:
		return emitField(key, f.Value, flow)
	}
}

// emitInline writes any value in flow style on one line.
func emitInline(n Node) string { return emitInlineAs(n, emitFlow) }

// emitInlineAs writes a value in flow style, its text as it is told to.
func emitInlineAs(n Node, text func(string) string) string {
	var parts []string
	switch n.Kind {
	case List:
		for _, it := range n.Items {
			parts = append(parts, emitInlineAs(it, text))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Map:
		for _, f := range n.Fields {
			parts = append(parts, text(f.Key)+": "+emitInlineAs(f.Value, text))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case String:
		return text(n.Text)
	case Null:
		return "null"
	default:
		return n.Text
	}
}

func dropBlank(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(line)
		}
	}
	return b.String()
}
