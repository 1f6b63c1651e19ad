package form

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Outline is a plan as the other forms tell it: what is said of the plan, and
// items below each other.
type Outline struct {
	Plan  Item
	Items []*Item
}

// Item is what a form says of a task, or of the plan. Its fields have our names.
type Item struct {
	// Number is the item's place in the tree, such as "2.1", ID the id that the form
	// gives it, or "".
	Number string
	ID     string
	// Path is the file's path in the plan's folder; [Outline.Files] sets those of
	// tasks. Where it is empty no file is made.
	Path string
	// Fields are what the form says of the frontmatter, without id and depends_on.
	// A null says that there is none.
	Fields []plan.Field
	// Text is the body, nil where the form does not say. An empty one is the title,
	// unless Bare is set.
	Text *string
	Bare bool
	// Needs are what the item waits for; nil says that the field is not set, unless
	// the form is Silent on what waits for what.
	Needs  []*Item
	Silent bool
	// Children are the items below it.
	Children []*Item
	// Pos is where the item was read, Places are those of its values by the names of
	// fields, and of the "body".
	Pos    diag.Pos
	Places map[string]diag.Pos

	// Task is what the item is in a stored plan, and Was what the form says of that
	// one; both are nil for another item. [Outline.Match] sets them.
	Task *plan.Task
	Was  *Item
	// Made is the file, once it is made.
	Made plan.File
}

// All gives the items in order, each before those below it.
func (o *Outline) All() []*Item { return allOf(o.Items) }

func allOf(items []*Item) (out []*Item) {
	for _, it := range items {
		out = append(append(out, it), allOf(it.Children)...)
	}
	return out
}

// Find gives the item with a number, or nil.
func (o *Outline) Find(number string) *Item {
	for _, it := range o.All() {
		if it.Number == number {
			return it
		}
	}
	return nil
}

// Clone gives a copy whose items can be changed.
func (o *Outline) Clone() *Outline {
	c := *o
	c.Plan.Fields, c.Items = slices.Clone(o.Plan.Fields), CloneItems(o.Items)
	return &c
}

// CloneItems copies items and what is below them.
func CloneItems(items []*Item) (out []*Item) {
	for _, it := range items {
		c := *it
		c.Fields, c.Children = slices.Clone(it.Fields), CloneItems(it.Children)
		out = append(out, &c)
	}
	return out
}

// Below gives the number of the n-th item below the one with a number, which is ""
// for the top.
func Below(number string, n int) string {
	if number == "" {
		return strconv.Itoa(n)
	}
	return number + "." + strconv.Itoa(n)
}

// Above gives the number of the item above the one with a number, "" at the top.
func Above(number string) string { return number[:max(0, strings.LastIndexByte(number, '.'))] }

// Last gives a number among siblings: 3 for "2.3".
func Last(number string) int {
	n, _ := strconv.Atoi(number[strings.LastIndexByte(number, '.')+1:])
	return n
}

// Say sets a field, once more too. Empty text, an empty list and a nil pointer say that there is
// none.
func (it *Item) Say(field string, value any) {
	var n plan.Node
	switch v := value.(type) {
	case plan.Node:
		n = v
	case *string:
		if v != nil {
			n = plan.Value(*v)
		}
	case *int:
		if v != nil {
			n = plan.Value(*v)
		}
	default:
		if n = plan.Value(v); n.Text == "" && len(n.Items) == 0 {
			n = plan.Node{}
		}
	}
	it.Fields = append(slices.DeleteFunc(it.Fields, func(f plan.Field) bool { return f.Key == field }), plan.Field{Key: field, Value: n})
}

// Field gives what the item says of a field, null where it says nothing.
func (it *Item) Field(name string) plan.Node {
	for _, f := range it.Fields {
		if f.Key == name {
			return f.Value
		}
	}
	return plan.Node{}
}

// Get gives what the item says of a field that is no list, or "".
func (it *Item) Get(field string) string { return it.Field(field).Text }

// List gives what the item says of a list.
func (it *Item) List(field string) (texts []string) {
	for _, n := range it.Field(field).Items {
		texts = append(texts, n.Text)
	}
	return texts
}

// Title gives the item's title.
func (it *Item) Title() string { return it.Get("title") }

// body gives the text of the file, without the line feeds around it.
func (it *Item) body() string {
	if it.Text != nil && (it.Bare || strings.TrimSpace(*it.Text) != "") {
		return *it.Text
	}
	if it.Bare {
		return ""
	}
	return it.Title()
}

// At gives the place of a key, else that of the item.
func (it *Item) At(key string) diag.Pos {
	if pos, ok := it.Places[key]; ok {
		return pos
	}
	return it.Pos
}

// Compose makes the item's file, which is new. The error is a [*plan.EditError]
// where it cannot hold what the item says.
func (it *Item) Compose() error {
	fields := slices.DeleteFunc(slices.Clone(it.Fields), func(f plan.Field) bool {
		return !it.Bare && (f.Value.Kind == plan.Null || f.Key == "status" && f.Value.Text == string(plan.Pending))
	})
	if it.ID != "" {
		fields = append(fields, plan.Field{Key: "id", KeyPos: it.At("id"), Value: plan.Node{Kind: plan.String, Text: it.ID, Pos: it.At("id")}})
	}
	if it.Needs != nil {
		fields = append(fields, plan.Field{Key: "depends_on", KeyPos: it.At("depends_on"), Value: plan.Value(idsOf(it.Needs))})
	}
	text := it.body()
	if text != "" {
		text = "\n" + text + "\n"
	}
	var err error
	it.Made, err = plan.Compose(it.Path, fields, text)
	return err
}

func idsOf(items []*Item) []string {
	ids := []string{}
	for _, it := range items {
		ids = append(ids, it.ID)
	}
	return ids
}

// Place gives where a finding about a file that was made of items belongs: at the item
// of that file, else at the first.
func Place(items []*Item, path, rule string) diag.Pos {
	i := slices.IndexFunc(items, func(it *Item) bool { return it.Path == path })
	return items[max(i, 0)].At(KeyOf(rule))
}

// Place gives where a finding about one of the files that were made belongs.
func (o *Outline) Place(path, rule string) diag.Pos {
	return Place(append([]*Item{&o.Plan}, o.All()...), path, rule)
}

// Compose makes the files of items as they would be in a new plan, and gives what
// is wrong with them, with places in the file of that name that they were read
// from.
func Compose(name string, items []*Item) []diag.Diagnostic {
	var found []diag.Diagnostic
	var made []plan.File
	byPath := map[string]*Item{}
	for _, it := range items {
		if it.Path == "" || byPath[it.Path] != nil {
			continue
		}
		var refused *plan.EditError
		if errors.As(it.Compose(), &refused) {
			found = append(found, diag.Diagnostic{Path: name, Pos: it.At(refused.Key), Rule: plan.RuleEncoding, Hint: refused.Hint,
				Message: "`" + Short(refused.Key) + "`: " + refused.Reason})
			continue
		}
		byPath[it.Path] = it
		made = append(made, it.Made)
	}
	p, faults := plan.Read("p", "", made)
	docs := map[string]*plan.Document{}
	for _, d := range p.Documents() {
		docs[d.Path] = d
	}
	for _, x := range faults {
		path := strings.TrimPrefix(x.Path, "p/")
		x.Path, x.Pos = name, byPath[path].placeOf(docs[path], x)
		found = append(found, x)
	}
	return found
}

// placeOf gives where a finding about the file that was made belongs. A finding
// about no single file belongs to the whole.
func (it *Item) placeOf(made *plan.Document, x diag.Diagnostic) diag.Pos {
	if it == nil {
		return diag.Pos{Line: 1, Column: 1}
	}
	if made == nil {
		return it.Pos
	}
	if pos, ok := same(plan.Node{Fields: made.Fields}, plan.Node{Fields: it.Fields}, x.Pos); ok && pos.Line > 0 {
		return pos
	}
	return it.At(KeyOf(x.Rule))
}

// same finds a place in one value, and gives that in another that says the
// same.
func same(made, read plan.Node, at diag.Pos) (diag.Pos, bool) {
	if made.Pos == at {
		return read.Pos, true
	}
	for i := range min(len(made.Items), len(read.Items)) {
		if pos, ok := same(made.Items[i], read.Items[i], at); ok {
			return pos, true
		}
	}
	for _, f := range made.Fields {
		i := slices.IndexFunc(read.Fields, func(g plan.Field) bool { return g.Key == f.Key })
		if i < 0 {
			continue
		}
		if f.KeyPos == at {
			return read.Fields[i].KeyPos, true
		}
		if pos, ok := same(f.Value, read.Fields[i].Value, at); ok {
			return pos, true
		}
	}
	return diag.Pos{}, false
}

// KeyOf gives the key that a rule is about.
func KeyOf(rule string) string {
	switch {
	case strings.HasPrefix(rule, "depends-"):
		return "depends_on"
	case strings.HasPrefix(rule, "id-"):
		return "id"
	case strings.HasPrefix(rule, "title-"):
		return "title"
	case strings.HasPrefix(rule, "type-"):
		return "type"
	case strings.HasPrefix(rule, "hint-"):
		return "context_hints"
	}
	return map[string]string{
		plan.RuleBodyEmpty: "body", plan.RuleVersion: "version", plan.RuleStatusValue: "status", "transition": "status",
		plan.RuleKindValue: "kind", "path-exists": "relevant_file_paths", plan.RuleFilename: "path", "sort-index": "path",
	}[rule]
}
