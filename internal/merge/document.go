package merge

import (
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// docMerge is the merge of one file's frontmatter and body.
type docMerge struct {
	*merger
	// task is the id that conflicts name, prefix what their fields begin with.
	task, prefix       string
	base, ours, theirs *plan.Document
	// container says that the status follows from tasks below.
	container bool

	want map[string]*plan.Node // nil for a field that is not set
	body string
	// jotted are the notes that the task gets.
	jotted []string
}

// documents merges a file that both sides have; base is nil where they both
// made it. A side that the other one did not touch keeps its bytes.
func (m *merger) documents(task, prefix string, base, ours, theirs *plan.Document) *plan.Document {
	d := &docMerge{merger: m, task: task, prefix: prefix, base: base, ours: ours, theirs: theirs}
	return d.run()
}

func (d *docMerge) run() *plan.Document {
	switch {
	case d.ours.Source == d.theirs.Source:
		return d.ours
	case d.base != nil && d.base.Source == d.ours.Source:
		return d.theirs
	case d.base != nil && d.base.Source == d.theirs.Source:
		return d.ours
	case !wellFormed(d.ours) || !wellFormed(d.theirs) || d.base != nil && !wellFormed(d.base):
		return d.asText()
	}
	d.decide()
	return d.realise()
}

// wellFormed reports whether a document's fields can be told apart.
func wellFormed(d *plan.Document) bool {
	if !d.Readable {
		return false
	}
	for i := range d.Fields {
		if d.Field(d.Fields[i].Key) != &d.Fields[i] {
			return false
		}
	}
	return true
}

// asText merges a file that cannot be read as fields.
func (d *docMerge) asText() *plan.Document {
	base := sourceOf(d.base)
	text := mergeText(base, d.ours.Source, d.theirs.Source, Ours)
	if text.clean {
		return parse(d.ours.Path, text.text)
	}
	side := d.conflict("text", text.ours, text.theirs, "the frontmatter of a side cannot be read")
	return parse(d.ours.Path, mergeText(base, d.ours.Source, d.theirs.Source, side).text)
}

// parse reads one file of a plan by its path within the plan's folder; nil
// where no file of a plan has such a path.
func parse(path, text string) *plan.Document {
	p, _ := plan.Read("merged", "", []plan.File{{Path: path, Data: []byte(text)}})
	if all := p.Documents(); len(all) > 0 {
		return all[0]
	}
	return nil
}

func (d *docMerge) conflict(field, ours, theirs, message string) Side {
	return d.settle(Conflict{Task: d.task, Field: d.prefix + field, Ours: ours, Theirs: theirs, Message: message})
}

// decide says what each field and the body become.
func (d *docMerge) decide() {
	d.want = map[string]*plan.Node{}
	if d.isTask() {
		d.record()
	}
	d.made()
	for _, key := range d.keys() {
		if _, decided := d.want[key]; !decided {
			d.want[key] = d.field(key)
		}
	}
	d.jot()
	base := bodyOf(d.base)
	text := mergeText(base, d.ours.Body, d.theirs.Body, Theirs)
	if d.body = text.text; !text.clean {
		side := d.conflict("body", strings.TrimSpace(text.ours), strings.TrimSpace(text.theirs), "")
		d.body = mergeText(base, d.ours.Body, d.theirs.Body, side).text
	}
}

// sourceOf gives the text of a file that may be missing.
func sourceOf(d *plan.Document) string {
	if d == nil {
		return ""
	}
	return d.Source
}

func (d *docMerge) isTask() bool { return strings.HasPrefix(d.ours.Path, "tasks/") }

// keys gives every field of the three states, those of theirs first.
func (d *docMerge) keys() []string {
	var keys []string
	for _, doc := range []*plan.Document{d.theirs, d.ours, d.base} {
		for i := 0; doc != nil && i < len(doc.Fields); i++ {
			if key := doc.Fields[i].Key; !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

func (d *docMerge) on(s Side) *plan.Document {
	if s == Ours {
		return d.ours
	}
	return d.theirs
}

// node gives a field's value, nil where it is not set.
func node(doc *plan.Document, key string) *plan.Node {
	if !doc.Has(key) {
		return nil
	}
	return &doc.Field(key).Value
}

func same(a, b *plan.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(*b)
}

// oneSided gives the value of a field that at most one side changed, or that
// both changed alike.
func (d *docMerge) oneSided(key string) (value *plan.Node, ok bool) {
	b, o, t := node(d.base, key), node(d.ours, key), node(d.theirs, key)
	switch {
	case same(o, t), same(b, t):
		return o, true
	case same(b, o):
		return t, true
	}
	return nil, false
}

// field merges one field that has no rule of its own.
func (d *docMerge) field(key string) *plan.Node {
	if v, ok := d.oneSided(key); ok {
		return v
	}
	b, o, t := node(d.base, key), node(d.ours, key), node(d.theirs, key)
	if areLists(b, o, t) {
		return d.list(key, b, o, t)
	}
	return node(d.on(d.conflict(key, text(o), text(t), "")), key)
}

// made gives a plan that both sides brought in the earlier of its beginnings, of
// two in one second theirs.
func (d *docMerge) made() {
	const key = "created_at"
	if d.isTask() || d.base.Has(key) || !d.ours.Has(key) || !d.theirs.Has(key) {
		return
	}
	first := d.on(d.earlier(key))
	d.want[key], d.want["created_by"] = node(first, key), node(first, "created_by")
}

// text gives a value as a conflict shows it.
func text(n *plan.Node) string {
	if n == nil {
		return ""
	}
	switch n.Kind {
	case plan.List:
		var items []string
		for i := range n.Items {
			items = append(items, text(&n.Items[i]))
		}
		return strings.Join(items, ", ")
	case plan.Map:
		var fields []string
		for i := range n.Fields {
			fields = append(fields, n.Fields[i].Key+": "+text(&n.Fields[i].Value))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	return n.Text
}

// realise makes the document that holds what was decided: the lines of both
// sides where those fit together and mean just that, else their document, edited
// in place, else ours.
func (d *docMerge) realise() *plan.Document {
	base := sourceOf(d.base)
	if t := mergeText(base, d.ours.Source, d.theirs.Source, Ours); t.clean {
		if doc := parse(d.ours.Path, t.text); doc != nil && wellFormed(doc) && d.holds(doc) {
			return doc
		}
	}
	doc, err := d.edited(d.theirs, d.ours)
	if err != nil {
		var again error
		if doc, again = d.edited(d.ours, d.theirs); again != nil {
			return d.on(d.conflict("text", "", "", err.Error()))
		}
	}
	return doc
}

// holds reports whether a document means what was decided.
func (d *docMerge) holds(doc *plan.Document) bool {
	for key, v := range d.want {
		if !same(node(doc, key), v) {
			return false
		}
	}
	for i := range doc.Fields {
		if _, ok := d.want[doc.Fields[i].Key]; !ok {
			return false
		}
	}
	return doc.Body == d.body
}

// edited makes of a side's document what was decided, by edits in place.
func (d *docMerge) edited(doc, other *plan.Document) (*plan.Document, error) {
	var err error
	keys := d.keys()
	if _, ok := d.want["notes"]; ok && !slices.Contains(keys, "notes") {
		keys = append(keys, "notes")
	}
	for _, key := range keys {
		v := d.want[key]
		switch {
		case same(node(doc, key), v):
		case v == nil:
			doc, err = doc.Delete(key)
		default:
			doc, err = d.set(doc, other, key, v)
		}
		if err != nil {
			return nil, err
		}
	}
	doc = d.withComments(doc, other)
	if doc.Body != d.body {
		return doc.WithBody(d.body)
	}
	return doc, nil
}

// set gives a field a value: the other side's lines, if it has that value,
// else items that only come last are added to the list as it is written.
func (d *docMerge) set(doc, other *plan.Document, key string, v *plan.Node) (*plan.Document, error) {
	next, err := doc.Set(key, *v)
	if err != nil {
		return nil, err
	}
	if same(node(other, key), v) {
		if taken := transplanted(next, other, key); taken != nil {
			return taken, nil
		}
	}
	if old := node(doc, key); old != nil && areLists(old, v) && len(old.Items) > 0 && len(v.Items) > len(old.Items) {
		n := len(old.Items)
		if slices.EqualFunc(old.Items, v.Items[:n], plan.Node.Equal) {
			return doc.Append(key, texts(v)[n:]...)
		}
	}
	return next, nil
}

// transplanted gives the document with a field as another one writes it, with
// its comment and quoting; nil where that would change what the document
// means.
func transplanted(doc, from *plan.Document, key string) *plan.Document {
	start, end, ok := doc.Span(key)
	a, b, there := from.Span(key)
	if !ok || !there {
		return nil
	}
	if next := parse(doc.Path, doc.Source[:start]+from.Source[a:b]+doc.Source[end:]); alike(next, doc) {
		return next
	}
	return nil
}
