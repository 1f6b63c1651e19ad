package web

import (
	"html/template"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// graphPage is the picture of what waits for what.
type graphPage struct {
	Head    head
	Picture template.HTML
}

func graphPageOf(s *store.Stored, l links) *graphPage {
	out := &graphPage{Head: headOf(s, "Graph", l)}
	if len(s.Plan.All()) > 0 {
		svg := graph.SVG(s.Plan, graph.Options{Page: true, Link: taskLink(s.Plan, l)})
		out.Picture = template.HTML(svg) // which drew each text as text
	}
	return out
}

// taskLink leads from a task in a picture to its page, if a task of that id is in
// the plan as it is now.
func taskLink(p *plan.Plan, l links) func(*plan.Task) string {
	return func(t *plan.Task) string {
		if p.Task(t.ID) != t {
			if t = p.Task(t.ID); t == nil {
				return ""
			}
		}
		return l.to(taskPath(p.ID, taskKey(p, t)))
	}
}
