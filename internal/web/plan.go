package web

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/markdown"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// view is a plan as a page shows it. Templates ask it, and the nodes that it
// gives, for all they show.
type view struct {
	*plan.Plan
	links
	stored *store.Stored
	// here is the word of the tab that the page is under, empty for a task's.
	here          string
	ready, lapsed map[*plan.Task]bool
}

func (v *Viewer) view(s *store.Stored, here string, l links) *view {
	x := &view{s.Plan, l, s, here, map[*plan.Task]bool{}, map[*plan.Task]bool{}}
	for _, t := range x.Ready() {
		x.ready[t] = true
	}
	if !l.Static { // what is written down must not change with the clock
		for _, t := range x.Plan.Lapsed(v.opts.Now()) {
			if c, ok := t.Claim(); ok && !c.Until.IsZero() {
				x.lapsed[t] = true
			}
		}
	}
	return x
}

// Title is the plan's, or its id.
func (x *view) Title() string { return cmp.Or(x.Plan.Title(), x.ID) }

// Goal is empty where the title says it.
func (x *view) Goal() string {
	if goal := x.Plan.Goal(); goal != x.Plan.Title() {
		return goal
	}
	return ""
}

// Link leads to the first page of the plan.
func (x *view) Link() string { return x.To(planPath(x.ID)) }

// Mark is the plan's status.
func (x *view) Mark() mark { return planMark(x.Status()) }

// Bar is the plan's progress.
func (x *view) Bar() bar { return barOf(x.Progress()) }

// Archived is where an archived plan is, else empty.
func (x *view) Archived() string {
	if x.stored.Archived() {
		return x.stored.Path
	}
	return ""
}

// tab leads to one of the pages of a plan.
type tab struct {
	Link, Word string
	Here       bool
}

// Tabs lead to the pages of the plan.
func (x *view) Tabs() []tab {
	var out []tab
	for _, t := range [][2]string{{"Tasks", ""}, {"Board", "board"}, {"Graph", "graph"}, {"History", "history"}} {
		out = append(out, tab{x.To(planPath(x.ID) + t[1]), t[0], t[0] == x.here})
	}
	return out
}

// Details are the fields of the plan that stand nowhere else on its page.
func (x *view) Details() []detail {
	return details(x.Doc, "title", "goal", "version", "final_summary", "abandoned")
}

// Open are the open signals.
func (x *view) Open() []signal { return x.signals(x.Signals) }

// Body is the plan's text, if it says more than the title and the goal.
func (x *view) Body() string {
	if body := x.Doc.Prose(); body != x.Plan.Goal() && body != x.Plan.Title() {
		return body
	}
	return ""
}

// Faults are what is wrong with a plan that came past the gate.
func (x *view) Faults() []string {
	var out []string
	for _, d := range store.Faults(x.Plan, x.stored.Found, true) {
		if len(out) < 20 {
			out = append(out, fmt.Sprintf("%s:%d:%d: %s", d.Path, d.Pos.Line, d.Pos.Column, d.Message))
		}
	}
	return out
}

// Tree are the tasks at the top.
func (x *view) Tree() []node { return x.nodes(x.Tasks) }

// Folds says that something in the tree can be folded.
func (x *view) Folds() bool {
	return slices.ContainsFunc(x.Tasks, func(t *plan.Task) bool { return len(t.Children) > 0 })
}

// mostReady is how many tasks are named beside the tree.
const mostReady = 8

// Next are the first tasks that can be begun.
func (x *view) Next() []node {
	ready := x.Ready()
	return x.nodes(ready[:min(len(ready), mostReady)])
}

// MoreReady is how many there are after those.
func (x *view) MoreReady() int { return max(0, len(x.ready)-mostReady) }

// Columns are the tasks by status, for a board.
func (x *view) Columns() []column {
	var out []column
	for _, status := range plan.Statuses() {
		c := column{Mark: taskMark(status), More: x.Link()}
		for _, t := range x.All() {
			if len(t.Children) > 0 || t.Status != status {
				continue
			}
			if c.Total++; c.Total <= columnSize {
				c.Tasks = append(c.Tasks, node{t, x})
			}
		}
		if c.Total > 0 || status == plan.Pending || status == plan.InProgress || status == plan.Done {
			out = append(out, c)
		}
	}
	return out
}

// prose is markdown of a plan as HTML.
func prose(text string) template.HTML {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return template.HTML(markdown.HTML(diag.PrintableText(text)))
}

// line is markdown of one line as HTML.
func line(text string) template.HTML {
	return template.HTML(markdown.Line(diag.Printable(strings.TrimSpace(text))))
}
