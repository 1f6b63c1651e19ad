package plan

import "slices"

// Failed gives the failed tasks in file order.
func (p *Plan) Failed() []*Task {
	return slices.DeleteFunc(slices.Clone(p.all), func(t *Task) bool { return t.Status != Failed })
}

// Succeed makes p the next version of old. Tasks kept by id keep their notes and what
// they settled to, all others become pending; what p does not say about itself
// (gates, max_replans, who made it when) and the signals on tasks it still
// has are taken over, but for [ReplanSignal].
func (p *Plan) Succeed(old *Plan) error {
	doc := p.Doc
	for _, key := range []string{"gates", "max_replans", "created_at", "created_by"} {
		if f := old.Doc.Field(key); f != nil && !doc.Has(key) && f.Value.Kind != Null {
			var err error
			if doc, err = doc.Set(key, f.Value); err != nil {
				return err
			}
		}
	}
	doc, err := doc.Set("version", Value(old.Version()+1))
	if err != nil {
		return err
	}
	p.Doc = doc
	for _, t := range p.all {
		if err := t.inherit(old.Task(t.ID)); err != nil {
			return err
		}
	}
	for _, t := range slices.Backward(p.all) {
		if err := t.Summarize(); err != nil {
			return err
		}
	}
	p.Signals = slices.DeleteFunc(slices.Clone(old.Signals), func(s *Signal) bool {
		return s.ID == ReplanSignal || s.Task != "" && p.Task(s.Task) == nil // the first is answered
	})
	return nil
}

// Constrain adds to the plan's constraints those that it does not have.
func (p *Plan) Constrain(constraints []string) error {
	doc, err := p.Doc.Append("constraints", missing(p.Doc.List("constraints"), constraints)...)
	if err == nil {
		p.Doc = doc
	}
	return err
}

// inherit gives the task the record of its predecessor if that was settled, else
// what was noted on it.
func (t *Task) inherit(old *Task) error {
	keep := old != nil && old.Status.Settled()
	e := t.edit()
	for _, spec := range taskFields {
		if !spec.Runtime {
			continue
		}
		var f *Field
		if keep || old != nil && spec.Name == "notes" {
			f = old.Doc.Field(spec.Name)
		}
		switch {
		case e.err != nil:
		case f == nil:
			e.drop(spec.Name)
		default:
			e.keep(e.doc.Set(spec.Name, f.Value))
		}
	}
	return e.done()
}

// Changes lists by id how the tasks of two plans differ.
type Changes struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
	Changed []string `json:"changed"`
}

// Changes compares the definitions of tasks by id. Its lists are never nil.
func (p *Plan) Changes(old *Plan) Changes {
	c := Changes{[]string{}, []string{}, []string{}}
	for _, t := range p.all {
		switch {
		case old.Task(t.ID) == nil:
			c.Added = append(c.Added, t.ID)
		case TaskChanged(old, t):
			c.Changed = append(c.Changed, t.ID)
		}
	}
	for _, t := range old.all {
		if p.Task(t.ID) == nil {
			c.Removed = append(c.Removed, t.ID)
		}
	}
	return c
}
