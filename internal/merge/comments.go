package merge

import (
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// withComments gives a document with the lines of comment that another side wrote
// above a field, which an edit in place would lose. Of a field that is gone they go
// along.
func (d *docMerge) withComments(doc, other *plan.Document) *plan.Document {
	before := ""
	if d.base != nil {
		before = d.base.Source
	}
	for _, f := range other.Fields {
		start, _, ok := other.Span(f.Key)
		at, _, there := doc.Span(f.Key)
		if !ok || !there {
			continue
		}
		known := slices.Concat(lines(before), lines(doc.Source))
		added := slices.DeleteFunc(commentsAbove(other.Source[:start]), func(line string) bool { return slices.Contains(known, line) })
		if len(added) == 0 {
			continue
		}
		if next := parse(doc.Path, doc.Source[:at]+strings.Join(added, "")+doc.Source[at:]); alike(next, doc) {
			doc = next
		}
	}
	return doc
}

// commentsAbove gives the lines of comment at the end of a text. What is indented
// may be part of a value.
func commentsAbove(text string) []string {
	all := lines(text)
	from := len(all)
	for from > 0 && strings.HasPrefix(all[from-1], "#") {
		from--
	}
	return all[from:]
}

// alike reports whether a document says the same as another, but for how it is
// written; it may be nil.
func alike(doc, as *plan.Document) bool {
	return doc != nil && wellFormed(doc) && doc.Body == as.Body && slices.EqualFunc(doc.Fields, as.Fields, func(a, b plan.Field) bool {
		return a.Key == b.Key && a.Value.Equal(b.Value)
	})
}
