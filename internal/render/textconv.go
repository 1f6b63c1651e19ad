package render

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Textconv gives a plan file as `git diff` is to compare it: a line for each
// field and each item of a list, in the order of the format whatever the
// file's, then the body. What is no plan file is given as it is. Nothing in it
// can act on a terminal.
func Textconv(data []byte) string {
	doc := anyDocument(plan.Normalize(data))
	if doc == nil {
		return diag.PrintableText(string(data))
	}
	var b strings.Builder
	for _, v := range doc.Values() {
		items, ok := v.Value.([]any)
		if !ok {
			items = []any{v.Value}
		}
		for _, it := range items {
			text := strings.TrimRight(fmt.Sprint(it), "\n")
			fmt.Fprintf(&b, "%s: %s\n", v.Name, strings.ReplaceAll(text, "\n", "\n    "))
		}
		if len(items) == 0 {
			fmt.Fprintf(&b, "%s:\n", v.Name)
		}
	}
	return diag.PrintableText(b.String() + "\n" + strings.TrimLeft(doc.Body, "\n"))
}

// anyDocument reads a plan's file without knowing which: git gives it under a
// name of its own. It is nil where no kind of file has all of its fields.
func anyDocument(data []byte) *plan.Document {
	for _, path := range []string{"tasks/01-task.md", "plan.md", "signals/signal.md"} {
		p, _ := plan.Read("plan", "", []plan.File{{Path: path, Data: data}})
		docs := p.Documents()
		if len(docs) == 1 && docs[0].Readable && len(docs[0].Fields) > 0 && len(docs[0].Values()) == set(docs[0]) {
			return docs[0]
		}
	}
	return nil
}

// set counts the fields that are not null.
func set(d *plan.Document) int {
	n := 0
	for _, f := range d.Fields {
		if f.Value.Kind != plan.Null {
			n++
		}
	}
	return n
}
