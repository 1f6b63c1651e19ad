package planjson

import (
	"maps"
	"reflect"
	"slices"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
)

// Files makes the plan's files. Where the plan is stored already, onto, a file
// that says the same stays as it is, and one that says something else is
// changed in place as far as it can be. What is not kept is told in losses.
func (p *Plan) Files(onto *plan.Plan) (files []plan.File, losses []string) {
	for _, d := range p.docs {
		files = append(files, d.Made)
	}
	made, _ := plan.Read(p.ID, "", files)
	losses = p.told(made)
	if onto == nil {
		return files, losses
	}
	k := keeper{stored: valuesOf(onto), fresh: valuesOf(made), keys: map[string]string{}}
	for key, v := range k.fresh {
		k.keys[v.doc.Path] = key
	}
	for i, f := range files {
		files[i].Data = []byte(k.keep(f.Path, f.Data))
	}
	return files, append(losses, k.losses...)
}

// values are what a file says, and the file.
type values struct {
	doc  *plan.Document
	says map[string]any
	body string
}

// valuesOf gives what the files of a plan say: plan.md by its path, a task by
// its id, a signal by its path.
func valuesOf(p *plan.Plan) map[string]values {
	out := map[string]values{}
	if p.Doc != nil {
		out["plan.md"] = valuesIn(p.Doc, map[string]any{"title": p.Title(), "goal": p.Goal(), "version": p.Version()})
	}
	for _, t := range p.All() {
		out[t.ID] = valuesIn(t.Doc, map[string]any{"title": t.Title(), "status": string(t.Status)})
	}
	for _, s := range p.Signals {
		out[s.Doc.Path] = valuesIn(s.Doc, nil)
	}
	return out
}

func valuesIn(d *plan.Document, derived map[string]any) values {
	v := values{doc: d, says: map[string]any{}, body: d.Prose()}
	for _, f := range d.Values() {
		v.says[f.Name] = f.Value
	}
	for name, value := range derived {
		v.says[name] = value
	}
	return v
}

// keeper keeps what is stored where it says the same.
type keeper struct {
	stored, fresh map[string]values
	keys          map[string]string // of what is made, by path
	losses        []string
}

func (k *keeper) keep(path string, data []byte) string {
	key := k.keys[path]
	now, was := k.fresh[key], k.stored[key]
	if now.doc == nil || was.doc == nil || !was.doc.Readable {
		return string(data)
	}
	b := &form.Builder{Doc: was.doc}
	for _, name := range slices.Sorted(maps.Keys(now.says)) {
		value := now.says[name]
		if f := now.doc.Field(name); f != nil && !reflect.DeepEqual(value, was.says[name]) {
			b.Edit(name, f.Value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was.says)) {
		value := was.says[name]
		if now.doc.Field(name) == nil && !reflect.DeepEqual(value, now.says[name]) {
			b.Drop(name)
		}
	}
	if now.body != was.body {
		b.Body(now.doc.Body)
	}
	if len(b.Refused) > 0 {
		if was.doc.HasComments() {
			k.losses = append(k.losses, "the comments of "+path)
		}
		return string(data)
	}
	return b.Doc.Source
}
