package planjson

import (
	"slices"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
)

// Files makes the plan's files. Where the plan is stored already, onto, a file
// that says the same stays as it is, and one that says something else is
// changed in place as far as it can be. What is not kept is told in losses.
func (p *Plan) Files(onto *plan.Plan) (files []plan.File, losses []string) {
	for _, it := range p.docs {
		files = append(files, it.Made)
	}
	made, _ := plan.Read(p.ID, "", files)
	losses = p.told(made)
	if onto == nil {
		return files, losses
	}
	stored, byPath := saysOf(onto), map[string]says{}
	for key, now := range saysOf(made) {
		if was, ok := stored[key]; ok && was.doc.Readable {
			now.over(was)
			byPath[now.doc.Path] = says{was.doc, now.Item}
		}
	}
	for i, f := range files {
		now, ok := byPath[f.Path]
		if !ok {
			continue
		}
		b := &form.Builder{Doc: now.doc}
		switch b.Item(now.Item); {
		case len(b.Refused) == 0:
			files[i].Data = []byte(b.Doc.Source)
		case now.doc.HasComments():
			losses = append(losses, "the comments of "+f.Path)
		}
	}
	return files, losses
}

// says is a file and what it says, with what it says by leaving it out.
type says struct {
	doc *plan.Document
	*form.Item
}

// saysOf gives what the files of a plan say: plan.md by its path, a task by
// its id, a signal by its path.
func saysOf(p *plan.Plan) map[string]says {
	out := map[string]says{}
	add := func(key string, d *plan.Document) *form.Item {
		text := d.Prose()
		it := &form.Item{Text: &text, Bare: true}
		plain := map[string]any{}
		for _, v := range d.Values() {
			plain[v.Name] = v.Value
		}
		it.Fields, _ = form.Fields(plain) // which have been written as JSON, or read from it
		out[key] = says{d, it}
		return it
	}
	if p.Doc != nil {
		it := add("plan.md", p.Doc)
		it.Say("title", p.Title())
		it.Say("goal", p.Goal())
		it.Say("version", p.Version())
	}
	for _, t := range p.All() {
		it := add(t.ID, t.Doc)
		it.Say("title", t.Title())
		it.Say("status", string(t.Status))
	}
	for _, s := range p.Signals {
		add(s.Doc.Path, s.Doc)
	}
	return out
}

// over lays what a file says over what the stored one says: what only that one says
// goes, and what is said otherwise by leaving it out is left out.
func (now says) over(was says) {
	now.Was = was.Item
	for _, f := range slices.Concat(now.Fields, was.Fields) {
		if now.doc.Field(f.Key) == nil && !now.Field(f.Key).Equal(was.Field(f.Key)) {
			now.Say(f.Key, plan.Node{})
		}
	}
}
