package plan

import (
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"

	"github.com/git-plan/git-plan/plan/diag"
)

// place is where a token stands: its position in the file, and the byte offsets
// in the document of its beginning and end.
type place struct {
	pos     diag.Pos
	at, end int
}

// find notes where every token stands. The lexer's own positions cannot be
// relied on: a tab in a quoted text of several lines makes it lose count of
// the lines below. It never loses a character other than blanks, so tokens
// and text are read side by side. It reports whether they are the same.
func (b *yamlBlock) find(tokens token.Tokens) bool {
	b.places = make(map[*token.Token]place, len(tokens))
	c := cursor{text: b.text, pos: diag.Pos{Line: b.firstLine, Column: 1}}
	for _, tk := range tokens {
		c.skipBlank()
		p := place{pos: c.pos, at: b.offset + c.at}
		if !c.skipToken(tk) {
			return false
		}
		if p.end = b.offset + c.at; strings.Trim(tk.Origin, blanks) != "" {
			b.places[tk] = p
		}
	}
	c.skipBlank()
	return c.at == len(b.text)
}

// setEnds notes where the lines of each field end.
func (b *yamlBlock) setEnds(fields []Field, tokens token.Tokens) {
	for i := range fields {
		next := b.offset + len(b.text)
		if i+1 < len(fields) {
			next = fields[i+1].at
		}
		n := 0
		for n < len(tokens) && b.places[tokens[n]].at < next {
			n++
		}
		fields[i].end = b.endOf(&fields[i], tokens[:n], next)
		tokens = tokens[n:]
	}
}

// endOf finds where the lines of a field end, of which these are the tokens. A
// comment below it is part of it only if it is further in than the key.
func (b *yamlBlock) endOf(f *Field, tokens token.Tokens, next int) int {
	end, header, last := f.at, "", token.Type(0)
	for _, tk := range tokens {
		p, written := b.places[tk]
		if !written || tk.Type == token.CommentType && p.pos.Column <= f.KeyPos.Column {
			continue
		}
		end = max(end, p.end)
		switch {
		case tk.Type == token.LiteralType || tk.Type == token.FoldedType:
			header = tk.Value
		case tk.Type != token.CommentType && last != token.LiteralType && last != token.FoldedType:
			header = ""
		}
		if tk.Type != token.CommentType {
			last = tk.Type
		}
	}
	line, rest, _ := strings.Cut(b.text[end-b.offset:next-b.offset], "\n")
	end = min(end+len(line)+1, next)
	if header != "" {
		end += blockTail(header, rest)
	}
	return end
}

// blockTail measures how much of the blank lines below a block of text is part of
// it: all of them after a header with `+`, else those up to the last that is not
// empty.
func blockTail(header, lines string) int {
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

// pos gives the place of a token. For a value that is not written the lexer
// names a place where nothing stands: there it is the end of the line.
func (b *yamlBlock) pos(tk *token.Token) diag.Pos {
	if p, ok := b.places[tk]; ok {
		return p.pos
	}
	lines := b.lineStarts()
	line := min(max(tk.Position.Line, 1), len(lines))
	text, _, _ := strings.Cut(b.text[lines[line-1]:], "\n")
	column := min(max(tk.Position.Column, 1), utf8.RuneCountInString(text)+1)
	return diag.Pos{Line: line + b.firstLine - 1, Column: column}
}

// lineStarts gives the byte offset of each line of the text.
func (b *yamlBlock) lineStarts() []int {
	if b.lines == nil {
		b.lines = []int{0}
		for i := 0; i < len(b.text); i++ {
			if b.text[i] == '\n' {
				b.lines = append(b.lines, i+1)
			}
		}
	}
	return b.lines
}

const blanks = " \t\n"

// cursor goes through a text and counts lines and characters.
type cursor struct {
	text string
	at   int
	pos  diag.Pos
}

func (c *cursor) next() {
	c.pos.Column++
	if c.text[c.at] == '\n' {
		c.pos = diag.Pos{Line: c.pos.Line + 1, Column: 1}
	}
	c.at += runeLen(c.text[c.at:])
}

func (c *cursor) skipBlank() {
	for c.at < len(c.text) && strings.IndexByte(blanks, c.text[c.at]) >= 0 {
		c.next()
	}
}

// skipToken goes to the end of a token. What the lexer says of the text of a
// quoted one has some escapes resolved, so that is measured here.
func (c *cursor) skipToken(tk *token.Token) bool {
	length := 0
	switch tk.Type {
	case token.SingleQuoteType:
		length = quotedLength(c.text[c.at:], '\'')
	case token.DoubleQuoteType:
		length = quotedLength(c.text[c.at:], '"')
	default:
		return c.skipText(tk.Origin)
	}
	for end := c.at + length; c.at < end; {
		c.next()
	}
	return length > 0
}

// skipText goes through text, the blanks in it aside.
func (c *cursor) skipText(text string) bool {
	for _, want := range text {
		if strings.ContainsRune(blanks, want) {
			continue
		}
		c.skipBlank()
		if got, n := utf8.DecodeRuneInString(c.text[c.at:]); n == 0 || got != want {
			return false
		}
		c.next()
	}
	return true
}
