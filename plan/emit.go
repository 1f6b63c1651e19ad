package plan

import (
	"strings"

	"github.com/goccy/go-yaml/token"
)

// Text that YAML reads back as the same string without quotes, whatever the
// version: it begins with a letter and holds nothing with a meaning of its
// own. Times are the one exception that begins with a digit.
var (
	plainText = Pattern(`^[\pL_][\pL\pN_ ./@+()=;<>^~$-]*$`)
	plainTime = Pattern(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)
	plainPath = Pattern(`^[\pL_./][\pL\pN_./@+-]*[\pL\pN_/]$`)
)

// emitScalar writes s as a YAML scalar on one line: plain where that is safe,
// else double-quoted.
func emitScalar(s string) string {
	if plainTime().MatchString(s) || isPlain(s) {
		return s
	}
	return quoteDouble(s)
}

func isPlain(s string) bool {
	if !plainText().MatchString(s) && !plainPath().MatchString(s) || strings.HasSuffix(s, " ") {
		return false
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n", "~", ".", ".inf", ".nan":
		return false // some YAML version reads it as other than a string
	}
	return !token.IsNeedQuoted(s) && !strings.HasPrefix(s, "...") && !strings.Contains(s, tooManyAngles)
}

// emitFlow writes s as an item of a flow list.
func emitFlow(s string) string {
	if strings.ContainsAny(s, ",[]{}") {
		return quoteDouble(s)
	}
	return emitScalar(s)
}

func emitFlowList(items []string) string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = emitFlow(it)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

var doubleEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\r", `\r`)

func quoteDouble(s string) string { return `"` + doubleEscapes.Replace(s) + `"` }

// emitLike writes v on one line, in the quoting that old, the text of the
// value it takes the place of, has, where that can hold it.
func emitLike(old string, v Node) string {
	switch {
	case v.Kind == String && strings.HasPrefix(old, `"`):
		return quoteDouble(v.Text)
	case v.Kind == String && strings.HasPrefix(old, "'") && !strings.ContainsAny(v.Text, "\n\t\r"):
		return "'" + strings.ReplaceAll(v.Text, "'", "''") + "'"
	case v.Kind == String:
		return emitScalar(v.Text)
	}
	return emitInline(v)
}

// emitField writes a whole field, with its line feed: a scalar on the key's
// line, text of several lines as a literal block, lists as flow or block.
func emitField(key string, v Node, flow bool) string {
	switch v.Kind {
	case List:
		return emitList(key, v.strings(), flow)
	case String:
		if strings.Contains(v.Text, "\n") {
			if block, ok := emitLiteral(v.Text); ok {
				return key + ": " + block
			}
		}
		return key + ": " + emitScalar(v.Text) + "\n"
	default:
		return key + ": " + v.Text + "\n"
	}
}

const widest = 80 // characters in a line of a flow list

func emitList(key string, items []string, flow bool) string {
	if len(items) == 0 {
		return key + ": []\n"
	}
	if line := key + ": " + emitFlowList(items); flow && len(line) <= widest {
		return line + "\n"
	}
	var b strings.Builder
	b.WriteString(key + ":\n")
	for _, it := range items {
		b.WriteString("  - " + emitItem(it) + "\n")
	}
	return b.String()
}

// emitItem writes an item of a block list, without its dash and
// line feed.
func emitItem(s string) string {
	if strings.Contains(s, "\n") {
		return quoteDouble(s)
	}
	return emitScalar(s)
}

// emitLiteral writes text of several lines as a literal block, where a block
// can hold it: each line at an indent of two, the last without an end.
func emitLiteral(s string) (string, bool) {
	body := strings.TrimSuffix(s, "\n")
	if !strings.Contains(body, "\n") || strings.HasSuffix(body, "\n") || body != strings.TrimLeft(body, " \n\t") {
		return "", false
	}
	if strings.Contains(body, " \n") || strings.ContainsAny(body, "\t\r") || strings.HasSuffix(body, " ") {
		return "", false
	}
	var b strings.Builder
	b.WriteString("|")
	if body == s {
		b.WriteString("-")
	}
	b.WriteString("\n")
	for line := range strings.SplitSeq(body, "\n") {
		// A line that is only a fence would close the frontmatter.
		if s := strings.TrimSpace(line); s == "---" || s == "..." {
			return "", false
		}
		if line != "" {
			b.WriteString("  " + line)
		}
		b.WriteString("\n")
	}
	return b.String(), true
}
