package planjson

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/foreign"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// doc is one file, as an object of the document says it.
type doc struct {
	path   string
	pos    diag.Pos
	fields []plan.Field // of the frontmatter
	body   string
	// places are those of the keys' values, by the names of frontmatter, and
	// "body".
	places map[string]diag.Pos
	file   plan.File
}

// Parse reads a document strictly. All findings are errors, with their places
// in the document; where there is one the plan is nil.
func Parse(name string, data []byte) (*Plan, []diag.Diagnostic) {
	fields, found := foreign.ReadJSON(bounds(), name, data)
	r := &reader{Decoder: foreign.Decoder{Path: name, Found: found}, plan: &Plan{derived: map[string]plan.Node{}}, paths: map[string]bool{}}
	if len(found) == 0 {
		r.whole(fields)
		r.compose()
	}
	if len(r.Found) > 0 {
		for i := range r.Found {
			r.Found[i].Severity = diag.Error
		}
		diag.Sort(r.Found)
		return nil, r.Found
	}
	return r.plan, nil
}

type reader struct {
	foreign.Decoder
	plan  *Plan
	paths map[string]bool // of the files so far
}

// whole takes the document apart.
func (r *reader) whole(fields []plan.Field) {
	top := diag.Pos{Line: 1, Column: 1}
	d := &doc{path: "plan.md", pos: top}
	var tasks, signals []plan.Node
	r.plan.IDPos = top
	r.object("the plan", d, fields, []foreign.Key{
		r.Line("id", &r.plan.ID).Then(func(n plan.Node) { r.plan.IDPos = n.Pos }).Must(),
		r.derived("status"), r.derived("progress"), r.derived("converged"),
		r.list("tasks", &tasks).Must(), r.list("signals", &signals),
		r.Text("body", &d.body), r.Text("commit", new(string)),
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
func (r *reader) object(what string, d *doc, fields []plan.Field, keys []foreign.Key) {
	d.places = map[string]diag.Pos{}
	var own []plan.Field
	seen := map[string]bool{}
	for _, f := range fields {
		isOwn := slices.ContainsFunc(keys, func(k foreign.Key) bool { return k.Name == f.Key })
		if _, ok := d.places[f.Key]; !ok {
			d.places[f.Key] = f.Value.Pos
		}
		switch {
		case isOwn:
			own = append(own, f)
		case seen[f.Key]:
			r.Add(f.KeyPos, plan.RuleDuplicateField, "keep one of them", "the key `%s` is set twice", foreign.Short(f.Key))
		default:
			d.fields = append(d.fields, f)
		}
		seen[f.Key] = true
	}
	r.Object(what, d.pos, own, keys)
	r.plan.docs = append(r.plan.docs, d)
}

// derived keeps a value that follows from others.
func (r *reader) derived(name string) foreign.Key {
	return foreign.Key{Name: name, Take: func(n plan.Node) { r.plan.derived[name] = n }}
}

func (r *reader) list(name string, to *[]plan.Node) foreign.Key {
	return foreign.Key{Name: name, Take: func(n plan.Node) {
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
		d := &doc{pos: n.Pos}
		var children []plan.Node
		var own string
		r.object("the task", d, n.Fields, []foreign.Key{
			r.Text("number", &own), r.Line("path", &d.path).Must(), r.Text("body", &d.body), r.list("children", &children),
		})
		if d.path == "" || !r.place(d, dir) {
			d.path = "" // no file is made of it
			continue
		}
		if is := numberOf(d.path, number); own != "" && own != is {
			r.Add(d.places["number"], "sort-index", "write "+is+", or leave it out", "`number` is %s, and the path says %s", foreign.Short(own), is)
		}
		r.withoutDefault(d, "status", func(*plan.Plan) string { return string(plan.Pending) })
		r.withoutDefault(d, "title", func(made *plan.Plan) string { return made.All()[0].Title() })
		r.tasks(children, strings.TrimSuffix(d.path, ".md"), numberOf(d.path, number))
	}
}

// place reports whether a task's file can be where its path says.
func (r *reader) place(d *doc, dir string) bool {
	at := d.places["path"]
	name := path.Base(d.path)
	first, _ := plan.Read("p", "", []plan.File{{Path: d.path, Data: []byte("---\nid: a\n---\n\nA\n")}})
	switch {
	case len(first.All()) != 1:
		r.Add(at, plan.RuleFilename, "name it tasks/NN-slug.md, two digits and kebab-case", "the path `%s` is not that of a task", foreign.Short(d.path))
	case path.Dir(d.path) != dir && dir != "tasks":
		r.Add(at, plan.RuleContainer, "write "+dir+"/"+name, "the path of a task below another is in that one's folder, not `%s`", foreign.Short(d.path))
	case r.paths[d.path]:
		r.Add(at, "sort-index", "give it another number", "two tasks have the path `%s`", foreign.Short(d.path))
	default:
		r.paths[d.path] = true
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
	d := &doc{pos: n.Pos}
	var id string
	r.object("the signal", d, n.Fields, []foreign.Key{r.Line("id", &id).Must(), r.Text("message", &d.body)})
	if at, ok := d.places["message"]; ok {
		d.places["body"] = at
	}
	switch {
	case id == "": // told already
	case !plan.IsSignalID(id):
		r.Add(d.places["id"], plan.RuleIDFormat, "write lower-case letters, digits, dots, underscores and hyphens", "the id `%s` cannot name a signal", foreign.Short(id))
	case r.paths["signals/"+id+".md"]:
		r.Add(d.places["id"], "id-duplicate", "give it another id", "two signals have the id `%s`", foreign.Short(id))
	default:
		d.path = "signals/" + id + ".md"
		r.paths[d.path] = true
	}
}

// withoutDefault leaves out a field that says what the file says without it.
func (r *reader) withoutDefault(d *doc, name string, is func(made *plan.Plan) string) {
	i := slices.IndexFunc(d.fields, func(f plan.Field) bool { return f.Key == name })
	if i < 0 || d.fields[i].Value.Kind != plan.String && d.fields[i].Value.Kind != plan.Int {
		return
	}
	rest := slices.Delete(slices.Clone(d.fields), i, i+1)
	f, err := plan.Compose(d.path, rest, d.text())
	if err != nil {
		return // told by compose
	}
	made, _ := plan.Read("p", "", []plan.File{f})
	if is(made) == d.fields[i].Value.Text {
		d.fields = rest
	}
}

func (d *doc) text() string {
	if d.body == "" {
		return ""
	}
	return "\n" + d.body + "\n"
}

// compose makes the files and reports what they may not hold.
func (r *reader) compose() {
	if len(r.Found) > 0 && len(r.plan.docs) == 0 {
		return
	}
	var files []plan.File
	byPath := map[string]*doc{}
	for _, d := range r.plan.docs {
		if d.path == "" || byPath[d.path] != nil {
			continue
		}
		f, err := plan.Compose(d.path, d.fields, d.text())
		var refused *plan.EditError
		if errors.As(err, &refused) {
			r.Add(d.at(refused.Key), plan.RuleEncoding, refused.Hint, "%s: %s", refused.Key, refused.Reason)
			continue
		}
		d.file, byPath[d.path] = f, d
		files = append(files, f)
	}
	made, found := plan.Read("p", "", files)
	docs := map[string]*plan.Document{}
	for _, d := range made.Documents() {
		docs[d.Path] = d
	}
	for _, x := range found {
		file := strings.TrimPrefix(x.Path, "p/")
		x.Path = r.Path
		if d := byPath[file]; d != nil {
			x.Pos = d.placeOf(docs[file], x)
		} else {
			x.Pos = diag.Pos{Line: 1, Column: 1}
		}
		r.Found = append(r.Found, x)
	}
}

// at gives the place of a key, else that of the object.
func (d *doc) at(key string) diag.Pos {
	if pos, ok := d.places[key]; ok {
		return pos
	}
	return d.pos
}

// placeOf gives where a finding about the file that was made belongs.
func (d *doc) placeOf(made *plan.Document, x diag.Diagnostic) diag.Pos {
	if made != nil {
		for _, f := range made.Fields {
			i := slices.IndexFunc(d.fields, func(g plan.Field) bool { return g.Key == f.Key })
			if i < 0 {
				continue
			}
			if f.KeyPos == x.Pos {
				return d.fields[i].KeyPos
			}
			if pos, ok := same(f.Value, d.fields[i].Value, x.Pos); ok {
				return pos
			}
		}
	}
	return d.at(keyOf(x.Rule))
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
	for i := range min(len(made.Fields), len(read.Fields)) {
		if made.Fields[i].KeyPos == at {
			return read.Fields[i].KeyPos, true
		}
		if pos, ok := same(made.Fields[i].Value, read.Fields[i].Value, at); ok {
			return pos, true
		}
	}
	return diag.Pos{}, false
}

// keyOf gives the key that a rule is about.
func keyOf(rule string) string {
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

// Place gives where in the document a finding about a made file belongs.
func (p *Plan) Place(file, rule string) diag.Pos {
	for _, d := range p.docs {
		if d.path == file {
			return d.at(keyOf(rule))
		}
	}
	if rule == plan.RuleIDFormat {
		return p.IDPos
	}
	return diag.Pos{Line: 1, Column: 1}
}

// told compares what follows from the tasks with what the document says of it.
func (p *Plan) told(now []plan.Field) (losses []string) {
	for _, f := range now {
		if said, ok := p.derived[f.Key]; ok && !said.Equal(f.Value) {
			losses = append(losses, fmt.Sprintf("`%s`: it follows from the tasks", f.Key))
		}
	}
	return losses
}
