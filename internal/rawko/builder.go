package rawko

import (
	"fmt"

	"github.com/git-plan/git-plan/plan"
)

// builder makes one file by editing a document in place.
type builder struct {
	doc *plan.Document
	// refused tells of the edits that could not be made.
	refused []string
}

// newBuilder begins a file with a body and no fields.
func newBuilder(name, body string) *builder {
	p, _ := plan.Read("new", "", []plan.File{{Path: name, Data: []byte("---\n---\n\n" + body + "\n")}})
	return &builder{doc: p.Documents()[0]}
}

// set gives a field a text; nil takes the field out.
func (b *builder) set(field string, text *string) {
	if text == nil {
		b.drop(field)
		return
	}
	b.edit(field, plan.Value(*text))
}

func (b *builder) setNumber(field string, n *int) {
	if n == nil {
		b.drop(field)
		return
	}
	b.edit(field, plan.Value(*n))
}

// setList gives a field a list; nil takes the field out.
func (b *builder) setList(field string, list []string) {
	if list == nil {
		b.drop(field)
		return
	}
	b.edit(field, plan.Value(list))
}

func (b *builder) edit(field string, value plan.Node) {
	b.keep(field, func(d *plan.Document) (*plan.Document, error) { return d.Set(field, value) })
}

func (b *builder) drop(field string) {
	b.keep(field, func(d *plan.Document) (*plan.Document, error) { return d.Delete(field) })
}

func (b *builder) body(text string) {
	b.keep("body", func(d *plan.Document) (*plan.Document, error) { return d.WithBody(text) })
}

// keep makes an edit; where the document is written in a way that does not
// allow it, on its canonical form.
func (b *builder) keep(what string, edit func(*plan.Document) (*plan.Document, error)) {
	next, err := edit(b.doc)
	if err != nil {
		if plain, ok := b.doc.Format(); ok {
			next, err = edit(plain)
		}
	}
	if err != nil {
		b.refused = append(b.refused, fmt.Sprintf("`%s`: %v", what, err))
		return
	}
	b.doc = next
}
