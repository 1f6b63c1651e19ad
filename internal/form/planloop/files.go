package planloop

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Files makes the files of a plan of that id. Where it is stored already, onto,
// a task is known by its ref, else by its title; what the list does not say of
// it stays as it is stored, and so does plan.md, for which this form has no
// place. What our form cannot hold is told in losses.
func (p *Plan) Files(onto *plan.Plan, id string) (files []plan.File, losses []string) {
	o := p.outline(id)
	if onto != nil {
		o.Match(stored(onto))
		o.Plan.Was = &form.Item{Fields: o.Plan.Fields, Text: o.Plan.Text}
	}
	return o.Files(onto)
}

// Place gives where in the list a finding about a made file belongs.
func (p *Plan) Place(file, rule string) diag.Pos { return form.Place(p.items, file, rule) }

// planItem tells what is said of the plan of an id.
func planItem(id string) form.Item {
	it := form.Item{Pos: diag.Pos{Line: 1, Column: 1}, Text: new(string)}
	it.Say("title", titleOf(id))
	return it
}

// outline tells the list in our fields, as the plan of an id.
func (p *Plan) outline(id string) *form.Outline {
	o := &form.Outline{Plan: planItem(id)}
	p.items = []*form.Item{&o.Plan}
	made, byNumber := map[*task]*form.Item{}, map[string]*form.Item{}
	for _, t := range p.tasks {
		it := t.Item
		made[t], byNumber[t.Number] = &it, &it
		p.items = append(p.items, &it)
	}
	for _, t := range p.tasks {
		it := made[t]
		for _, to := range t.needs {
			it.Needs = append(it.Needs, made[to])
		}
		if above := byNumber[form.Above(t.Number)]; form.Above(t.Number) != "" && above != nil {
			above.Children = append(above.Children, it)
		} else {
			o.Items = append(o.Items, it)
		}
	}
	return o
}

// check gives what is wrong with the files that are made. A task without a place,
// which was told, has one of no meaning there: what else is wrong with it is to be
// told, too.
func (p *Plan) check(name string) []diag.Diagnostic {
	o := p.outline("plan")
	o.Name(nil)
	for i, t := range p.tasks {
		if it := p.items[i+1]; t.Number == "" || form.Above(t.Number) != "" && slices.Contains(o.Items, it) {
			it.Path = fmt.Sprintf("tasks/01-aside-%d/01-task.md", i)
		}
	}
	return form.Compose(name, p.items)
}

// stored tells what a list says of a stored plan.
func stored(p *plan.Plan) *form.Outline {
	byID := map[string]*form.Item{}
	o := &form.Outline{Plan: planItem(p.ID), Items: itemsOf(p.Tasks, byID)}
	for _, it := range o.All() {
		for _, id := range it.Task.Doc.List("depends_on") {
			if byID[id] != nil {
				it.Needs = append(it.Needs, byID[id])
			}
		}
	}
	return o
}

func itemsOf(tasks []*plan.Task, byID map[string]*form.Item) (items []*form.Item) {
	for _, t := range tasks {
		text := t.Doc.Prose()
		it := &form.Item{Number: t.Number(), ID: t.ID, Text: &text, Task: t}
		for _, k := range keys() {
			if f := t.Doc.Field(k.field); f != nil && k.field != "id" && k.field != "depends_on" {
				it.Say(k.field, something(f.Value))
			}
		}
		it.Say("title", t.Title())
		it.Say("status", string(t.Status))
		byID[t.ID], it.Children = it, itemsOf(t.Children, byID)
		items = append(items, it)
	}
	return items
}

// something is a value, null where it says what its absence says.
func something(n plan.Node) plan.Node {
	if n.Kind == plan.String && n.Text == "" || n.Kind == plan.List && len(n.Items) == 0 {
		return plan.Node{Pos: n.Pos}
	}
	return n
}
