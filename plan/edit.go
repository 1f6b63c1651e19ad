package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// EditError is returned when a value cannot be changed in place: what stands
// around it would be at risk, or the format cannot hold it. Nothing was
// changed.
type EditError struct {
	Path, Key, Reason string
	// Hint says what to do about it; it may be empty.
	Hint string
	// Limit says that the result would go over a limit of the format.
	Limit bool
}

func (e *EditError) Error() string {
	s := fmt.Sprintf("%s: cannot set `%s` in place: %s", e.Path, e.Key, e.Reason)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

const plainLines = "write the frontmatter as plain `key: value` lines first"

// refuse gives the error of an edit of key.
func (d *Document) refuse(key, reason, hint string) *EditError {
	return &EditError{Path: d.Path, Key: key, Reason: reason, Hint: hint}
}

// unreadable gives the error of a file that nobody could read as it would be,
// with what was found in it, if anything was.
func unreadable(path, key, reason string, found []diag.Diagnostic) *EditError {
	e := &EditError{Path: path, Key: key, Reason: reason}
	if len(found) > 0 {
		e.Reason, e.Hint, e.Limit = found[0].Message, found[0].Hint, found[0].Rule == RuleLimits
	}
	if e.Limit {
		e.Hint = "shorten it"
	}
	return e
}

// editable gives the document with each field on lines of its own, which a
// frontmatter that is one `{…}` has to be written anew for, or says why no field
// of it can be edited.
func (d *Document) editable(key string) (*Document, error) {
	switch {
	case !d.Readable:
		return nil, d.refuse(key, "the frontmatter cannot be read", "mend it first")
	case !d.flow:
		return d, nil
	}
	e, ok := d.Format()
	if !ok {
		return nil, d.refuse(key, "the whole frontmatter is one `{…}`, and it cannot be told where its comments belong", plainLines)
	}
	return e.WithBody(d.Body)
}

// CheckText says why s cannot stand in a plan file: it holds a control or
// bidirectional character, or is no UTF-8. Line ends may be CRLF, which are
// stored as LF.
func CheckText(s string) error {
	for i, c := range s {
		if what := badRune(s[i:], c); what != "" && !strings.HasPrefix(s[i:], "\r\n") {
			return fmt.Errorf("the text holds what no plan file can: %s; leave it out", what)
		}
	}
	return nil
}

// badText names the first character of a value that no file can hold, or "". A
// carriage return is written as an escape.
func badText(n Node) string {
	for i, c := range n.Text {
		if what := badRune(n.Text[i:], c); what != "" && c != '\r' {
			return what
		}
	}
	for _, it := range n.Items {
		if what := badText(it); what != "" {
			return what
		}
	}
	for _, f := range n.Fields {
		if what := cmp.Or(badText(Node{Text: f.Key}), badText(f.Value)); what != "" {
			return what
		}
	}
	return ""
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
		return nil, &EditError{Path: "plan.md", Key: key, Reason: "the file is missing", Hint: "write it first"}
	}
	if f := d.Field(key); f != nil && f.Value.Equal(v) {
		return d, nil
	}
	if what := badText(v); what != "" {
		return nil, d.refuse(key, "the value holds what no plan file can: "+what, "leave it out")
	}
	d, err := d.editable(key)
	if err != nil {
		return nil, err
	}
	f := d.Field(key)
	e, err := d.reparsed(key, d.with(key, f, v, emitField(emitScalar(key), v, d.isFlow(key))), &v)
	if err != nil && v.Kind == String && strings.Contains(v.Text, "\n") {
		// What follows, a line of blanks say, may run into a literal block.
		if g, err := d.reparsed(key, d.with(key, f, v, emitScalar(key)+": "+quoteDouble(v.Text)+"\n"), &v); err == nil {
			return g, nil
		}
	}
	return e, err
}

// with gives the source with v in place of a field, nil for a new one. The
// lines are those of the field as it is written anew.
func (d *Document) with(key string, f *Field, v Node, lines string) string {
	if by := d.column() - 1; by > 0 {
		lines = indented(lines, by)
	}
	if f == nil {
		at := d.insertAt(key)
		return d.Source[:at] + lines + d.Source[at:]
	}
	return d.replaceValue(f, v, lines)
}

// indented puts spaces before each line that is not empty.
func indented(lines string, by int) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		if line != "\n" {
			b.WriteString(strings.Repeat(" ", by))
		}
		b.WriteString(line)
	}
	return b.String()
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
		return nil, d.refuse(key, "it is no list", "make it one first")
	}
	want.Items = append(slices.Clone(f.Value.Items), want.Items...)
	if len(f.Value.Items) == 0 || d.flow || badText(want) != "" {
		return d.Set(key, want)
	}
	source := d.appendBlock(f, items)
	if f.Value.bracket > 0 {
		source = d.appendFlow(f, ", ", items)
	}
	e, err := d.reparsed(key, source, &want)
	if err != nil && f.Value.bracket > 0 { // a comma or a comment may come last
		e, err = d.reparsed(key, d.appendFlow(f, " ", items), &want)
	}
	if err != nil {
		return d.Set(key, want)
	}
	return e, nil
}

// appendFlow puts items before the end of a flow list.
func (d *Document) appendFlow(f *Field, lead string, items []string) string {
	at := f.Value.bracket
	return d.Source[:at] + lead + strings.Trim(emitFlowList(items), "[]") + d.Source[at:]
}

func (d *Document) appendBlock(f *Field, items []string) string {
	indent := strings.Repeat(" ", max(f.Value.Pos.Column-1, 0))
	var b strings.Builder
	for _, it := range items {
		b.WriteString(indent + "- " + emitItem(it) + "\n")
	}
	return d.Source[:f.end] + b.String() + d.Source[f.end:]
}

// Delete gives the document without the key.
func (d *Document) Delete(key string) (*Document, error) {
	if d.Field(key) == nil {
		return d, nil
	}
	d, err := d.editable(key)
	if err != nil {
		return nil, err
	}
	e := d.extent(d.Field(key))
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
		return nil, d.refuse("body", "the result cannot be read", "mend the frontmatter first")
	}
	return e, nil
}

// replaceValue splices a value in place of one on the same line, keeping its
// quoting and what follows it; anything else replaces the field's lines.
func (d *Document) replaceValue(f *Field, v Node, lines string) string {
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
	if comment := d.headComment(f); comment != "" {
		first, rest, _ := strings.Cut(lines, "\n")
		lines = first + comment + "\n" + rest
	}
	return d.Source[:e.start] + lines + d.Source[e.end:]
}

// headComment gives the comment behind the key of a value that begins below, or
// behind the `|` of one, with the blanks before it.
func (d *Document) headComment(f *Field) string {
	_, head, _ := strings.Cut(d.restOfLine(f.at), ":")
	block := strings.HasPrefix(strings.TrimLeft(head, " "), "|") || strings.HasPrefix(strings.TrimLeft(head, " "), ">")
	at := strings.Index(head, " #")
	if at < 0 || !block && f.Value.Pos.Line == f.KeyPos.Line {
		return ""
	}
	return head[len(strings.TrimRight(head[:at], " ")):]
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
	spec := specOf(d.kind, key)
	return spec != nil && spec.flow
}

// reparsed reads the edited source and requires that nothing but key changed.
func (d *Document) reparsed(key, source string, want *Node) (*Document, error) {
	e, found := parseDocument(d.kind, d.Path, []byte(source))
	if !e.Readable {
		refused := unreadable(d.Path, key, "the result cannot be read", found)
		if !refused.Limit {
			refused.Hint = plainLines
		}
		return nil, refused
	}
	if e.Body != d.Body {
		return nil, d.refuse(key, "the body would change", plainLines)
	}
	others := func(fields []Field) []Field {
		return slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { return f.Key == key })
	}
	if !slices.EqualFunc(others(d.Fields), others(e.Fields), Field.Equal) {
		return nil, d.refuse(key, "another field would change", plainLines)
	}
	if f := e.Field(key); want != nil && (f == nil || !f.Value.Equal(*want)) || want == nil && f != nil {
		return nil, d.refuse(key, "the value would read back differently", plainLines)
	}
	return e, nil
}

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
	return span{strings.LastIndexByte(d.Source[:f.at], '\n') + 1, f.end}
}

// insertAt is the byte offset for a new key: after the last field that comes
// before it in canonical order, else before the first.
func (d *Document) insertAt(key string) int {
	at, want := d.front.end, d.order(key)
	if len(d.Fields) > 0 {
		at = d.extent(&d.Fields[0]).start
	}
	for i := range d.Fields {
		if f := &d.Fields[i]; specOf(d.kind, f.Key) != nil && d.order(f.Key) < want {
			at = max(at, f.end)
		}
	}
	return at
}
