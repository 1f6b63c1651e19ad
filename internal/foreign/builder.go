package foreign

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

// NewBuilder begins a file with a body and no fields.
func NewBuilder(name, body string) *Builder {
	p, _ := plan.Read("new", "", []plan.File{{Path: name, Data: []byte("---\n---\n\n" + body + "\n")}})
	return &Builder{Doc: p.Documents()[0]}
}

// File is the file that was made, by its path; lost tells of the edits that could
// not be made.
func (b *Builder) File(path string) (f plan.File, lost []string) {
	for _, why := range b.Refused {
		lost = append(lost, path+", "+why)
	}
	return plan.File{Path: path, Data: []byte(b.Doc.Source)}, lost
}

// Set gives a field a text; nil takes the field out.
func (b *Builder) Set(field string, text *string) {
	if text == nil {
		b.Drop(field)
		return
	}
	b.Edit(field, plan.Value(*text))
}

// SetNumber gives a field a number; nil takes the field out.
func (b *Builder) SetNumber(field string, n *int) {
	if n == nil {
		b.Drop(field)
		return
	}
	b.Edit(field, plan.Value(*n))
}

// SetList gives a field a list; nil takes the field out.
func (b *Builder) SetList(field string, list []string) {
	if list == nil {
		b.Drop(field)
		return
	}
	b.Edit(field, plan.Value(list))
}

// Edit gives a field a value.
func (b *Builder) Edit(field string, value plan.Node) {
	b.keep(field, func(d *plan.Document) (*plan.Document, error) { return d.Set(field, value) })
}

// Drop takes a field out.
func (b *Builder) Drop(field string) {
	b.keep(field, func(d *plan.Document) (*plan.Document, error) { return d.Delete(field) })
}

// Stamps takes out what is not true any more of a task that has come to another
// status. What the form itself says stays.
func (b *Builder) Stamps(to plan.Status, said ...string) {
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
		if !slices.Contains(said, key) {
			b.Drop(key)
		}
	}
}

// Body gives the file another body.
func (b *Builder) Body(text string) {
	b.keep("body", func(d *plan.Document) (*plan.Document, error) { return d.WithBody(text) })
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
