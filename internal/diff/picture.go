package diff

import (
	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/plan"
)

// maxPictures bounds how many plans are drawn on one page.
const maxPictures = 20

// drawable reports whether there is a picture of the plan: what is gone and what
// has no tasks is not drawn.
func (p *Plan) drawable() bool {
	return p.Change != Removed && p.Change != Archived && len(p.now().All())+len(allTasks(p.Before)) > 0
}

// picture draws how the tasks of a plan hang together now and before, with what
// changed marked; of a new plan, as it is. Tasks lead to where link says.
func picture(p *Plan, id string, link func(*plan.Task) string) []byte {
	o := graph.Options{Page: true, ID: id, Link: link, Title: heading(p).Spans[0].Text}
	if p.Before != nil {
		c := changes(p)
		o.Changes = &c
	}
	return graph.SVG(p.now(), o)
}

func changes(p *Plan) graph.Changes {
	c := graph.Changes{Before: p.Before, Now: map[*plan.Task]*plan.Task{}, Marks: map[*plan.Task]graph.Change{}}
	for _, both := range pairTasks(p.Before, p.After).list {
		if both.before != nil && both.after != nil {
			c.Now[both.before] = both.after
		}
	}
	for i := range p.Tasks {
		if t := &p.Tasks[i]; t.After != nil && !t.onlyFollows() {
			c.Marks[t.After] = graph.Change(t.Change)
		}
	}
	return c
}
