package graph

import (
	"strings"
	"unicode"

	"github.com/git-plan/git-plan/plan/diag"
)

// flatLine makes one harmless line of a text.
func flatLine(s string) string { return tame(diag.Printable(strings.Join(strings.Fields(s), " "))) }

// tame leaves out marks that are heaped on one character, and what XML cannot
// hold.
func tame(s string) string {
	marks := 0
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			if marks++; marks > 2 {
				return -1
			}
			return r
		}
		marks = 0
		if r == 0xFFFE || r == 0xFFFF {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// text writes text of a plan between tags or in the quotes of an attribute.
func text(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(flatLine(s))
}

// em gives about how wide a character is in a font for screens, in hundredths
// of the font's size.
func em(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r):
		return 0
	case diag.RuneWidth(r) == 2:
		return 102
	case strings.ContainsRune("iljI.,:;'|!`", r):
		return 30
	case strings.ContainsRune("ftr()[]{}/\\-\" ", r):
		return 40
	case strings.ContainsRune("#+=<>~^", r):
		return 82
	case strings.ContainsRune("mwMW@%—", r):
		return 95
	case r >= 'A' && r <= 'Z', r == '→', r == '&':
		return 72
	}
	return 61
}

// textWidth gives about how wide a line is, in pixels.
func textWidth(s string, size float64) int {
	n := 0
	for _, r := range s {
		n += em(r)
	}
	return int(float64(n)*size/100 + 0.5)
}

// clip shortens a line to a width in pixels.
func clip(s string, size float64, width int) string {
	if textWidth(s, size) <= width {
		return s
	}
	room, used := int(float64(width)*100/size)-100, 0
	for i, r := range s {
		if used += em(r); used > room {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// wrap breaks a line into at most that many of a width in pixels, at spaces
// where it has them; what is left over is cut.
func wrap(s string, size float64, width, lines int) []string {
	var out []string
	for s = strings.TrimSpace(s); s != ""; {
		if len(out) == lines-1 || textWidth(s, size) <= width {
			return append(out, clip(s, size, width))
		}
		end := breakBefore(s, size, width)
		out = append(out, strings.TrimSpace(s[:end]))
		s = strings.TrimSpace(s[end:])
	}
	return out
}

// breakBefore gives where the first line of s ends: at the last space, else
// after a hyphen or a slash, else where the width does.
func breakBefore(s string, size float64, width int) int {
	room, used, space := int(float64(width)*100/size), 0, 0
	for i, r := range s {
		if r == ' ' {
			space = i
		}
		if used += em(r); used > room && i > 0 {
			if space > 0 {
				return space
			}
			if at := strings.LastIndexAny(s[:i], "-/._"); at > i/2 {
				return at + 1
			}
			return i
		}
	}
	return len(s)
}
