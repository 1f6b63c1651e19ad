package plan

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/adrg/frontmatter"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"github.com/git-plan/git-plan/plan/diag"
)

// Document is one markdown file with frontmatter, lossless: Source holds every
// byte that is stored, and Fields say where each value stands in it.
type Document struct {
	// Path is the file's path within its plan folder, with slashes.
	Path string
	// Source is the whole text: UTF-8, LF line ends, no byte order mark, else
	// as it was written.
	Source string
	// Fields are the frontmatter's keys in file order, duplicates included.
	Fields []Field
	// Body is the text below the closing fence.
	Body string
	// Recoded is where the file as it was read first had what Source has not, a byte
	// order mark or a CRLF; it is of no line where there was none.
	Recoded diag.Pos
	// Readable is false where the frontmatter could not be read; Fields are
	// then empty.
	Readable bool
	// Markers are the conflicts that Source shows; all else was read as our side has
	// it.
	Markers []Marker

	kind  docKind
	front span // the lines between the fences
	flow  bool // the frontmatter is one `{…}`, where fields have no lines of their own
	fence int  // line of the closing fence, 1-based
}

// span is a range of bytes.
type span struct{ start, end int }

// Field gives the first field of that key, or nil.
func (d *Document) Field(key string) *Field {
	if d == nil {
		return nil
	}
	for i := range d.Fields {
		if d.Fields[i].Key == key {
			return &d.Fields[i]
		}
	}
	return nil
}

// Pos gives the place of a key's value, or 1:1 where the key is not set.
func (d *Document) Pos(key string) diag.Pos {
	if f := d.Field(key); f != nil {
		return f.Value.Pos
	}
	return diag.Pos{Line: 1, Column: 1}
}

// ItemPos gives the place of the i-th item of a list, or of the list.
func (d *Document) ItemPos(key string, i int) diag.Pos {
	if f := d.Field(key); f != nil && i < len(f.Value.Items) {
		return f.Value.Items[i].Pos
	}
	return d.Pos(key)
}

// Prose gives the text below the frontmatter without the white space around it,
// "" of no document.
func (d *Document) Prose() string {
	if d == nil {
		return ""
	}
	return strings.TrimSpace(d.Body)
}

// Text gives a field's scalar as text, "" where it is not set or is a list.
func (d *Document) Text(key string) string {
	if f := d.Field(key); f != nil && f.Value.Kind != Null {
		return f.Value.Text
	}
	return ""
}

// List gives the strings of a list field.
func (d *Document) List(key string) []string {
	if f := d.Field(key); f != nil {
		return f.Value.strings()
	}
	return nil
}

// Texts gives the string items of a list, each with its index among all items, as
// [Document.ItemPos] takes it.
func (d *Document) Texts(key string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		f := d.Field(key)
		if f == nil {
			return
		}
		for i, it := range f.Value.Items {
			if it.Kind == String && !yield(i, it.Text) {
				return
			}
		}
	}
}

// Has reports whether the key is set to something other than null.
func (d *Document) Has(key string) bool {
	f := d.Field(key)
	return f != nil && f.Value.Kind != Null
}

// HasComments reports whether there are comments in the frontmatter.
func (d *Document) HasComments() bool {
	front := d.Source[d.front.start:d.front.end]
	return strings.Contains(front, "#") && slices.ContainsFunc(lexer.Tokenize(front), func(t *token.Token) bool {
		return t.Type == token.CommentType
	})
}

// Normalize gives data as it is stored: without a byte order mark and with LF
// line ends.
func Normalize(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

// recoded finds the first thing that [Normalize] changes.
func recoded(data []byte) diag.Pos {
	if bytes.HasPrefix(data, []byte("\uFEFF")) {
		return start
	}
	before, _, found := bytes.Cut(data, []byte("\r\n"))
	if !found {
		return diag.Pos{}
	}
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return diag.Pos{Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(line) + 1}
}

// parseDocument reads one file. It always returns the document, as far as it
// was understood, and every finding of its own; values are checked against
// the fields that kind may have.
func parseDocument(kind docKind, path string, data []byte) (*Document, []diag.Diagnostic) {
	source := string(Normalize(data))
	markers, ours := markersIn(source)
	d := &Document{Path: path, Source: ours, Markers: markers, kind: kind}
	if len(source) < len(data) {
		d.Recoded = recoded(data)
	}
	r := &reporter{}
	for _, m := range markers {
		r.add(diag.Pos{Line: m.Line, Column: 1}, RuleConflictMarker, "keep one text or both, and delete the three marker lines",
			"conflict between %s and %s", m.Ours, m.Theirs)
	}
	d.parse(r)
	d.Source = source
	return d, r.found
}

// parse reads the frontmatter, as far as it can be understood.
func (d *Document) parse(r *reporter) {
	bad := r.encoding(d)
	if bad >= 0 && (!d.split(&reporter{}) || bad < d.front.end) {
		return // whatever else is wrong may follow from the bad character
	}
	if !d.split(r) {
		return
	}
	block := newYAMLBlock(d.Source[d.front.start:d.front.end], 2, d.front.start)
	fields, fault := block.parseMapping()
	if fault != nil {
		if fault.rule == RuleFrontmatter && fault.hint == "" {
			fault.hint = "quote values that hold `: ` or begin with a sign, and close the frontmatter by a line of only `---`"
		}
		r.addFault(fault)
		return
	}
	d.Fields, d.Readable, d.flow = fields, true, block.inFlow
	d.check(r)
}

// reporter collects the findings of one file.
type reporter struct{ found []diag.Diagnostic }

func (r *reporter) add(pos diag.Pos, rule, hint, format string, args ...any) {
	r.found = append(r.found, diag.Diagnostic{Pos: pos, Rule: rule, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// addFault adds a fault of YAML, and those that belong to it.
func (r *reporter) addFault(fault *yamlFault) {
	r.add(fault.pos, fault.rule, fault.hint, "%s", fault.message)
	for i := range fault.more {
		r.addFault(&fault.more[i])
	}
}

var start = diag.Pos{Line: 1, Column: 1}

// split finds the fences. The frontmatter library takes the first line that
// reads `---` once trimmed for the closing fence; an indented one would close
// it for that reader and not for others, so it is refused.
func (d *Document) split(r *reporter) bool {
	const hint = "begin the file with a line of only `---`, then `key: value` lines, then `---`"
	first, _, _ := strings.Cut(d.Source, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		r.add(start, RuleFrontmatter, hint, "the file does not begin with frontmatter")
		return false
	}
	var block []byte
	format := frontmatter.NewFormat("---", "---", func(data []byte, v any) error {
		block = data
		return nil
	})
	head, closed := d.head()
	_, err := frontmatter.MustParse(strings.NewReader(head), &block, format)
	if errors.Is(err, frontmatter.ErrNotFound) || !closed {
		r.add(start, RuleFrontmatter, hint, "the frontmatter is not closed")
		return false
	}
	if err != nil {
		r.add(start, RuleFrontmatter, hint, "the frontmatter cannot be read: %v", err)
		return false
	}
	d.front = span{len(first) + 1, len(first) + 1 + len(block)}
	d.fence = 2 + bytes.Count(block, []byte("\n"))
	d.Body = d.Source[len(head):]
	if d.Source[d.front.end] != '-' {
		r.add(diag.Pos{Line: d.fence, Column: 1}, RuleFrontmatter, "put the fence at the start of the line, or quote the value",
			"an indented `---` inside the frontmatter")
		return false
	}
	return true
}

// head gives the text up to the end of the closing fence, all there is to show
// to the frontmatter library, and whether there is such a fence.
func (d *Document) head() (string, bool) {
	at := strings.IndexByte(d.Source, '\n') + 1
	for at > 0 && at < len(d.Source) {
		line, _, more := strings.Cut(d.Source[at:], "\n")
		at += len(line)
		if more {
			at++
		}
		if strings.TrimSpace(line) == "---" {
			return d.Source[:at], true
		}
	}
	return d.Source, false
}

// mostOfAKind bounds how many findings of one rule are listed that only tell of
// more places of the same: what is no text at all has thousands.
const mostOfAKind = 10

// encoding reports the characters that a plan file may not hold and gives the
// byte offset of the first, or -1. Of several in a row the first stands for all.
func (r *reporter) encoding(d *Document) int {
	if isPlainText(d.Source) {
		return -1
	}
	first, count, pos := -1, 0, start
	inRow := false
	for i, c := range d.Source {
		what := badRune(d.Source[i:], c)
		if what != "" && !inRow {
			if count++; count == 1 {
				first = i
			}
			if count <= mostOfAKind {
				r.add(pos, RuleEncoding, "remove it, or write it as an escape in words", "%s", what)
			}
		}
		inRow = what != ""
		if c == '\n' {
			pos = diag.Pos{Line: pos.Line + 1, Column: 1}
		} else {
			pos.Column++
		}
	}
	r.tellRest(count)
	return first
}

// tellRest says, in the last finding that is listed, how many are not.
func (r *reporter) tellRest(count int) {
	if count > mostOfAKind {
		r.found[len(r.found)-1].Message += fmt.Sprintf("; %d more like it follow", count-mostOfAKind)
	}
}

// isPlainText reports whether text has no bytes but those of printable ASCII,
// tabs and line feeds.
func isPlainText(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; (c < 0x20 || c >= 0x7f) && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

func badRune(at string, c rune) string {
	switch {
	case c >= 0x20 && c < 0x7f || c == '\n' || c == '\t':
		return ""
	case c == utf8.RuneError && !strings.HasPrefix(at, "\uFFFD"):
		return fmt.Sprintf("the byte 0x%02x is no valid UTF-8", at[0])
	case c < 0x20 || c >= 0x7f && c < 0xa0:
		return fmt.Sprintf("the control character U+%04X", c)
	case diag.IsBidi(c):
		return fmt.Sprintf("the bidirectional control character U+%04X", c)
	}
	return ""
}
