package diff

import (
	"fmt"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/plan"
)

// maxPictures bounds how many plans are drawn on one page.
const maxPictures = 20

// pictures draws plans for a page, one after another.
type pictures struct {
	drawn int
	// link leads from tasks to pages of them; it may be nil.
	link func(*plan.Task) string
}

// draw draws how the tasks of a plan hang together now and before, with what
// changed marked; of a new plan, as it is. What is gone and what has no tasks is
// not drawn.
func (d *pictures) draw(p *Plan) string {
	if p.Change == Removed || p.Change == Archived || d.drawn == maxPictures || len(p.now().All())+len(allTasks(p.Before)) == 0 {
		return ""
	}
	d.drawn++
	o := graph.Options{Page: true, ID: fmt.Sprintf("plan-graph-%d", d.drawn), Link: d.link, Title: heading(p).Spans[0].Text}
	if p.Before != nil {
		c := changes(p)
		o.Changes = &c
	}
	return string(graph.SVG(p.now(), o))
}

func changes(p *Plan) graph.Changes {
	c := graph.Changes{Before: p.Before, Now: map[*plan.Task]*plan.Task{}}
	for _, both := range pairTasks(p.Before, p.After).list {
		if both.before != nil && both.after != nil {
			c.Now[both.before] = both.after
		}
	}
	mark := map[*plan.Task]graph.Change{}
	for i := range p.Tasks {
		if t := &p.Tasks[i]; t.After != nil && !t.onlyFollows() {
			mark[t.After] = graph.Change(t.Change)
		}
	}
	c.Mark = func(t *plan.Task) graph.Change { return mark[t] }
	return c
}
