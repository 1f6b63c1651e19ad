package diag

import "strings"

// Width is how many columns of a terminal a text of one line takes. Wide
// characters, such as those of Chinese, take two.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += RuneWidth(r)
	}
	return n
}

// RuneWidth is how many columns a character takes: two if it is a wide one,
// else one.
func RuneWidth(r rune) int {
	switch {
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// Wrap breaks a text of one line into lines of at most that many columns, at
// spaces where it has them, else between characters. It gives at least one
// line. A limit below 2 breaks nothing.
func Wrap(s string, columns int) []string {
	var out []string
	for columns >= 2 && Width(s) > columns {
		end, next := breakAt(s, columns)
		out = append(out, s[:end])
		s = s[next:]
	}
	return append(out, s)
}

// breakAt gives where a line of s ends and where the next one begins.
func breakAt(s string, columns int) (end, next int) {
	used, space := 0, -1
	for i, r := range s {
		if used += RuneWidth(r); used > columns {
			if r == ' ' {
				space = i
			}
			if head := strings.TrimRight(s[:max(space, 0)], " "); head != "" {
				return len(head), space + 1
			}
			return i, i
		}
		if r == ' ' {
			space = i
		}
	}
	return len(s), len(s)
}
