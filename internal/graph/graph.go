// Package graph draws what waits for what in a plan: [ASCII] for a terminal,
// [SVG] as a picture, [Mermaid] and [Dot] for programs that make pictures. It
// does no I/O but to write the drawing. The text of plans is made harmless for each.
package graph

import (
	"slices"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// maxEdges bounds a drawing: data flow between thousands of tasks would make
// millions of lines.
const maxEdges = 5_000

// Mark is the sign of a task's status, as in a tree of tasks.
func Mark(s plan.Status) string {
	switch s {
	case plan.Done:
		return "x"
	case plan.InProgress:
		return ">"
	case plan.Blocked, plan.Failed:
		return "!"
	case plan.Skipped, plan.Cancelled:
		return "~"
	}
	return " "
}

// edge says that a task, by its place in file order, waits for another.
type edge struct {
	from, to int
	kind     plan.EdgeKind
}

// drawing is a plan with its tasks numbered in file order.
type drawing struct {
	tasks []*plan.Task
	index map[*plan.Task]int
	edges []edge
	more  bool // there are more edges than are drawn
}

func newDrawing(p *plan.Plan) *drawing {
	d := &drawing{tasks: p.All(), index: map[*plan.Task]int{}}
	for i, t := range d.tasks {
		d.index[t] = i
	}
	seen := map[[2]int]bool{}
	for e := range p.Graph().Edges() {
		from, to := d.index[e.From], d.index[e.To]
		if seen[[2]int{from, to}] {
			continue
		}
		if len(d.edges) == maxEdges {
			d.more = true
			break
		}
		seen[[2]int{from, to}] = true
		d.edges = append(d.edges, edge{from, to, e.Kind})
	}
	return d
}

// isContainer reports whether tasks stand below the i-th.
func (d *drawing) isContainer(i int) bool { return len(d.tasks[i].Children) > 0 }

// parent gives the container of the i-th task, or -1.
func (d *drawing) parent(i int) int {
	if p := d.tasks[i].Parent; p != nil {
		return d.index[p]
	}
	return -1
}

// label is what a node says, with a sign of its status before it, so that it
// reads without colour.
func label(t *plan.Task) string {
	text := Label(t, taskName(t), 60)
	switch t.Status {
	case plan.Done:
		return "✓ " + text
	case plan.InProgress:
		return "▶ " + text
	case plan.Blocked:
		return "‖ " + text
	case plan.Failed:
		return "✗ " + text
	case plan.Skipped, plan.Cancelled:
		return "~ " + text
	}
	return text
}

// Label is what a node says of a task that goes by that name: number, name and
// title on one line of at most that many columns, fit for a terminal.
func Label(t *plan.Task, name string, columns int) string {
	text := t.Number() + " " + name
	if title := t.Title(); says(t, title) {
		text += ": " + title
	}
	return Cut(diag.Printable(text), columns)
}

// Cut shortens a line to at most that many columns. Wide characters, such as
// those of Chinese, take two.
func Cut(s string, columns int) string { return diag.Cut(s, columns) }

// layers tells of each task in which layer it begins: below all it waits for.
type layers struct {
	d            *drawing
	needs        [][]int
	begins, ends []int // -1 while not known
	busy         []bool
	unsure       int // how often a layer was asked for that was being looked for
}

func (d *drawing) layers() []int {
	n := len(d.tasks)
	l := &layers{d: d, needs: make([][]int, n), begins: slices.Repeat([]int{-1}, n), ends: slices.Repeat([]int{-1}, n), busy: make([]bool, n)}
	for _, e := range d.edges {
		l.needs[e.from] = append(l.needs[e.from], e.to)
	}
	for i := range d.tasks {
		l.begin(i)
	}
	return l.begins
}

// begin gives the layer of a task. Of tasks in a cycle, the one that is asked
// for first stands above the others.
func (l *layers) begin(i int) int {
	if l.begins[i] >= 0 {
		return l.begins[i]
	}
	if l.busy[i] {
		l.unsure++
		return 0
	}
	l.busy[i] = true
	layer := 0
	if p := l.d.parent(i); p >= 0 {
		layer = l.begin(p) + 1
	}
	for _, to := range l.needs[i] {
		layer = max(layer, l.end(to)+1)
	}
	l.busy[i] = false
	l.begins[i] = layer
	return layer
}

// end gives the last layer that a task or anything below it is in. It is kept
// where no cycle was met.
func (l *layers) end(i int) int {
	if l.ends[i] >= 0 {
		return l.ends[i]
	}
	before := l.unsure
	layer := l.begin(i)
	for _, c := range l.d.tasks[i].Children {
		layer = max(layer, l.end(l.d.index[c]))
	}
	if l.unsure == before {
		l.ends[i] = layer
	}
	return layer
}
