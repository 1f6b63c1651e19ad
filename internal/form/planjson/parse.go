package planjson

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Parse reads a document strictly. All findings are errors, with their places
// in the document; where there is one the plan is nil.
func Parse(name string, data []byte) (*Plan, []diag.Diagnostic) {
	fields, found := form.ReadJSON(bounds(), name, data)
	r := &reader{Decoder: form.Decoder{Path: name, Found: found}, plan: &Plan{derived: map[string]plan.Node{}}, paths: map[string]bool{}}
	if len(found) == 0 {
		r.whole(fields)
		r.Found = append(r.Found, form.Compose(name, r.plan.docs)...)
	}
	if found := r.Refused(); len(found) > 0 {
		return nil, found
	}
	return r.plan, nil
}

type reader struct {
	form.Decoder
	plan  *Plan
	paths map[string]bool // of the files so far
}

// whole takes the document apart.
func (r *reader) whole(fields []plan.Field) {
	top := diag.Pos{Line: 1, Column: 1}
	d := &form.Item{Path: "plan.md", Pos: top, Bare: true}
	var tasks, signals []plan.Node
	r.plan.IDPos = top
	r.object("the plan", d, fields, []form.Key{
		r.Line("id", &r.plan.ID).Then(func(n plan.Node) { r.plan.IDPos = n.Pos }).Must(),
		r.derived("status"), r.derived("progress"), r.derived("converged"),
		r.list("tasks", &tasks).Must(), r.list("signals", &signals),
		r.text("body", d), r.Text("commit", new(string)),
	})
	r.withoutDefault(d, "goal", func(made *plan.Plan) string { return made.Title() })
	r.withoutDefault(d, "version", func(*plan.Plan) string { return "1" })
	r.tasks(tasks, "tasks", "")
	for _, n := range signals {
		r.signal(n)
	}
}

// object takes the keys of an object: those given, and all others as fields of
// the file's frontmatter.
func (r *reader) object(what string, d *form.Item, fields []plan.Field, keys []form.Key) {
	d.Places = map[string]diag.Pos{}
	var own []plan.Field
	seen := map[string]bool{}
	for _, f := range fields {
		isOwn := slices.ContainsFunc(keys, func(k form.Key) bool { return k.Name == f.Key })
		if _, ok := d.Places[f.Key]; !ok {
			d.Places[f.Key] = f.Value.Pos
		}
		switch {
		case isOwn:
			own = append(own, f)
		case seen[f.Key]:
			r.Add(f.KeyPos, plan.RuleDuplicateField, "keep one of them", "the key `%s` is set twice", form.Short(f.Key))
		default:
			d.Fields = append(d.Fields, f)
		}
		seen[f.Key] = true
	}
	r.Object(what, d.Pos, own, keys)
	r.plan.docs = append(r.plan.docs, d)
}

// text takes the body of a file.
func (r *reader) text(name string, d *form.Item) form.Key {
	d.Text = new(string)
	return r.Text(name, d.Text)
}

// derived keeps a value that follows from others.
func (r *reader) derived(name string) form.Key {
	return form.Key{Name: name, Take: func(n plan.Node) { r.plan.derived[name] = n }}
}

func (r *reader) list(name string, to *[]plan.Node) form.Key {
	return form.Key{Name: name, Take: func(n plan.Node) {
		if n.Kind != plan.List {
			r.Wrong(name, n, "a list")
			return
		}
		*to = n.Items
	}}
}

// tasks takes the tasks of a folder; number is that of the task it belongs to.
func (r *reader) tasks(items []plan.Node, dir, number string) {
	for _, n := range items {
		if n.Kind != plan.Map {
			r.Wrong("a task", n, "an object")
			continue
		}
		d := &form.Item{Pos: n.Pos, Bare: true}
		var children []plan.Node
		var own string
		r.object("the task", d, n.Fields, []form.Key{
			r.Text("number", &own), r.Line("path", &d.Path).Must(), r.text("body", d), r.list("children", &children),
		})
		if d.Path == "" || !r.place(d, dir) {
			r.aside(d, "tasks/01-aside-%d/01-task.md")
			continue
		}
		if is := numberOf(d.Path, number); own != "" && own != is {
			r.Add(d.Places["number"], "sort-index", "write "+is+", or leave it out", "`number` is %s, and the path says %s", form.Short(own), is)
		}
		r.withoutDefault(d, "status", func(*plan.Plan) string { return string(plan.Pending) })
		r.withoutDefault(d, "title", func(made *plan.Plan) string { return made.All()[0].Title() })
		r.tasks(children, strings.TrimSuffix(d.Path, ".md"), numberOf(d.Path, number))
	}
}

// aside gives a file a path of no meaning: what else is wrong with it is to be
// told too, though it can be no part of the plan.
func (r *reader) aside(d *form.Item, path string) {
	d.Path = fmt.Sprintf(path, len(r.plan.docs))
}

// place reports whether a task's file can be where its path says.
func (r *reader) place(d *form.Item, dir string) bool {
	at := d.Places["path"]
	name := path.Base(d.Path)
	first, _ := plan.Read("p", "", []plan.File{{Path: d.Path, Data: []byte("---\nid: a\n---\n\nA\n")}})
	switch {
	case len(first.All()) != 1:
		r.Add(at, plan.RuleFilename, "name it tasks/NN-slug.md, two digits and kebab-case", "the path `%s` is not that of a task", form.Short(d.Path))
	case path.Dir(d.Path) != dir && dir != "tasks":
		r.Add(at, plan.RuleContainer, "write "+dir+"/"+name, "the path of a task below another is in that one's folder, not `%s`", form.Short(d.Path))
	case r.paths[d.Path]:
		r.Add(at, "sort-index", "give it another number", "two tasks have the path `%s`", form.Short(d.Path))
	default:
		r.paths[d.Path] = true
		return true
	}
	return false
}

func numberOf(file, parent string) string {
	number := strings.TrimPrefix(path.Base(file)[:2], "0")
	if parent == "" {
		return number
	}
	return parent + "." + number
}

func (r *reader) signal(n plan.Node) {
	if n.Kind != plan.Map {
		r.Wrong("a signal", n, "an object")
		return
	}
	d := &form.Item{Pos: n.Pos, Bare: true}
	var id string
	r.object("the signal", d, n.Fields, []form.Key{r.Line("id", &id).Must(), r.text("message", d)})
	if at, ok := d.Places["message"]; ok {
		d.Places["body"] = at
	}
	r.aside(d, "signals/aside-%d.md")
	switch {
	case id == "": // told already
	case !plan.IsSignalID(id):
		r.Add(d.Places["id"], plan.RuleIDFormat, "write lower-case letters, digits, dots, underscores and hyphens", "the id `%s` cannot name a signal", form.Short(id))
	case r.paths["signals/"+id+".md"]:
		r.Add(d.Places["id"], "id-duplicate", "give it another id", "two signals have the id `%s`", form.Short(id))
	default:
		d.Path = "signals/" + id + ".md"
		r.paths[d.Path] = true
	}
}

// withoutDefault leaves out a field that says what the file says without it.
func (r *reader) withoutDefault(d *form.Item, name string, is func(made *plan.Plan) string) {
	i := slices.IndexFunc(d.Fields, func(f plan.Field) bool { return f.Key == name })
	kind := plan.String
	if name == "version" {
		kind = plan.Int
	}
	if i < 0 || d.Fields[i].Value.Kind != kind {
		return // told by compose, if it is of a wrong type
	}
	rest := slices.Delete(slices.Clone(d.Fields), i, i+1)
	without := *d
	without.Fields = rest
	if without.Compose() != nil {
		return // told by compose
	}
	made, _ := plan.Read("p", "", []plan.File{without.Made})
	if is(made) == d.Fields[i].Value.Text {
		d.Fields = rest
	}
}

// Place gives where in the document a finding about a made file belongs.
func (p *Plan) Place(file, rule string) diag.Pos {
	return form.Place(p.docs, file, rule)
}

// told compares what follows from the tasks with what the document says of it.
func (p *Plan) told(made *plan.Plan) (losses []string) {
	now, err := form.Fields(struct {
		Status    plan.PlanStatus `json:"status"`
		Converged bool            `json:"converged"`
		Progress  plan.Progress   `json:"progress"`
	}{made.Status(), made.Converged(), made.Progress()})
	if err != nil {
		return nil // of a struct of text and numbers there is none
	}
	for _, f := range now {
		if said, ok := p.derived[f.Key]; ok && !said.Equal(f.Value) {
			losses = append(losses, fmt.Sprintf("`%s`: it follows from the tasks", f.Key))
		}
	}
	return losses
}
