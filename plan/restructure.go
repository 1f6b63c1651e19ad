package plan

import (
	"path"
	"slices"
	"strings"
)

// Insert puts a new task below parent, or at the top for nil, in the place nn
// among its siblings. Where one of them has that number, it and those after it
// get the next ones: their files are renamed, with what is below them, and
// their ids stay. The slug names its file, whose text is source; m says who does
// so and when. A text that cannot be read is an *[EditError], a parent
// that somebody else works on under a live lease is a *[HeldError], too many
// siblings are a *[CrowdedError], and a decision that is made already is a
// *[TransitionError]; nothing was changed. Whoever is done with inserting calls
// [Plan.Follow].
func (p *Plan) Insert(parent *Task, nn int, slug string, source []byte, m Move) (*Task, error) {
	dir := "tasks"
	if parent != nil {
		dir = parent.folder()
		if err := p.mayGrow(parent, m); err != nil {
			return nil, err
		}
	}
	doc, _ := parseDocument(taskDoc, path.Join(dir, fileName(nn, slug)), source)
	if !doc.Readable {
		return nil, doc.refuse("frontmatter", "the file would not be readable", plainLines)
	}
	if err := p.makeRoom(dir, nn); err != nil {
		return nil, err
	}
	t := &Task{Dir: dir, NN: nn, Slug: slug, Parent: parent}
	t.refresh(doc)
	if parent == nil {
		p.Tasks = append(p.Tasks, t)
	} else {
		parent.Children = append(parent.Children, t)
	}
	p.order()
	return t, parent.unclaim()
}

// mayGrow says why a task may not get another one below it now, or nil.
func (p *Plan) mayGrow(parent *Task, m Move) error {
	if p.IsAbandoned() {
		return &TransitionError{parent.ID, parent.Status, Pending, "the plan is abandoned"}
	}
	if parent.Kind == "decide" {
		for _, c := range parent.Children {
			if c.Status == Done {
				return &TransitionError{parent.ID, parent.Status, Pending, "it is decided, as `" + c.ID + "` is done; reopen that first"}
			}
		}
	}
	return parent.HeldAgainst(m.Agent, m.At)
}

// unclaim ends the lease of a task that became a container: it is worked on
// through what is below it.
func (t *Task) unclaim() error {
	if t == nil || !t.Doc.Has("lease_until") {
		return nil
	}
	e := t.edit()
	e.drop("lease_until")
	return e.done()
}

// Follow brings the containers above a task up to date with what is below
// them, stamped with the time of m.
func (p *Plan) Follow(t *Task, m Move) error { return mover{}.updateAbove(t, m) }

// makeRoom frees a number among the files of a folder.
func (p *Plan) makeRoom(dir string, nn int) error {
	var behind []*Task
	taken, last := false, nn
	for _, t := range p.all {
		if t.Dir == dir && t.NN >= nn {
			behind, taken, last = append(behind, t), taken || t.NN == nn, max(last, t.NN+1)
		}
	}
	switch {
	case !taken && nn > MaxSiblings:
		return &CrowdedError{dir, len(behind) + nn}
	case !taken:
		return nil
	case last > MaxSiblings:
		return &CrowdedError{dir, last}
	}
	for _, t := range behind {
		t.put(dir, t.NN+1)
	}
	return nil
}

// put gives a task's file another place, and those below it theirs.
func (t *Task) put(dir string, nn int) {
	t.Dir, t.NN = dir, nn
	doc := *t.Doc
	doc.Path = path.Join(dir, fileName(nn, t.Slug))
	t.Doc = &doc
	for _, c := range t.Children {
		c.put(t.folder(), c.NN)
	}
}

// folder is where the tasks below a task are.
func (t *Task) folder() string { return strings.TrimSuffix(t.Doc.Path, ".md") }

// Clear takes away all tasks below c and makes c pending. What waits for one of
// them waits for c from now on, and signals on them are on c. A task that
// somebody else works on under a live lease is a *[HeldError]; an abandoned plan
// is a *[TransitionError]. After another error the plan must be thrown away.
func (p *Plan) Clear(c *Task, m Move) error {
	if p.IsAbandoned() {
		return &TransitionError{c.ID, c.Status, Pending, "the plan is abandoned"}
	}
	below := map[*Task]bool{}
	var held error
	c.walk(func(t *Task) {
		below[t] = t != c
		if err := t.HeldAgainst(m.Agent, m.At); err != nil && held == nil {
			held = err
		}
	})
	if held != nil {
		return held
	}
	if err := p.adopt(c, below); err != nil {
		return err
	}
	c.Children = nil
	p.order()
	_, err := p.Transition(c, Move{To: Pending, Reopen: true, At: m.At, Agent: m.Agent})
	return err
}

// adopt turns what leads to the tasks below c to c.
func (p *Plan) adopt(c *Task, below map[*Task]bool) error {
	for _, t := range p.all {
		if below[t] {
			continue
		}
		ids, changed := p.needsInstead(t, c, below)
		if !changed {
			continue
		}
		e := t.edit()
		if len(ids) == 0 {
			e.drop("depends_on")
		} else {
			e.keep(e.doc.Set("depends_on", Value(ids)))
		}
		if err := e.done(); err != nil {
			return err
		}
	}
	for _, s := range p.Signals {
		if t := p.Task(s.Task); t == nil || !below[t] {
			continue
		}
		doc, err := s.Doc.Set("task", Value(c.ID))
		if err != nil {
			return err
		}
		s.refresh(doc)
	}
	return nil
}

// needsInstead gives what t is to depend on once the tasks below c are gone,
// and whether that is anything else than now. A name that one of them makes is
// waited for by waiting for c, unless nothing of t is left to do.
func (p *Plan) needsInstead(t, c *Task, below map[*Task]bool) (ids []string, changed bool) {
	related := t == c || t.IsAncestorOf(c)
	add := func(id string) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, id := range t.Doc.List("depends_on") {
		to := p.Task(id)
		if to == nil || !below[to] {
			ids = append(ids, id)
			continue
		}
		if changed = true; !related {
			add(c.ID)
		}
	}
	flows := slices.ContainsFunc(p.Graph().From(t), func(e Edge) bool { return e.Kind == DataFlow && below[e.To] })
	if flows && !related && !t.Status.Settled() && !slices.Contains(ids, c.ID) && !p.takesFrom(t, c) {
		add(c.ID)
		changed = true
	}
	return ids, changed
}

// takesFrom reports whether an input of t names an output of c.
func (p *Plan) takesFrom(t, c *Task) bool {
	return slices.ContainsFunc(p.Graph().From(t), func(e Edge) bool { return e.Kind == DataFlow && e.To == c })
}

// Replace gives a task another document, an edited one of its own.
func (p *Plan) Replace(t *Task, doc *Document) {
	t.refresh(doc)
	p.graph = nil
}
