package plan

import (
	"slices"
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

// Compose writes a file of a plan, of the kind that its path says: these fields
// in canonical order, then the others in theirs, and the body. Unlike
// [ComposeTask] it takes fields of any name and value, each name once; whether
// the file may have them is for [Read] to say.
func Compose(path string, fields []Field, body string) (File, error) {
	kind, _ := classify(path)
	d := &Document{kind: kind}
	fields = slices.Clone(fields)
	slices.SortStableFunc(fields, func(a, b Field) int { return d.order(a.Key) - d.order(b.Key) })
	return composeFields(kind, path, fields, body)
}

func compose(kind docKind, path string, values map[string]any, body string) (File, error) {
	var fields []Field
	for _, spec := range specs(kind) {
		if v, ok := values[spec.Name]; ok {
			fields = append(fields, Field{Key: spec.Name, Value: Value(v)})
		}
	}
	return composeFields(kind, path, fields, "\n"+strings.Trim(body, "\n")+"\n")
}

// composeFields writes the fields as they stand.
func composeFields(kind docKind, path string, fields []Field, body string) (File, error) {
	d := &Document{kind: kind}
	var err error
	for _, emit := range []func(f Field, flow bool) string{emitAny, emitQuoted} {
		var b strings.Builder
		b.WriteString("---\n")
		for _, f := range fields {
			b.WriteString(emit(f, d.isFlow(f.Key)))
		}
		b.WriteString("---\n" + body)
		if err = saysJust(kind, path, b.String(), fields, body); err == nil {
			return File{Path: path, Data: []byte(b.String())}, nil
		}
	}
	return File{}, err
}

// emitQuoted writes a field whose short form would be read otherwise.
func emitQuoted(f Field, flow bool) string {
	key, v := emitScalar(f.Key), f.Value
	switch {
	case v.Kind == String:
		return key + ": " + quoteDouble(v.Text) + "\n"
	case v.Kind == Map || hasNested(v):
		return key + ": " + emitInlineAs(v, quoteDouble) + "\n"
	case v.Kind == List && len(v.Items) > 0:
		var b strings.Builder
		b.WriteString(key + ":\n")
		for _, it := range v.Items {
			b.WriteString("  - " + quoteDouble(it.Text) + "\n")
		}
		return b.String()
	}
	return emitAny(f, flow)
}

// saysJust holds a file that was written against what it was to say.
func saysJust(kind docKind, path, source string, fields []Field, body string) error {
	d, found := parseDocument(kind, path, []byte(source))
	for _, want := range fields { // first, as by such a one no other field can be read
		if what := badText(want.Value); what != "" {
			return d.refuse(want.Key, what, "leave it out")
		}
	}
	if !d.Readable {
		return unreadable(path, "frontmatter", "the file would not be readable", found)
	}
	for _, want := range fields {
		if f := d.Field(want.Key); f == nil || !f.Value.Equal(want.Value) {
			return d.refuse(want.Key, "the value would read back differently", plainLines)
		}
	}
	if d.Body != body {
		return d.refuse("body", "the text would read back differently", "leave out carriage returns and control characters")
	}
	return nil
}
