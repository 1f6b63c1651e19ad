package graph

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

const (
	// maxLanes bounds how many lines run beside each other; a plan that needs
	// more is told in words.
	maxLanes = 18
	// defaultColumns is how wide a drawing is that no terminal limits.
	defaultColumns = 80
)

// ASCII draws a plan's tasks from top to bottom, each below all it waits for,
// in at most as many columns as the empty page has. A line leaves a task
// downwards; `+` is where a task below joins it, `'` where the last one does. Lines that only cross do
// not touch. Tasks of a container join its line; what waits for the container
// joins it below them. A task without any line is an `o`.
func ASCII(w io.Writer, p *plan.Plan, page *term.Page) error {
	page.Columns = cmp.Or(page.Columns, defaultColumns)
	x := newPicture(p, nil)
	c := newChart(x)
	rows := c.draw()
	room := 0
	for _, r := range rows {
		if r.art != "" {
			room = max(room, len(r.art)+1)
		}
	}
	for i, r := range rows {
		if i > 0 && r.apart {
			page.Line(term.Say(term.Dim, r.above))
		}
		page.Cut(c.art(r).Pad(room), c.text(r, page.Columns-room))
	}
	if len(rows) == 0 {
		page.Line(term.Say(term.Plain, "no tasks"))
	}
	if x.more {
		page.Line(term.Sayf(term.Plain, "only the first %d dependencies are drawn", maxEdges))
	}
	return page.To(w)
}

// chart lays a picture out in rows.
type chart struct {
	*picture
	layer  []int   // of each place
	rows   []int   // the tasks from top to bottom
	row    []int   // of each task
	joins  [][]int // of each task, the tasks above whose line it joins
	untold [][]int // of each task, what it waits for and no line shows
	until  []int   // of each task, the last row that joins its line
	lanes  []int   // the task whose line runs in each lane, or -1

	numbers, names int // how wide the columns of numbers and ids are
}

// row is a line of the chart.
type row struct {
	task int
	art  string
	// apart says that a row stands between this one and the one before, with
	// the art above in it: else this task would seem to join the other one.
	apart bool
	above string
}

func newChart(x *picture) *chart {
	n, o := len(x.nodes), x.order()
	x.reduce(o)
	c := &chart{picture: x, layer: o.layer, row: make([]int, n), joins: make([][]int, n), untold: make([][]int, n), until: make([]int, n)}
	inside := make([]bool, n) // whether a task joins another of its container
	for _, w := range x.wires {
		if w.loop {
			c.untold[w.to] = append(c.untold[w.to], w.from)
			continue
		}
		c.joins[w.to] = append(c.joins[w.to], w.from)
		inside[w.to] = inside[w.to] || x.nodes[w.to].parent >= 0 && x.within(w.from, x.nodes[w.to].parent)
	}
	for i, node := range x.nodes {
		c.rows = append(c.rows, i)
		if node.parent >= 0 && !inside[i] {
			c.joins[i] = append(c.joins[i], node.parent)
		}
		c.numbers, c.names = max(c.numbers, len(node.task.Number())), max(c.names, diag.Width(c.name(i)))
	}
	slices.SortStableFunc(c.rows, func(a, b int) int { return cmp.Compare(c.layer[2*a], c.layer[2*b]) })
	c.arrange(o)
	for i, above := range c.joins {
		c.joins[i] = slices.DeleteFunc(above, func(to int) bool {
			if c.row[to] > c.row[i] { // part of a cycle
				c.untold[i] = append(c.untold[i], to)
			}
			return c.row[to] > c.row[i]
		})
		for _, to := range c.joins[i] {
			c.until[to] = max(c.until[to], c.row[i])
		}
	}
	return c
}

// draw gives the rows, with lines or, where too many would run beside each
// other, without.
func (c *chart) draw() []row {
	var rows []row
	ended := -1 // the lane of the task before, if no line leaves it
	for n, i := range c.rows {
		r := row{task: i, above: c.running()}
		own := 0
		r.art, own = c.place(n, i)
		r.apart = own == ended && !c.isAlone(i)
		ended = -1
		if c.until[i] <= n && !c.isAlone(i) {
			ended = own
		}
		rows = append(rows, r)
		if len(c.lanes) > maxLanes {
			return c.inWords()
		}
	}
	return rows
}

// isAlone reports whether no line leads to a task or from it.
func (c *chart) isAlone(i int) bool { return len(c.joins[i]) == 0 && c.until[i] == 0 }

// running draws the lines between two rows.
func (c *chart) running() string {
	var b strings.Builder
	for _, v := range c.lanes {
		b.WriteString(map[bool]string{true: "| ", false: "  "}[v >= 0])
	}
	return b.String()
}

// inWords gives rows layer by layer, which tell what each task waits for.
func (c *chart) inWords() []row {
	var rows []row
	slices.SortFunc(c.rows, func(a, b int) int { return cmp.Or(cmp.Compare(c.layer[2*a], c.layer[2*b]), cmp.Compare(a, b)) })
	for n, i := range c.rows {
		rows = append(rows, row{task: i, apart: n > 0 && c.layer[2*i] != c.layer[2*c.rows[n-1]]})
		for _, to := range c.joins[i] {
			if to != c.nodes[i].parent {
				c.untold[i] = append(c.untold[i], to)
			}
		}
	}
	return rows
}

// place draws the n-th row, which is that of task i, and moves the lanes on. It
// gives the lane that the task is in.
func (c *chart) place(n, i int) (art string, own int) {
	joins := map[int]bool{}
	first, last := -1, -1
	for lane, v := range c.lanes {
		if v >= 0 && slices.Contains(c.joins[i], v) {
			joins[lane] = true
			if first < 0 {
				first = lane
			}
			last = lane
		}
	}
	own = last
	if last < 0 || c.until[c.lanes[last]] > n {
		own = c.free(last + 1)
	}
	var b strings.Builder
	for lane, v := range c.lanes {
		within := first >= 0 && lane >= first && lane < own
		b.WriteString(c.sign(n, i, v, lane == own, joins[lane], within))
		b.WriteString(map[bool]string{true: "-", false: " "}[within])
		if v >= 0 && c.until[v] <= n {
			c.lanes[lane] = -1
		}
	}
	if c.until[i] > n {
		c.lanes[own] = i
	}
	for len(c.lanes) > 0 && c.lanes[len(c.lanes)-1] < 0 {
		c.lanes = c.lanes[:len(c.lanes)-1]
	}
	return strings.TrimRight(b.String(), " "), own
}

// free gives the first lane from one on that has no line.
func (c *chart) free(from int) int {
	for lane := from; ; lane++ {
		if lane >= len(c.lanes) {
			c.lanes = append(c.lanes, -1)
		}
		if c.lanes[lane] < 0 {
			return lane
		}
	}
}

// sign is the character of a lane in the n-th row, that of task i, where v is
// the task whose line runs there.
func (c *chart) sign(n, i, v int, own, joins, within bool) string {
	switch {
	case own && c.isAlone(i):
		return "o"
	case own:
		return "*"
	case joins && c.until[v] <= n:
		return "'"
	case joins:
		return "+"
	case v >= 0:
		return "|"
	case within:
		return "-"
	}
	return " "
}

// art is the drawing of a row, the task's own sign in the colour of its status.
func (c *chart) art(r row) term.Text {
	at := strings.IndexAny(r.art, "*o")
	if at < 0 {
		return term.Say(term.Dim, r.art)
	}
	return term.Join(term.Say(term.Dim, r.art[:at]), term.Say(c.slot(r), r.art[at:at+1]), term.Say(term.Dim, r.art[at+1:]))
}

func (c *chart) slot(r row) term.Slot {
	if c.nodes[r.task].ready {
		return term.Ready
	}
	return term.StatusSlot(string(c.nodes[r.task].task.Status))
}

// text is what a row says of its task, in at most that many columns.
func (c *chart) text(r row, columns int) term.Text {
	t := c.nodes[r.task].task
	out := term.Join(term.Sayf(c.slot(r), "[%s]", Mark(t.Status)), term.Sayf(term.Dim, " %-*s ", c.numbers, t.Number()))
	name, note := term.Say(term.Plain, c.name(r.task)), c.note(r)
	title := t.Title()
	if !says(t, title) {
		return term.Join(out, name, note)
	}
	out = term.Join(out, name.Pad(c.names), term.Say(term.Plain, "  "))
	return term.Join(out, term.Say(term.Plain, title).Cut(max(8, columns-out.Width()-note.Width())), note)
}

// note says in brackets that a task is ready, and what it waits for and no line
// shows.
func (c *chart) note(r row) term.Text {
	var note term.Text
	if c.nodes[r.task].ready {
		note = term.Join(term.Say(term.Dim, "; "), term.Say(term.Ready, "ready"))
	}
	var needs []string
	for _, v := range c.untold[r.task] {
		needs = append(needs, taskName(c.nodes[v].task))
	}
	if len(needs) > 0 {
		note = term.Join(note, term.Say(term.Dim, "; "), term.Say(term.Dim, "needs "+words.Few(needs, 5)))
	}
	if len(note) == 0 {
		return nil
	}
	return term.Join(term.Say(term.Dim, " ("), note[1:], term.Say(term.Dim, ")"))
}

// name is how a row calls its task.
func (c *chart) name(i int) string {
	name := taskName(c.nodes[i].task)
	if c.nodes[i].frame {
		name += "/"
	}
	return diag.Cut(diag.Printable(name), 28)
}
