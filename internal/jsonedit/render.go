package jsonedit

import (
	"encoding/json"
	"strings"
)

// Object is an object whose members have an order.
type Object []Member

// Member is a member of an [Object].
type Member struct {
	Key   string
	Value any
}

// List is a list of values.
type List []any

// layout is how values are written into a text.
type layout struct {
	// lineEnd and unit are the text's line end and one step of its indentation;
	// an empty line end writes on one line.
	lineEnd, unit string
}

// write gives a value as text, its further lines indented from the given
// indentation on. White space always stands before the bracket that closes a
// list or object: by that it is known for ours when it is taken out again.
func (l layout) write(v any, indent string) string {
	switch v := v.(type) {
	case Object:
		items := make([]string, len(v))
		for i, m := range v {
			items[i] = quote(m.Key) + ": " + l.write(m.Value, indent+l.unit)
		}
		return l.bracket("{", items, "}", indent)
	case List:
		items := make([]string, len(v))
		for i, e := range v {
			items[i] = l.write(e, indent+l.unit)
		}
		return l.bracket("[", items, "]", indent)
	}
	return quote(v)
}

func (l layout) bracket(open string, items []string, shut, indent string) string {
	if l.lineEnd == "" {
		return open + " " + strings.Join(items, ", ") + " " + shut
	}
	inner := l.lineEnd + indent + l.unit
	return open + inner + strings.Join(items, ","+inner) + l.lineEnd + indent + shut
}

// quote writes a plain value as JSON, without escapes for HTML.
func quote(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only texts, numbers and truth values are written
	}
	return strings.TrimSuffix(b.String(), "\n")
}
