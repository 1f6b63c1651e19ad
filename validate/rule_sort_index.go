package validate

import "github.com/git-plan/git-plan/plan"

func sortIndex() Rule {
	r := reading("sort-index", "the two digits a task file begins with are unique among its siblings", "run `git plan fmt --renumber`, or give one of them another number")
	r.Check = func(c *Context) {
		type place struct {
			dir string
			nn  int
		}
		first := map[place]*plan.Task{}
		for _, t := range c.Plan.All() {
			at := place{t.Dir, t.NN}
			if other := first[at]; other != nil {
				c.report(t.Doc.Path, top, "run `git plan fmt --renumber`, or rename the file with an unused number", "the sort index %02d is taken by `%s`", t.NN, other.Doc.Path)
				continue
			}
			first[at] = t
		}
	}
	return r
}
