package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// withComments gives a document with the lines of comment that another side wrote
// above a field, which an edit in place would lose. Of a field that is gone they go
// along.
func (d *docMerge) withComments(doc, other *plan.Document) *plan.Document {
	known := map[string]bool{}
	for _, line := range lines(doc.Source) {
		known[line] = true
	}
	if d.base != nil {
		for _, line := range lines(d.base.Source) {
			known[line] = true
		}
	}
	above := map[int]string{} // by where in doc
	for _, f := range other.Fields {
		start, _, ok := other.Span(f.Key)
		at, _, there := doc.Span(f.Key)
		if !ok || !there {
			continue
		}
		for _, line := range commentsAbove(other.Source[:start]) {
			if !known[line] {
				above[at] += line
			}
		}
	}
	text := doc.Source
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(above))) {
		text = text[:at] + above[at] + text[at:]
	}
	if text == doc.Source {
		return doc
	}
	if next := parse(doc.Path, text); alike(next, doc) {
		return next
	}
	return doc
}

// commentsAbove gives the lines of comment at the end of a text. What is indented
// may be part of a value.
func commentsAbove(text string) (comments []string) {
	for end := len(text); end > 0; {
		from := strings.LastIndexByte(text[:end-1], '\n') + 1
		if text[from] != '#' {
			break
		}
		comments, end = append(comments, text[from:end]), from
	}
	slices.Reverse(comments)
	return comments
}

// alike reports whether a document says the same as another, but for how it is
// written; it may be nil.
func alike(doc, as *plan.Document) bool {
	return doc != nil && wellFormed(doc) && doc.Body == as.Body && slices.EqualFunc(doc.Fields, as.Fields, plan.Field.Equal)
}
