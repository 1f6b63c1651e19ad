// Package marked keeps a block of our own in a text file that belongs to
// somebody else. The block stands between two marks, each a line of comment.
// Begin with [Style.Put], which puts the block in or replaces it, and
// [Style.Drop], which takes it out and leaves the text byte for byte as it was.
package marked

import (
	"fmt"
	"strings"
)

// Style is how a kind of file writes a comment.
type Style int

// The kinds of files that blocks are put into.
const (
	// Markdown is for markdown, whose comments are those of HTML.
	Markdown Style = iota
	// Hash is for files with `#` comments: TOML, lists of ignored files.
	Hash
)

// Every mark begins with one of these words. What follows the first is for
// people and may differ between releases.
const (
	beginWords = "git plan: begin"
	endWords   = "git plan: end"
	beginNote  = ", made by git plan; what you write between these lines is lost"
)

// broken is the error of a text whose marks do not make one block.
func broken(line int, what string) error {
	return fmt.Errorf("line %d: %s; delete the marks of git plan and what stands between them, then run it again", line, what)
}

// Put gives the text with the block in it: in the place of the block that it
// has, else at its end. The marks and the block get the text's line ends. The
// error says that the marks in it make no one block, or that the block itself holds one.
//
// An empty text is one that is not there yet: the block is then all there is.
func (s Style) Put(text, block string) (string, error) {
	if found, err := s.find(block); err != nil || found.ok {
		return "", fmt.Errorf("the block holds a mark of git plan itself: leave such lines out of it")
	}
	found, err := s.find(text)
	if err != nil {
		return "", err
	}
	if found.ok {
		return text[:found.begin] + s.write(block, found.lineEnd) + text[found.endMark:], nil
	}
	lineEnd := lineEndOf(text)
	if text == "" {
		return s.write(block, lineEnd) + lineEnd, nil
	}
	return text + lineEnd + s.write(block, lineEnd) + lineEnd, nil
}

// Drop gives the text without the block and its marks, and whether there was
// one. What [Style.Put] added is all that goes, the line break before the block
// included; only where text was written after a block whose text before it
// ended within a line does that break stay.
func (s Style) Drop(text string) (string, bool, error) {
	found, err := s.find(text)
	if err != nil || !found.ok {
		return text, false, err
	}
	before, after := text[:found.begin], text[found.end:]
	bare := strings.TrimSuffix(before, found.lineEnd)
	if after == "" || bare == "" || strings.HasSuffix(bare, "\n") {
		before = bare
	}
	return before + after, true, nil
}

// Get gives the block in a text, with LF line ends and without outer blank
// lines, and whether there is one.
func (s Style) Get(text string) (string, bool, error) {
	found, err := s.find(text)
	if err != nil || !found.ok {
		return "", false, err
	}
	return plain(text[found.inside:found.insideEnd]), true, nil
}

// plain makes blocks comparable.
func plain(block string) string {
	return strings.Trim(strings.ReplaceAll(block, "\r\n", "\n"), "\n")
}

// write gives the marks with the block between them, without a last line break.
func (s Style) write(block, lineEnd string) string {
	begin, end := s.comment(beginWords+beginNote), s.comment(endWords)
	body := strings.ReplaceAll(plain(block), "\n", lineEnd)
	return begin + lineEnd + body + lineEnd + end
}

// comment writes words as a line of comment.
func (s Style) comment(words string) string {
	if s == Hash {
		return "# " + words
	}
	return "<!-- " + words + " -->"
}

// isMark reports whether a line is a mark that begins with the words.
func (s Style) isMark(line, words string) bool {
	line = strings.TrimSpace(line)
	open, shut := "<!--", "-->"
	if s == Hash {
		open, shut = "#", ""
	}
	inner, ok := strings.CutPrefix(line, open)
	if !ok || !strings.HasSuffix(line, shut) {
		return false
	}
	return strings.HasPrefix(strings.TrimSpace(inner), words)
}

// lineEndOf gives the line end of a text's first line, LF where it has none.
func lineEndOf(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// place is where a block stands in a text, as byte offsets.
type place struct {
	ok bool
	// begin is where the line of the first mark begins; inside and insideEnd
	// are what the marks hold; endMark is where the last mark's line ends,
	// without its line break, and end where the line after it begins.
	begin, inside, insideEnd, endMark, end int
	// lineEnd is how the line of the first mark ends.
	lineEnd string
}

// find looks for the one block of a text.
func (s Style) find(text string) (place, error) {
	p := place{lineEnd: "\n"}
	open, number, at := 0, 0, 0 // open is the line of the first mark while its other one is looked for
	for line := range strings.Lines(text) {
		number++
		content := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		switch {
		case s.isMark(line, beginWords):
			if p.inside > 0 {
				return place{}, broken(number, "a second block of git plan begins here")
			}
			open, p.begin, p.inside = number, at, at+len(line)
			if strings.HasSuffix(line, "\r\n") {
				p.lineEnd = "\r\n"
			}
		case s.isMark(line, endWords):
			if open == 0 {
				return place{}, broken(number, "a block of git plan ends here that does not begin")
			}
			open, p.ok = 0, true
			p.insideEnd, p.endMark, p.end = at, at+len(content), at+len(line)
		}
		at += len(line)
	}
	if open > 0 {
		return place{}, broken(open, "a block of git plan begins here that does not end")
	}
	return p, nil
}
