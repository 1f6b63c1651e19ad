package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Width is how many columns of a terminal a text of one line takes. Wide
// characters, such as those of Chinese, take two, and marks that combine with
// the character before them none.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += RuneWidth(r)
	}
	return n
}

// RuneWidth is how many columns a character takes: two if it is a wide one,
// none if it combines with the one before it, else one.
func RuneWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r >= 0x1160 && r <= 0x11FF, unicode.In(r, unicode.Mn, unicode.Me): // vowels and finals of Hangul; marks
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Cut shortens a line to at most that many columns. Where something is missing
// stands "…".
func Cut(s string, columns int) string {
	if len(s) <= columns || Width(s) <= columns {
		return s
	}
	if columns < 1 {
		return ""
	}
	end, used := 0, 1 // for the sign
	for at, next := range glyphs(s) {
		if used += Width(s[at:next]); used > columns {
			break
		}
		end = next
	}
	return strings.TrimRight(s[:end], " ") + "…"
}

// Break gives where the first line of s ends, if it may have that many columns,
// and where the next one begins.
func Break(s string, columns int) (end, next int) {
	used, space := 0, -1
	for at, after := range glyphs(s) {
		blank := s[at] == ' '
		if used += Width(s[at:after]); used > columns {
			if blank {
				space = at
			}
			if head := strings.TrimRight(s[:max(space, 0)], " "); head != "" {
				return len(head), space + 1
			}
			if at == 0 {
				_, size := utf8.DecodeRuneInString(s) // one of several that are shown as one, wider than the line
				return size, size
			}
			return at, at
		}
		if blank {
			space = at
		}
	}
	return len(s), len(s)
}

// glyphs visits what a terminal shows as one: a character with the marks that
// combine with it, and two letters that make a flag. It gives where each begins
// and ends.
func glyphs(s string) func(func(begin, end int) bool) {
	return func(yield func(begin, end int) bool) {
		begin, flags := 0, 0
		for i, r := range s {
			isFlag := r >= 0x1F1E6 && r <= 0x1F1FF
			joins := RuneWidth(r) == 0 || r >= 0x1F3FB && r <= 0x1F3FF || isFlag && flags%2 == 1
			if i > 0 && !joins {
				if !yield(begin, i) {
					return
				}
				begin = i
			}
			if flags++; !isFlag {
				flags = 0
			}
		}
		if begin < len(s) {
			yield(begin, len(s))
		}
	}
}
