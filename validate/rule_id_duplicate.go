package validate

import "github.com/git-plan/git-plan/plan"

func idDuplicate() Rule {
	r := reading("id-duplicate", "task ids are unique in the whole plan", "give one of the tasks another id")
	r.Check = func(c *Context) {
		first := map[string]*plan.Task{}
		for _, t := range c.tasks() {
			if t.ID == "" {
				continue
			}
			if other := first[t.ID]; other != nil {
				c.report(t.Doc.Path, t.Doc.Pos("id"), "rename one and mend the `depends_on` that mean it", "the id `%s` is taken by `%s`", t.ID, other.Doc.Path)
				continue
			}
			first[t.ID] = t
		}
	}
	return r
}
