package web

import (
	"html/template"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/plan"
)

// Picture draws what waits for what, if there are tasks.
func (x *view) Picture() template.HTML {
	if len(x.All()) == 0 {
		return ""
	}
	return template.HTML(graph.SVG(x.Plan, graph.Options{Page: true, Link: x.taskLink})) // which drew each text as text
}

// taskLink leads from a task in a picture to its page, if a task of that id is in
// the plan as it is now.
func (x *view) taskLink(t *plan.Task) string {
	if x.Task(t.ID) != t {
		if t = x.Task(t.ID); t == nil {
			return ""
		}
	}
	return node{t, x}.Link()
}
