package web

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/markdown"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// head is what stands above every page of a plan.
type head struct {
	ID, Title, Goal string
	Mark            mark
	Version         int
	Bar             bar
	Archived        string // where an archived plan is, else empty
	Tabs            []tab
	Link            string
}

// tab leads to one of the pages of a plan.
type tab struct {
	Link, Word string
	Here       bool
}

// headOf makes the head of the page of that word, which is one of the tabs.
func headOf(s *store.Stored, here string, l links) head {
	p := s.Plan
	h := head{
		ID: p.ID, Title: p.Title(), Mark: planMark(p.Status()), Version: p.Version(), Bar: barOf(p.Progress()), Link: l.to(planPath(p.ID)),
	}
	if h.Title == "" {
		h.Title = p.ID
	}
	if p.Goal() != p.Title() {
		h.Goal = p.Goal()
	}
	if s.Archived() {
		h.Archived = s.Path
	}
	for _, t := range []struct{ word, path string }{
		{"Tasks", planPath(p.ID)}, {"Board", planBoardPath(p.ID)}, {"Graph", graphPath(p.ID)}, {"History", historyPath(p.ID)},
	} {
		h.Tabs = append(h.Tabs, tab{l.to(t.path), t.word, t.word == here})
	}
	return h
}

// planPage shows a plan with its tree of tasks.
type planPage struct {
	Head    head
	Details []detail
	Signals []signal
	Tree    []node
	// Folds says that something in the tree can be folded.
	Folds bool
	Body  template.HTML
	// Summary are the agent's closing words.
	Summary template.HTML
	// Faults are what is wrong with a plan that came past the gate.
	Faults []string
	// Ready are some of the tasks that can be begun, and MoreReady is how many
	// there are beside them.
	Ready     []ref
	MoreReady int
}

// node is a task in a tree.
type node struct {
	ref
	Key                  string
	Type, Kind, Priority string
	Agent, Progress      string
	Ready, Lapsed        bool
	Waits                []string
	Signals              int
	Stops                bool // one of the signals is a blocker
	Folded               bool
	Done, Total          int // of the tasks below it
	Children             []node
	Note                 template.HTML
}

// mostReady is how many tasks are named beside the tree.
const mostReady = 8

// planPageOf makes the first page of a plan.
func (v *Viewer) planPageOf(s *store.Stored, l links) *planPage {
	p := s.Plan
	tree := newTree(v, p, l)
	out := &planPage{Head: headOf(s, "Tasks", l), Details: planDetails(p), Signals: signalsOf(p, p.Signals, l), Tree: tree.nodes(p.Tasks)}
	out.Folds = slices.ContainsFunc(p.Tasks, func(t *plan.Task) bool { return len(t.Children) > 0 })
	if body := p.Doc.Prose(); body != p.Goal() && body != p.Title() {
		out.Body = prose(body)
	}
	out.Summary = prose(p.Doc.Text("final_summary"))
	for _, d := range store.Faults(p, s.Found, true) {
		if len(out.Faults) < 20 {
			out.Faults = append(out.Faults, fmt.Sprintf("%s:%d:%d: %s", d.Path, d.Pos.Line, d.Pos.Column, d.Message))
		}
	}
	ready := p.Ready()
	for _, t := range ready[:min(len(ready), mostReady)] {
		out.Ready = append(out.Ready, refOf(p, t, l))
	}
	out.MoreReady = len(ready) - len(out.Ready)
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

// lines makes each item a [line].
func lines(items []string) []template.HTML {
	var out []template.HTML
	for _, item := range items {
		out = append(out, line(item))
	}
	return out
}

// tree makes the nodes of a plan's tasks.
type tree struct {
	p       *plan.Plan
	l       links
	ready   map[*plan.Task]bool
	lapsed  map[*plan.Task]bool
	signals map[string]int
	// stops has the tasks that a blocker is open on.
	stops map[string]bool
}

func newTree(v *Viewer, p *plan.Plan, l links) *tree {
	t := &tree{p, l, map[*plan.Task]bool{}, map[*plan.Task]bool{}, map[string]int{}, map[string]bool{}}
	for _, x := range p.Ready() {
		t.ready[x] = true
	}
	if !l.static { // what is written down must not change with the clock
		for _, x := range p.Lapsed(v.opts.Now()) {
			if c, ok := x.Claim(); ok && !c.Until.IsZero() {
				t.lapsed[x] = true
			}
		}
	}
	for _, s := range p.Signals {
		t.signals[s.Task]++
		t.stops[s.Task] = t.stops[s.Task] || s.Level == "blocker"
	}
	return t
}

func (t *tree) nodes(tasks []*plan.Task) []node {
	var out []node
	for _, task := range tasks {
		out = append(out, t.node(task))
	}
	return out
}

// maxWaits is how many of the tasks that one waits for are named beside it.
const maxWaits = 4

func (t *tree) node(task *plan.Task) node {
	d := task.Doc
	n := node{
		ref: refOf(t.p, task, t.l), Key: taskKey(t.p, task), Type: d.Text("type"), Kind: task.Kind, Progress: d.Text("progress"),
		Ready: t.ready[task], Lapsed: t.lapsed[task], Signals: t.signals[task.ID], Stops: t.stops[task.ID], Children: t.nodes(task.Children),
	}
	if task.ID == "" {
		n.Signals = 0
	}
	if task.Priority != 1 {
		n.Priority = d.Text("priority")
	}
	n.Agent = d.Text("executed_by")
	if n.Agent == "" {
		n.Agent = d.Text("agent")
	}
	if !task.Settled() {
		for _, w := range t.p.WaitsFor(task) {
			if len(n.Waits) == maxWaits {
				n.Waits = append(n.Waits, "…")
				break
			}
			n.Waits = append(n.Waits, w.ID)
		}
	}
	n.Note = line(t.note(task))
	n.count(task)
	n.Folded = len(task.Children) > 0 && task.Settled()
	return n
}

// note is what came out of a task, in a line.
func (t *tree) note(task *plan.Task) string {
	text := task.Doc.Text("result")
	if task.Status == plan.Failed || task.Status == plan.Blocked {
		text = task.Doc.Text("error")
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return text
}

// count counts what is below a container.
func (n *node) count(task *plan.Task) {
	for _, c := range task.Children {
		if len(c.Children) == 0 {
			n.Total++
			if c.Status.Settled() {
				n.Done++
			}
		}
		var below node
		below.count(c)
		n.Done, n.Total = n.Done+below.Done, n.Total+below.Total
	}
}

// planBoardPage shows the tasks of a plan by status.
type planBoardPage struct {
	Head    head
	Columns []column
}

func (v *Viewer) planBoardOf(s *store.Stored, l links) *planBoardPage {
	tree := newTree(v, s.Plan, l)
	out := &planBoardPage{Head: headOf(s, "Board", l)}
	for _, status := range plan.Statuses() {
		c := column{Mark: taskMark(status), More: l.to(planPath(s.ID))}
		for _, t := range s.Plan.All() {
			if len(t.Children) > 0 || t.Status != status {
				continue
			}
			if c.Total++; c.Total <= columnSize {
				c.Tasks = append(c.Tasks, tree.node(t))
			}
		}
		if c.Total > 0 || status == plan.Pending || status == plan.InProgress || status == plan.Done {
			out.Columns = append(out.Columns, c)
		}
	}
	return out
}
