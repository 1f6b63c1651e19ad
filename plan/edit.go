package plan

import (
	"fmt"
	"slices"
	"strings"
)

// EditError is returned when a value cannot be changed in place without
// risking what stands around it: the frontmatter is written in a way that
// only a person should rewrite. Nothing was changed.
type EditError struct {
	Path, Key, Reason string
}

func (e *EditError) Error() string {
	return fmt.Sprintf("%s: cannot set `%s` in place: %s; write the frontmatter as plain `key: value` lines first", e.Path, e.Key, e.Reason)
}

// Value makes the node of a Go value for [Document.Set]: a string, an int, a
// bool or a []string.
func Value(v any) Node {
	switch v := v.(type) {
	case string:
		return Node{Kind: String, Text: v}
	case int:
		return Node{Kind: Int, Text: itoa(v)}
	case bool:
		return Node{Kind: Bool, Text: fmt.Sprint(v)}
	case []string:
		n := Node{Kind: List, Items: []Node{}}
		for _, s := range v {
			n.Items = append(n.Items, Node{Kind: String, Text: s})
		}
		return n
	default:
		panic(fmt.Sprintf("plan: no frontmatter value of type %T", v))
	}
}

// Set gives the document with key set to v, touching no line but the value's.
// A key that is not there yet goes to its canonical place. The result is read
// again and must differ in that key alone, else *EditError.
func (d *Document) Set(key string, v Node) (*Document, error) {
	if d == nil {
		return nil, &EditError{"plan.md", key, "the file is missing"}
	}
	f := d.Field(key)
	if f != nil && f.Value.Equal(v) {
		return d, nil
	}
	var source string
	switch {
	case d.inFlow():
		return nil, &EditError{d.Path, key, "the whole frontmatter is one `{…}`"}
	case f == nil:
		at := d.insertAt(key)
		source = d.Source[:at] + emitField(emitScalar(key), v, d.isFlow(key)) + d.Source[at:]
	default:
		source = d.replaceValue(f, v)
	}
	return d.reparsed(key, source, &v)
}

// Append gives the document with items added to the list of that key.
func (d *Document) Append(key string, items ...string) (*Document, error) {
	f := d.Field(key)
	want := Value(items)
	switch {
	case len(items) == 0:
		return d, nil
	case f == nil || f.Value.Kind == Null:
		return d.Set(key, want)
	case f.Value.Kind != List:
		return nil, &EditError{d.Path, key, "it is no list"}
	}
	want.Items = append(slices.Clone(f.Value.Items), want.Items...)
	if len(f.Value.Items) == 0 || d.inFlow() {
		return d.Set(key, want)
	}
	var source string
	if v := f.Value; v.end > 0 { // a flow list on one line
		source = d.Source[:v.end-1] + ", " + strings.Trim(emitFlowList(items), "[]") + d.Source[v.end-1:]
	} else {
		source = d.appendBlock(f, items)
	}
	if e, err := d.reparsed(key, source, &want); err == nil {
		return e, nil
	}
	return d.Set(key, want) // a flow list over several lines, a comma after the last item
}

func (d *Document) appendBlock(f *Field, items []string) string {
	at := d.extent(f).end
	indent := strings.Repeat(" ", max(f.Value.Pos.Column-1, 0))
	var b strings.Builder
	for _, it := range items {
		b.WriteString(indent + "- " + emitItem(it) + "\n")
	}
	return d.Source[:at] + b.String() + d.Source[at:]
}

// Delete gives the document without the key.
func (d *Document) Delete(key string) (*Document, error) {
	f := d.Field(key)
	if f == nil {
		return d, nil
	}
	if d.inFlow() {
		return nil, &EditError{d.Path, key, "the whole frontmatter is one `{…}`"}
	}
	e := d.extent(f)
	return d.reparsed(key, d.Source[:e.start]+d.Source[e.end:], nil)
}

// WithBody gives the document with another body.
func (d *Document) WithBody(body string) (*Document, error) {
	fence := d.Source[:len(d.Source)-len(d.Body)]
	if !strings.HasSuffix(fence, "\n") {
		fence += "\n"
	}
	e, _ := parseDocument(d.kind, d.Path, []byte(fence+body))
	if !e.Readable {
		return nil, &EditError{d.Path, "body", "the result cannot be read"}
	}
	return e, nil
}

// replaceValue splices a value in place of one on the same line, keeping its
// quoting and what follows it; anything else replaces the field's lines.
func (d *Document) replaceValue(f *Field, v Node) string {
	e, old := d.extent(f), f.Value
	switch {
	case old.end > 0 && onOneLine(old, v, d.restOfLine(old.end) != ""):
		return d.Source[:old.start] + emitLike(d.Source[old.start:old.end], v) + d.Source[old.end:]
	case old.end == 0 && old.Kind == Null:
		if key, comment, _ := strings.Cut(d.restOfLine(e.start), ":"); comment != "" {
			at := e.start + len(key) + 1
			return d.Source[:at] + " " + emitInline(v) + d.Source[at:]
		}
	}
	return d.Source[:e.start] + emitField(emitScalar(f.Key), v, d.isFlow(f.Key)) + d.Source[e.end:]
}

// onOneLine reports whether v stays on the line of the value it replaces:
// it does where a comment follows, which other lines would lose.
func onOneLine(old, v Node, comment bool) bool {
	switch v.Kind {
	case List:
		return comment || len(old.Items) > 0 && len(v.Items) > 0
	case String:
		return comment || old.Kind != List && !strings.Contains(v.Text, "\n")
	}
	return true
}

// restOfLine gives what stands from a byte offset to the end of its line, blanks
// at the end aside.
func (d *Document) restOfLine(at int) string {
	line, _, _ := strings.Cut(d.Source[at:], "\n")
	return strings.TrimRight(line, " \t")
}

func (d *Document) isFlow(key string) bool {
	spec, _ := specOf(d.kind, key)
	return spec.flow
}

// inFlow reports whether the frontmatter is written as a flow mapping, where
// fields have no lines of their own.
func (d *Document) inFlow() bool {
	for i := range d.Fields {
		if d.Fields[i].KeyPos.Column != 1 {
			return true
		}
	}
	return false
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
	first := max(e.start+1, d.quoteEnd(f.Value))
	for e.end > e.start {
		cut := strings.LastIndexByte(d.Source[e.start:e.end-1], '\n') + 1 + e.start
		if line := strings.TrimSpace(d.Source[cut:e.end]); cut < first || line != "" && d.Source[cut] != '#' {
			break
		}
		e.end = cut
	}
	return e
}

// quoteEnd gives the byte offset of the end of a quoted text of several lines,
// of which any may look like a comment; else 0.
func (d *Document) quoteEnd(v Node) int {
	if v.Kind != String || v.end > 0 {
		return 0
	}
	at := d.lineStart(v.Pos.Line)
	for range v.Pos.Column - 1 {
		at += runeLen(d.Source[at:])
	}
	return at + quotedLength(d.Source[at:], d.Source[at])
}

// lineStart gives the byte offset of a 1-based line of the frontmatter.
func (d *Document) lineStart(line int) int {
	at := d.front.start
	for n := 2; n < line && at < d.front.end; n++ {
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

// reparsed reads the edited source and requires that nothing but key changed.
func (d *Document) reparsed(key, source string, want *Node) (*Document, error) {
	e, found := parseDocument(d.kind, d.Path, []byte(source))
	if !e.Readable {
		reason := "the result cannot be read"
		if len(found) > 0 {
			reason = found[0].Message
		}
		return nil, &EditError{d.Path, key, reason}
	}
	if e.Body != d.Body {
		return nil, &EditError{d.Path, key, "the body would change"}
	}
	if !slices.EqualFunc(without(d.Fields, key), without(e.Fields, key), func(a, b Field) bool {
		return a.Key == b.Key && a.Value.Equal(b.Value)
	}) {
		return nil, &EditError{d.Path, key, "another field would change"}
	}
	if f := e.Field(key); want != nil && (f == nil || !f.Value.Equal(*want)) || want == nil && f != nil {
		return nil, &EditError{d.Path, key, "the value would read back differently"}
	}
	return e, nil
}

func without(fields []Field, key string) []Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { return f.Key == key })
}
