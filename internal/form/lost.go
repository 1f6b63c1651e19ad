package form

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// Loss says how it is told what a form has no place for.
type Loss struct {
	// Field is how a field of the plan is named, with a %s.
	Field string
	// Exact tells, too, of the names of files, white space, comments and a kind that
	// is written where there is none, and names all that is lost of the plan in one
	// phrase.
	Exact bool
	// Words says it otherwise of some fields of the plan, after the others.
	Words map[string]string
}

// Of tells what of a stored plan its outline, which is bound to it, does not say, a
// phrase each.
func (l Loss) Of(p *plan.Plan, o *Outline) []string {
	var out []string
	about, text := l.plan(p, &o.Plan)
	switch {
	case l.Exact && text:
		out = append(out, strings.Join(append(about, "the text"), ", ")+" of the plan")
	case l.Exact && len(about) > 0:
		out = append(out, strings.Join(about, ", ")+" of the plan")
	case text:
		out = append(about, "the text of plan.md")
	case !l.Exact:
		out = about
	}
	items, count := o.All(), map[string]int{}
	if n := len(p.All()) - len(items); n > 0 {
		out = append(out, fmt.Sprintf("the tree: %s with others below left out", words.Count(n, "task")))
	}
	if n := len(p.Signals); n > 0 {
		out = append(out, words.Count(n, "open signal"))
	}
	taken := map[string]bool{}
	for _, it := range items {
		id := it.ID
		if id == "" {
			id = plan.NewID(it.Title(), "task", func(id string) bool { return taken[id] })
		}
		taken[id] = true
		for _, what := range l.task(it, id) {
			count[what]++
		}
	}
	for _, what := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("%s, in %s", what, words.Count(count[what], "task")))
	}
	comments := 0
	for _, d := range p.Documents() {
		if l.Exact && d.Readable && d.HasComments() {
			comments++
		}
	}
	if comments > 0 {
		out = append(out, "the comments in "+words.Count(comments, "file"))
	}
	return out
}

func (l Loss) plan(p *plan.Plan, it *Item) (about []string, text bool) {
	var worded []string
	for _, v := range p.Doc.Values() {
		switch words := l.Words[v.Name]; {
		case it.says(v.Name, p.Doc):
		case words != "":
			worded = append(worded, words)
		default:
			about = append(about, fmt.Sprintf(l.Field, v.Name))
		}
	}
	prose := p.Doc.Prose()
	return append(about, worded...), prose != "" && prose != strings.TrimSpace(it.body()) && prose != p.Title()
}

// task tells what is lost of a task, which would get an id.
func (l Loss) task(it *Item, id string) (lost []string) {
	t := it.Task
	for _, v := range t.Doc.Values() {
		status := it.Get("status")
		switch {
		case v.Name == "id" && id == t.ID, v.Name == "depends_on" && !it.Silent, it.says(v.Name, t.Doc):
		case v.Name == "status" && status == string(t.Status): // what is so without it
		case v.Name == "status":
			lost = append(lost, fmt.Sprintf("`%s`, which is written as %s", t.Status, status))
		default:
			lost = append(lost, "`"+v.Name+"`")
		}
	}
	if !l.Exact {
		return lost
	}
	if t.Kind == "" {
		lost = append(lost, "that there is no `kind`, which is written as "+it.Get("kind"))
	}
	if it.body() != strings.Trim(t.Doc.Body, "\n") {
		lost = append(lost, "white space in the text")
	}
	if t.Slug != id {
		lost = append(lost, "the file's name")
	}
	return lost
}

// says reports whether the item says of a field what a document does.
func (it *Item) says(field string, d *plan.Document) bool {
	f := d.Field(field)
	return f == nil || alike(it.Field(field), f.Value)
}

// alike reports whether values are the same, however their kind is written.
func alike(a, b plan.Node) bool {
	if a.Kind == plan.Map || b.Kind == plan.Map {
		return a.Equal(b)
	}
	return (a.Text == b.Text || a.Kind == plan.Null && b.Kind == plan.Null) && slices.EqualFunc(a.Items, b.Items, alike)
}
