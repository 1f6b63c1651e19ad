package plan

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"

	"github.com/git-plan/git-plan/plan/diag"
)

// flatReader reads YAML that is written in the plainest way, as nearly all
// frontmatter is: a key at the start of each line, with a scalar or a flow
// list of scalars beside it or a block list of scalars below, each of one
// line, and comments. It costs a fraction of the parser. Whatever it does not
// know for certain to read as the parser would, it leaves to the parser.
type flatReader struct {
	text   string
	offset int // byte offset of text in the document
	at     int // where the next line begins
	no     int // number of the line in the file

	// The line looked at, where it begins, and how many of its bytes are
	// counted as characters.
	line           string
	start          int
	counted, chars int

	fields []Field
}

// flat reads the block if it is written in the plainest way.
func (b *yamlBlock) flat() ([]Field, bool) {
	if !strings.HasSuffix(b.text, "\n") || strings.ContainsAny(b.text, "\t\r") {
		return nil, false
	}
	r := flatReader{text: b.text, offset: b.offset, no: b.firstLine - 1, fields: make([]Field, 0, 16)}
	for r.next() {
		if r.line == "" || r.line[0] == '#' {
			continue
		}
		if len(r.fields) == maxKeys || !r.field() {
			return nil, false
		}
	}
	return r.fields, len(r.fields) > 0
}

// next goes to the next line, if there is one.
func (r *flatReader) next() bool {
	if r.at >= len(r.text) {
		return false
	}
	r.start = r.at
	r.at += strings.IndexByte(r.text[r.at:], '\n') + 1
	r.line = r.text[r.start : r.at-1]
	r.no, r.counted, r.chars = r.no+1, 0, 0
	return true
}

// pos gives the place of a byte of the line. It must not be asked of one
// before the last that was asked of.
func (r *flatReader) pos(i int) diag.Pos {
	r.chars += utf8.RuneCountInString(r.line[r.counted:i])
	r.counted = i
	return diag.Pos{Line: r.no, Column: r.chars + 1}
}

func (r *flatReader) field() bool {
	n := 0
	for n < len(r.line) && (isLetter(r.line[n]) || n > 0 && (isDigit(r.line[n]) || r.line[n] == '_' || r.line[n] == '-')) {
		n++
	}
	if n == 0 || n == len(r.line) || r.line[n] != ':' {
		return false
	}
	f := Field{Key: r.line[:n], KeyPos: r.pos(0), at: r.offset + r.start}
	ok := false
	if i := r.skip(n + 1); i == len(r.line) || i > n+1 && r.line[i] == '#' {
		f.Value, ok = r.below(n + 1)
	} else if i > n+1 {
		f.Value, ok = r.beside(i)
	}
	f.end = r.offset + r.at
	r.fields = append(r.fields, f)
	return ok
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// skip gives the place of the first byte from i on that is no space.
func (r *flatReader) skip(i int) int {
	for i < len(r.line) && r.line[i] == ' ' {
		i++
	}
	return i
}

// beside reads the value that the rest of the line is.
func (r *flatReader) beside(i int) (Node, bool) {
	if r.line[i] != '[' {
		v, i, ok := r.scalar(i, false)
		return v, ok && r.ends(i)
	}
	list := Node{Kind: List, Items: []Node{}, Pos: r.pos(i), start: r.offset + r.start + i}
	for i = r.skip(i + 1); i < len(r.line) && r.line[i] != ']'; {
		item, after, ok := r.scalar(i, true)
		if !ok {
			return Node{}, false
		}
		list.Items = append(list.Items, item)
		if i = r.skip(after); i < len(r.line) && r.line[i] == ',' {
			if i = r.skip(i + 1); i < len(r.line) && r.line[i] != ']' {
				continue
			}
			return Node{}, false
		}
		break
	}
	if i >= len(r.line) || r.line[i] != ']' || !r.ends(i+1) {
		return Node{}, false
	}
	list.bracket = r.offset + r.start + i
	list.end = list.bracket + 1
	return list, true
}

// ends reports whether nothing but a comment follows.
func (r *flatReader) ends(i int) bool {
	j := r.skip(i)
	return j == len(r.line) || j > i && r.line[j] == '#'
}

// below reads the block list on the lines below a key; without one, the value
// is null, and stands where it could.
func (r *flatReader) below(i int) (Node, bool) {
	list := Node{Kind: List}
	null, bare := Node{Kind: Null, Text: "null", Pos: r.pos(i)}, i == len(r.line)
	for {
		rest := r.text[r.at:]
		indent := len(rest) - len(strings.TrimLeft(rest, " "))
		if !strings.HasPrefix(rest[indent:], "- ") || len(list.Items) > 0 && indent+1 != list.Pos.Column {
			break
		}
		r.next()
		if len(list.Items) == 0 {
			list.Pos = r.pos(indent)
		}
		i := r.skip(indent + 1)
		if i == len(r.line) {
			return Node{}, false
		}
		item, after, ok := r.scalar(i, false)
		if !ok || !r.ends(after) {
			return Node{}, false
		}
		list.Items = append(list.Items, item)
	}
	if len(list.Items) == 0 {
		return null, bare // else the parser's place depends on what follows
	}
	return list, true
}

// scalar reads the scalar that begins at i and gives where it ends.
func (r *flatReader) scalar(i int, flow bool) (Node, int, bool) {
	v := Node{Kind: String, Pos: r.pos(i), start: r.offset + r.start + i}
	var ok bool
	n := 0
	switch quote := r.line[i]; quote {
	case '"', '\'':
		n = quotedLength(r.line[i:], quote)
		v.Text, ok = unquote(r.line[i : i+n])
	default:
		n = plainLength(r.line[i:], flow)
		v.Text = r.line[i : i+n]
		v.Kind, ok = plainKind(v.Text)
	}
	v.end = v.start + n
	return v, i + n, ok
}

// unquote gives what quoted text means, if it has only the usual escapes.
func unquote(s string) (string, bool) {
	if len(s) < 2 {
		return "", false
	}
	quote, s := s[0], s[1:len(s)-1]
	if quote == '\'' {
		return strings.ReplaceAll(s, "''", "'"), true
	}
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' {
			i++ // a quote ends the text, so something follows
			at := strings.IndexByte(`\"nt`, s[i])
			if at < 0 {
				return "", false
			}
			c = "\\\"\n\t"[at]
		}
		b.WriteByte(c)
	}
	return b.String(), true
}

// plainLength measures the text without quotes that a line begins with, up to
// a comment and without blanks at the end; 0 if it may be more than text.
func plainLength(line string, flow bool) int {
	end := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ':
			continue
		case c == '#' && end < i || flow && (c == ',' || c == ']'):
			return end
		case c == ':' && (flow || i+1 == len(line) || line[i+1] == ' '), c == '<' && i+1 < len(line) && line[i+1] == '<':
			return 0
		case flow && strings.IndexByte("[{}#", c) >= 0:
			return 0
		}
		end = i + 1
	}
	return end
}

// plainKind gives the kind of text without quotes, if its first character can
// mean nothing else. The parser's own lexer tells what is a number.
func plainKind(s string) (Kind, bool) {
	if s == "" {
		return String, false
	}
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	sign := len(s) > 1 && s[0] == '-' && (isLetter(s[1]) || isDigit(s[1]) || s[1] == '.')
	switch {
	case unicode.IsSpace(first) || unicode.IsSpace(last):
		return String, false
	case first >= utf8.RuneSelf || isLetter(s[0]) && strings.IndexByte("nNtTfF", s[0]) < 0:
		return String, true
	case sign || isLetter(s[0]) || isDigit(s[0]) || strings.IndexByte("_./$(+~^=;", s[0]) >= 0:
		kind, ok := tokenKind(token.New(s, s, nil).Type)
		if kind == String && isDecimal(s) {
			kind = Int
		}
		return kind, ok
	}
	return String, false
}

func tokenKind(t token.Type) (Kind, bool) {
	switch t {
	case token.StringType:
		return String, true
	case token.NullType:
		return Null, true
	case token.BoolType:
		return Bool, true
	case token.IntegerType, token.BinaryIntegerType, token.OctetIntegerType, token.HexIntegerType:
		return Int, true
	case token.FloatType, token.InfinityType, token.NanType:
		return Float, true
	}
	return String, false
}
