package diag

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsBidi reports whether r is one of the characters that reorder the text
// around them (embeddings, overrides and isolates), which can make a line
// read as something it is not.
func IsBidi(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// IsInvisible reports whether r has no width of its own: zero-width spaces
// and joiners, direction marks, soft hyphens and the byte order mark.
func IsInvisible(r rune) bool { return unicode.Is(unicode.Cf, r) }

// Printable returns s fit for a terminal: control, bidirectional and
// zero-width characters are written as escapes, invalid bytes as \x... Line
// feeds and tabs are escaped too, so the result is one line.
func Printable(s string) string { return escape(s, false, unsafeRune) }

// PrintableText is [Printable] for text of several lines: line feeds and tabs
// stay.
func PrintableText(s string) string { return escape(s, true, unsafeRune) }

// Piped returns text of several lines fit for a pipe, behind which there may be a
// terminal, and as likely a program that reads it: what a terminal obeys is written
// as escapes, and what it only does not show stays, such as the joiners that emoji
// and words of Persian are made of.
func Piped(s string) string { return escape(s, true, isObeyed) }

// isObeyed reports whether a terminal does something for r but show it.
func isObeyed(r rune) bool { return r < 0x20 || unicode.Is(unicode.Cc, r) || IsBidi(r) }

func escape(s string, lines bool, unsafe func(rune) bool) string {
	if !needsEscape(s, lines, unsafe) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\n' || r == '\t':
			if lines {
				b.WriteRune(r)
			} else {
				b.WriteString(map[rune]string{'\n': `\n`, '\t': `\t`}[r])
			}
		case isInvalid(r, s[i:]):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xFFFF && unsafe(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		case unsafe(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isInvalid reports whether r stands for a byte of at that is no UTF-8, and
// not for a replacement character that the text itself holds.
func isInvalid(r rune, at string) bool {
	return r == utf8.RuneError && !strings.HasPrefix(at, string(utf8.RuneError))
}

// Zero-width joiners inside emoji sequences are escaped as well: what is
// printed for a terminal must not depend on knowing them.
// So are fillers and selectors that no terminal shows and that could carry text
// unseen.
func unsafeRune(r rune) bool {
	if r < 0x7f {
		return r < 0x20
	}
	return unicode.Is(unicode.Cc, r) || IsInvisible(r) || r == 0x2028 || r == 0x2029 ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || r >= 0xE0100 && r <= 0xE01EF
}

func needsEscape(s string, lines bool, unsafe func(rune) bool) bool {
	for i, r := range s {
		if isInvalid(r, s[i:]) {
			return true
		}
		if unsafe(r) && !(lines && (r == '\n' || r == '\t')) {
			return true
		}
	}
	return false
}
