package diff

import (
	"fmt"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/plan"
)

// maxPictures bounds how many plans are drawn on one page.
const maxPictures = 20

// Picture draws how the tasks of a plan hang together now and before, with what
// changed marked; of a plan that is on one side only, that one. The options say
// the rest. It gives nothing for a plan without tasks.
func Picture(p *Plan, o graph.Options) []byte {
	if len(p.now().All()) == 0 && len(allTasks(p.Before)) == 0 {
		return nil
	}
	if p.Before != nil && p.After != nil {
		o.Changes = changes(p)
	}
	if o.Title == "" {
		o.Title = heading(p).spans[0].Text
	}
	return graph.SVG(p.now(), o)
}

func changes(p *Plan) *graph.Changes {
	c := &graph.Changes{Before: p.Before, Now: map[*plan.Task]*plan.Task{}}
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

// pictures draws plans for a page, one after another.
type pictures struct {
	drawn int
	// link leads from tasks to pages of them; it may be nil.
	link func(*plan.Task) string
}

// draw draws a plan in the style of the page.
func (d *pictures) draw(p *Plan) string {
	if p.Change == Removed || p.Change == Archived || d.drawn == maxPictures {
		return ""
	}
	d.drawn++
	return string(Picture(p, graph.Options{Style: graph.StylePage, NoHeading: true, ID: fmt.Sprintf("plan-graph-%d", d.drawn), Link: d.link}))
}
