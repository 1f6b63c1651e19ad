package plan

import (
	"strings"
)

// ComposeTask writes the file of a new task: the fields in canonical order,
// each in the plainest form that reads back as the same value, and the body.
// The values are those that [Value] takes; a name that is no field of a task is
// left out. What the format cannot hold, such as a control character, is an
// *[EditError]; whether the task is a good one is for others to say.
func ComposeTask(path string, fields map[string]any, body string) (File, error) {
	return compose(taskDoc, path, fields, body)
}

// ComposePlan writes a new plan.md in the same way.
func ComposePlan(fields map[string]any, body string) (File, error) {
	return compose(planDoc, "plan.md", fields, body)
}

func compose(kind docKind, path string, fields map[string]any, body string) (File, error) {
	body = "\n" + strings.Trim(body, "\n") + "\n"
	var err error
	for _, emit := range []func(FieldSpec, Node) string{emitShort, emitQuoted} {
		source := "---\n"
		for _, spec := range specs(kind) {
			if v, ok := fields[spec.Name]; ok {
				source += emit(spec, Value(v))
			}
		}
		source += "---\n" + body
		if err = saysJust(kind, path, source, fields, body); err == nil {
			return File{Path: path, Data: []byte(source)}, nil
		}
	}
	return File{}, err
}

func emitShort(spec FieldSpec, v Node) string { return emitField(spec.Name, v, spec.flow) }

// emitQuoted writes a field whose short form would be read otherwise.
func emitQuoted(spec FieldSpec, v Node) string {
	switch v.Kind {
	case String:
		return spec.Name + ": " + quoteDouble(v.Text) + "\n"
	case List:
		var b strings.Builder
		b.WriteString(spec.Name + ":\n")
		for _, it := range v.Items {
			b.WriteString("  - " + quoteDouble(it.Text) + "\n")
		}
		if len(v.Items) > 0 {
			return b.String()
		}
	}
	return emitShort(spec, v)
}

// saysJust holds a file that was written against what it was to say.
func saysJust(kind docKind, path, source string, fields map[string]any, body string) error {
	d, found := parseDocument(kind, path, []byte(source))
	if !d.Readable {
		reason := "the file would not be readable"
		if len(found) > 0 {
			reason = found[0].Message
		}
		return &EditError{Path: path, Key: "frontmatter", Reason: reason}
	}
	for _, spec := range specs(kind) {
		v, ok := fields[spec.Name]
		if !ok {
			continue
		}
		want := Value(v)
		if what := badText(want); what != "" {
			return d.refuse(spec.Name, "the value holds what no plan file can: "+what, "leave it out")
		}
		if f := d.Field(spec.Name); f == nil || !f.Value.Equal(want) {
			return d.refuse(spec.Name, "the value would read back differently", plainLines)
		}
	}
	if d.Body != body {
		return d.refuse("body", "the text would read back differently", "leave out carriage returns and control characters")
	}
	return nil
}
