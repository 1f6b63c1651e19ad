package form

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// Lost tells what a plan that is made of the files of its outline does not have any
// more.
func Lost(p *plan.Plan, files []plan.File) []string {
	again, _ := plan.Read(p.ID, "", files)
	l := &losses{count: map[string]int{}}
	l.plan(p, again)
	made := map[string]*plan.Task{}
	for _, t := range again.All() {
		made[t.Number()] = t
	}
	for _, t := range p.All() {
		l.task(t, made[t.Number()])
	}
	out := l.told()
	if n := len(p.Signals); n > 0 {
		out = append(out, words.Count(n, "open signal"))
	}
	return out
}

// losses counts what is lost in how many tasks.
type losses struct {
	about  []string
	names  []string
	count  map[string]int
	layout int
}

func (l *losses) add(what string) {
	if l.count[what]++; l.count[what] == 1 {
		l.names = append(l.names, what)
	}
}

func (l *losses) told() []string {
	var out []string
	if len(l.about) > 0 {
		out = append(out, strings.Join(l.about, ", ")+" of the plan")
	}
	for _, name := range l.names {
		out = append(out, fmt.Sprintf("%s, in %s", name, words.Count(l.count[name], "task")))
	}
	if l.layout > 0 {
		out = append(out, "the comments in "+words.Count(l.layout, "file"))
	}
	return out
}

func (l *losses) plan(p, again *plan.Plan) {
	for _, name := range differing(p.Doc, again.Doc) {
		l.about = append(l.about, "`"+name+"`")
	}
	if text := body(p.Doc); text != body(again.Doc) && text != p.Title() {
		l.about = append(l.about, "the text")
	}
	l.comments(p.Doc)
}

func (l *losses) task(t, made *plan.Task) {
	if made == nil {
		l.add("the whole")
		return
	}
	for _, name := range differing(t.Doc, made.Doc) {
		switch {
		case name == "kind" && t.Kind == "":
			l.add("that there is no `kind`, which is written as " + made.Kind)
		case name == "title" && !t.Doc.Has("title"): // it is in the text
		case name == "status" && t.Status == made.Status: // what is so without it
		case name == "status":
			l.add(fmt.Sprintf("`%s`, which is written as %s", t.Status, made.Status))
		default:
			l.add("`" + name + "`")
		}
	}
	if body(t.Doc) != body(made.Doc) {
		l.add("white space in the text")
	}
	if t.Slug != made.Slug {
		l.add("the file's name")
	}
	l.comments(t.Doc)
}

func (l *losses) comments(d *plan.Document) {
	if d != nil && d.Readable && d.HasComments() {
		l.layout++
	}
}

// differing names the fields of a document that another does not have, or has
// otherwise, and those that only the other has.
func differing(d, made *plan.Document) []string {
	now := map[string]any{}
	for _, v := range made.Values() {
		now[v.Name] = v.Value
	}
	var out []string
	for _, v := range d.Values() {
		other, ok := now[v.Name]
		if delete(now, v.Name); !ok || !reflect.DeepEqual(v.Value, other) {
			out = append(out, v.Name)
		}
	}
	var more []string
	for name := range now {
		more = append(more, name)
	}
	slices.Sort(more)
	return append(out, more...)
}

// body gives the text of a file but for the empty lines around it.
func body(d *plan.Document) string {
	if d == nil {
		return ""
	}
	return strings.Trim(d.Body, "\n")
}
