package diag

import (
	"strings"
	"unicode"
)

// Head is the beginning of a text: at most that many characters of it, and "…"
// where there are more.
func Head(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return strings.TrimRightFunc(s[:i], unicode.IsSpace) + "…"
		}
		n++
	}
	return s
}

// OneLine makes one line of a text, in which every white space is a single space,
// and gives the [Head] of it.
func OneLine(s string, most int) string { return Head(strings.Join(strings.Fields(s), " "), most) }
