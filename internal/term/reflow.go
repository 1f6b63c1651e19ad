package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-plan/git-plan/plan/diag"
)

// reflow joins to each line of prose that is wider than room the lines that go
// on with its paragraph: else each line that was broken by hand for a wider
// terminal would leave a word or two on a line of their own. Lists, tables,
// headings and code stay as they are, and so does all where nothing is broken.
func reflow(lines []string, room int) []string {
	if room <= 0 {
		return lines
	}
	var out []string
	code := false
	for _, line := range lines {
		if isFence(line) {
			code = !code
		}
		last := len(out) - 1
		if !code && last >= 0 && isProse(line) && isProse(out[last]) && diag.Width(out[last]) > room {
			out[last] += " " + line
			continue
		}
		out = append(out, line)
	}
	return out
}

func isFence(line string) bool {
	line = strings.TrimLeft(line, " ")
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// isProse reports whether a line of markdown is surely part of a paragraph, by
// how it begins. One that ends in two spaces breaks there.
func isProse(line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	return (unicode.IsLetter(first) || strings.ContainsRune("`(\"'*_", first) && !isFence(line) && !strings.HasPrefix(line, "* ")) &&
		!strings.HasSuffix(line, "  ")
}
