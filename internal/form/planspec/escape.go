package planspec

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-plan/git-plan/plan/diag"
)

const (
	progressWord = "Progress:"
	inputArrow   = "←"
	outputArrow  = "→"
)

// Everywhere the rule is the same: a backslash directly before something that
// would mean more than itself is dropped, and it then means itself. So n
// backslashes before it are written as n+1, and all others as they are.

// cutBar cuts text at the first "|" that no backslash stands before.
func cutBar(text string) (part, rest string, found bool) {
	for i := 0; i < len(text); i++ {
		if text[i] == '|' && (i == 0 || text[i-1] != '\\') {
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// lastArrow finds the last "→" that no backslash stands before, or gives -1.
func lastArrow(text string) int {
	for {
		i := strings.LastIndex(text, outputArrow)
		if i <= 0 || text[i-1] != '\\' {
			return i
		}
		text = text[:i]
	}
}

func unescapeBars(text string) string { return strings.ReplaceAll(text, `\|`, "|") }

func escapeBars(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// unescapeHead decodes what stands before the first bar.
func unescapeHead(text string) string {
	return strings.ReplaceAll(unescapeBars(text), `\`+outputArrow, outputArrow)
}

// escapeName writes a name that stands before the first bar. Its arrows are
// escaped, for the arrow before it is to be the last one.
func escapeName(name string) string {
	return strings.ReplaceAll(escapeBars(name), outputArrow, `\`+outputArrow)
}

// escapeProse writes a description that is the end of what stands before the
// first bar. An arrow in it is read as that of the outputs if names follow;
// from the right, each such one is escaped.
func escapeProse(text string) string {
	text = escapeHeadRuns(text)
	var tails []string // from right to left
	for glued := ""; ; glued = outputArrow {
		i := lastArrow(text)
		if i < 0 {
			break
		}
		tail := text[i+len(outputArrow):]
		if _, ok := parseNames(tail + glued); !ok {
			break
		}
		tails, text = append(tails, tail), text[:i]
		first, _, _ := strings.Cut(tail+glued, ",")
		if name := strings.TrimLeftFunc(first, unicode.IsSpace); name != "" && name != first {
			break // what follows the arrow before has white space within
		}
	}
	var b strings.Builder
	b.WriteString(text)
	for _, tail := range slices.Backward(tails) {
		b.WriteString(`\` + outputArrow + tail)
	}
	return b.String()
}

// escapeHeadRuns writes a description that an arrow for the outputs follows.
func escapeHeadRuns(text string) string {
	return escapeBars(strings.ReplaceAll(text, `\`+outputArrow, `\\`+outputArrow))
}

// maxNames bounds how many inputs, and how many outputs, a step names.
const maxNames = 1000

// parseNames reads names separated by commas. It reports false where there is
// none, or too many, or white space within one: then the text is prose.
func parseNames(text string) ([]string, bool) {
	if strings.Count(text, ",") >= maxNames {
		return nil, false
	}
	var names []string
	for piece := range strings.SplitSeq(text, ",") {
		piece = strings.TrimSpace(piece)
		if strings.ContainsFunc(piece, unicode.IsSpace) {
			return nil, false
		}
		if piece != "" {
			names = append(names, piece)
		}
	}
	return names, len(names) > 0
}

// isName reports whether a name can stand in a list of names.
func isName(name string) bool {
	return name != "" && !strings.Contains(name, ",") && !strings.ContainsFunc(name, unicode.IsSpace)
}

// unescapeLead drops the backslash before a lead that stands at the beginning
// of text, where special reports whether one does.
func unescapeLead(text string, special func(string) bool) string {
	if strings.HasPrefix(text, `\`) && special(strings.TrimLeft(text, `\`)) {
		return text[1:]
	}
	return text
}

// escapeLead is the inverse of unescapeLead; bare says whether a lead without
// backslashes needs one, too.
func escapeLead(text string, bare bool, special func(string) bool) string {
	after := strings.TrimLeft(text, `\`)
	if special(after) && (bare || len(after) < len(text)) {
		return `\` + text
	}
	return text
}

func leadsProgress(text string) bool { return strings.HasPrefix(text, progressWord) }

func leadsInputs(text string) bool { return strings.HasPrefix(text, inputArrow) }

// leadsBracket reports whether text begins with a status or a type.
func leadsBracket(text string) bool {
	_, status := cutStatus(text)
	_, _, typ := cutType(text)
	return status || typ
}

// cutStatus reads the marker of a status at the beginning of text.
func cutStatus(text string) (Status, bool) {
	if len(text) < 3 || text[0] != '[' || text[2] != ']' {
		return Status{}, false
	}
	marker := strings.ToLower(text[:3])
	for _, s := range Statuses() {
		if s.Marker == marker {
			return s, true
		}
	}
	return Status{}, false
}

// cutType reads a type in brackets at the beginning of text, and gives what
// follows. Any word may stand there, also none, so that [Validate] can name
// what is wrong with it.
func cutType(text string) (typ, rest string, ok bool) {
	if !strings.HasPrefix(text, "[") {
		return "", text, false
	}
	end := strings.IndexAny(text[1:], `[]\|→`+" \t")
	if end < 0 || text[1+end] != ']' || !isType(text[1:1+end]) {
		return "", text, false
	}
	return text[1 : 1+end], text[end+2:], true
}

// isType reports whether a type can stand in brackets, where it is no status.
func isType(typ string) bool {
	_, status := cutStatus("[" + typ + "]")
	return !status && !strings.ContainsAny(typ, `[]\|→`) && !strings.ContainsFunc(typ, unicode.IsSpace)
}

// quoteShort makes text of a plan fit for a message: one line, not long.
func quoteShort(s string) string {
	const limit = 60
	if len(s) > 8*limit {
		s = s[:8*limit]
	}
	return diag.OneLine(strings.ToValidUTF8(s, ""), limit)
}
