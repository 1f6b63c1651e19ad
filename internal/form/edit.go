package form

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// Builder makes one file by editing a document in place.
type Builder struct {
	Doc *plan.Document
	// Refused tells of the edits that could not be made.
	Refused []string
}

// Edit gives a field a value.
func (b *Builder) Edit(field string, value plan.Node) {
	b.keep(field, func(d *plan.Document) (*plan.Document, error) { return d.Set(field, value) })
}

// Drop takes a field out.
func (b *Builder) Drop(field string) {
	b.keep(field, func(d *plan.Document) (*plan.Document, error) { return d.Delete(field) })
}

// Body gives the file another body.
func (b *Builder) Body(text string) {
	b.keep("body", func(d *plan.Document) (*plan.Document, error) { return d.WithBody(text) })
}

// Item brings the file to what an item says.
func (b *Builder) Item(it *Item) {
	b.fields(it)
	b.text(it)
}

// fields brings the frontmatter to what an item says. Where the file says that
// already in its own way, by what the form tells of it, it stays.
func (b *Builder) fields(it *Item) {
	for _, f := range it.Fields {
		switch {
		case it.Was != nil && it.Was.Field(f.Key).Equal(f.Value):
		case f.Value.Kind == plan.Null:
			b.Drop(f.Key)
		default:
			b.Edit(f.Key, f.Value)
			if f.Key == "status" {
				b.stamps(plan.Status(f.Value.Text), it)
			}
		}
	}
}

// stamps takes out what is not true any more of a task that has come to another
// status. What the form itself says stays.
func (b *Builder) stamps(to plan.Status, it *Item) {
	var gone []string
	if to != plan.InProgress {
		gone = append(gone, "lease_until")
	}
	if !to.Settled() {
		gone = append(gone, "completed_at")
	}
	if to == plan.Pending {
		gone = append(gone, "started_at", "executed_by")
	}
	for _, key := range gone {
		if !slices.ContainsFunc(it.Fields, func(f plan.Field) bool { return f.Key == key }) {
			b.Drop(key)
		}
	}
}

// text brings the body to what an item says.
func (b *Builder) text(it *Item) {
	if it.Text != nil && it.Was != nil && it.body() != it.Was.body() {
		b.Body("\n" + it.body() + "\n")
	}
}

// keep makes an edit; where the document is written in a way that does not
// allow it, on its canonical form.
func (b *Builder) keep(what string, edit func(*plan.Document) (*plan.Document, error)) {
	next, err := edit(b.Doc)
	if err != nil {
		if plain, ok := b.Doc.Format(); ok {
			next, err = edit(plain)
		}
	}
	if err != nil {
		b.Refused = append(b.Refused, fmt.Sprintf("`%s`: %v", what, err))
		return
	}
	b.Doc = next
}

// setList brings a list to what it is to say; an empty one goes.
func setList(b *Builder, key string, was, want []string) {
	switch {
	case slices.Equal(was, want):
	case len(want) == 0:
		b.Drop(key)
	default:
		b.Edit(key, plan.Value(want))
	}
}
