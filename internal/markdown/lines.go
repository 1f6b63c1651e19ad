package markdown

import "strings"

func isBlank(line string) bool { return strings.Trim(line, " ") == "" }

// indent counts the blanks that a line begins with.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// heading gives level and text of a line that is a heading by its number signs;
// the level is 0 for one that is not.
func heading(line string) (level int, text string) {
	if indent(line) > 3 {
		return 0, ""
	}
	line = strings.TrimSpace(line)
	rest := strings.TrimLeft(line, "#")
	level = len(line) - len(rest)
	if level < 1 || level > 6 || rest != "" && rest[0] != ' ' {
		return 0, ""
	}
	text = strings.TrimSpace(rest)
	if cut := strings.TrimRight(text, "#"); cut == "" || strings.HasSuffix(cut, " ") {
		text = strings.TrimSpace(cut)
	}
	return level, text
}

// underline gives the level of the heading that a line below a paragraph makes
// of it, or 0.
func underline(line string) int {
	line = strings.TrimSpace(line)
	switch {
	case line != "" && strings.Trim(line, "=") == "":
		return 1
	case len(line) > 1 && strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

// isRule reports whether a line is a rule: three or more of the same mark.
func isRule(line string) bool {
	if indent(line) > 3 {
		return false
	}
	line = strings.ReplaceAll(line, " ", "")
	return len(line) >= 3 && strings.IndexByte("-*_", line[0]) >= 0 && strings.Trim(line, line[:1]) == ""
}

func isQuote(line string) bool {
	return indent(line) < 4 && strings.HasPrefix(strings.TrimLeft(line, " "), ">")
}

// fenceOf gives the fence of code that a line is, or "".
func fenceOf(line string) string {
	if indent(line) > 3 {
		return ""
	}
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, mark)
		if n := len(line) - len(rest); n >= 3 && (mark == "~" || !strings.Contains(rest, "`")) {
			return line[:n]
		}
	}
	return ""
}

// closes reports whether a line ends the code that a fence began.
func closes(line, fence string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == ""
}

// marker is how an item of a list begins.
type marker struct {
	ordered bool
	// kind is the sign of the list: another one begins another list.
	kind byte
	// start is the number of an ordered item.
	start string
	// width is how far the item's text is indented.
	width int
}

// bullet reads the marker that a line begins with.
func bullet(line string) (m marker, ok bool) {
	at := indent(line)
	rest := line[at:]
	if at > 3 || rest == "" || isRule(line) {
		return m, false
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	switch {
	case digits > 0 && digits < 10 && len(rest) > digits && (rest[digits] == '.' || rest[digits] == ')'):
		m = marker{ordered: true, kind: rest[digits], start: rest[:digits], width: at + digits + 1}
	case strings.IndexByte("-*+", rest[0]) >= 0:
		m = marker{kind: rest[0], width: at + 1}
	default:
		return m, false
	}
	rest = line[m.width:]
	if rest != "" && rest[0] != ' ' {
		return m, false
	}
	if n := indent(rest); n == len(rest) || n > 4 {
		m.width++
	} else {
		m.width += n
	}
	return m, true
}

// interrupts reports whether a line ends the paragraph before it.
func interrupts(line string, depth int) bool {
	if level, _ := heading(line); level > 0 || isRule(line) || fenceOf(line) != "" {
		return true
	}
	if depth >= maxDepth {
		return false
	}
	m, ok := bullet(line)
	return isQuote(line) || ok && len(line) > m.width && (!m.ordered || m.start == "1")
}
