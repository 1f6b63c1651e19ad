package marked

import "strings"

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
	var p place
	open := 0 // the line of the first mark while its other one is looked for
	line := 0
	for at := 0; at < len(text); {
		line++
		next := nextLine(text, at)
		content := text[at:next]
		switch {
		case s.isMark(content, beginWords):
			if p.inside > 0 {
				return place{}, &BrokenError{line, "a second block of git plan begins here"}
			}
			open, p.begin, p.inside, p.lineEnd = line, at, next, endOf(content)
		case s.isMark(content, endWords):
			if open == 0 {
				return place{}, &BrokenError{line, "a block of git plan ends here that does not begin"}
			}
			open, p.ok = 0, true
			p.insideEnd, p.endMark, p.end = at, next-len(breakOf(content)), next
		}
		at = next
	}
	if open > 0 {
		return place{}, &BrokenError{open, "a block of git plan begins here that does not end"}
	}
	return p, nil
}

// nextLine gives where the line after the one at a place begins.
func nextLine(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// breakOf gives the line break that a line ends with, if any.
func breakOf(line string) string {
	switch {
	case strings.HasSuffix(line, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(line, "\n"):
		return "\n"
	}
	return ""
}

// endOf is breakOf for the line of a mark, which is LF where it is the last.
func endOf(line string) string {
	if b := breakOf(line); b != "" {
		return b
	}
	return "\n"
}
