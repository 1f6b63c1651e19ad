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
	// maxReduced bounds the plans of which lines that others imply are left
	// out.
	maxReduced = 500
	// defaultColumns is how wide a drawing is that no terminal limits.
	defaultColumns = 80
)

// ASCII draws a plan's tasks from top to bottom, each below all it waits for,
// in at most as many columns as the empty page has. A line leaves a task
// downwards; `+` is where a task below joins it, `'` where the last one does. Lines that only cross do
// not touch. Tasks of a container join its line; what waits for the container
// joins it below them. A task without any line is an `o`.
func ASCII(w io.Writer, p *plan.Plan, page *term.Page) error {
	if page.Columns == 0 {
		page.Columns = defaultColumns
	}
	d := newDrawing(p)
	c := newChart(d)
	rows := c.draw()
	ready := map[*plan.Task]bool{}
	for _, t := range p.Ready() {
		ready[t] = true
	}
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
		page.Cut(c.art(r, ready).Pad(room), c.text(r, ready, page.Columns-room))
	}
	if len(rows) == 0 {
		page.Line(term.Say(term.Plain, "no tasks"))
	}
	if d.more {
		page.Line(term.Sayf(term.Plain, "only the first %d dependencies are drawn", maxEdges))
	}
	return page.To(w)
}

// chart lays a drawing out in rows.
type chart struct {
	d      *drawing
	layer  []int
	order  []int   // the tasks from top to bottom
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

func newChart(d *drawing) *chart {
	n := len(d.tasks)
	c := &chart{d: d, layer: d.layers(), row: make([]int, n), joins: make([][]int, n), untold: make([][]int, n), until: make([]int, n)}
	for i := range n {
		c.order = append(c.order, i)
	}
	slices.SortStableFunc(c.order, func(a, b int) int { return cmp.Compare(c.layer[a], c.layer[b]) })
	for row, i := range c.order {
		c.row[i] = row
		c.numbers, c.names = max(c.numbers, len(d.tasks[i].Number())), max(c.names, diag.Width(c.name(i)))
	}
	for i := range n {
		if p := d.parent(i); p >= 0 && c.row[p] < c.row[i] {
			c.joins[i] = append(c.joins[i], p)
		}
	}
	for _, e := range d.edges {
		if c.row[e.to] < c.row[e.from] {
			c.joins[e.from] = append(c.joins[e.from], e.to)
		} else {
			c.untold[e.from] = append(c.untold[e.from], e.to) // part of a cycle
		}
	}
	c.reduce()
	c.arrange()
	for i, above := range c.joins {
		c.joins[i] = slices.DeleteFunc(above, func(to int) bool {
			if c.row[to] < c.row[i] {
				return false
			}
			c.untold[i] = append(c.untold[i], to)
			return true
		})
	}
	for i, above := range c.joins {
		for _, to := range above {
			c.until[to] = max(c.until[to], c.row[i])
		}
	}
	return c
}

// reduce drops lines that others imply: to a task that another line leads to
// already, and from a container to a task that joins another one of its tasks.
func (c *chart) reduce() {
	if len(c.order) > maxReduced {
		return
	}
	reach := make([]map[int]bool, len(c.order))
	for _, i := range c.order {
		all := map[int]bool{}
		inside := false
		for _, to := range c.joins[i] {
			c.gather(all, reach, i, to)
			inside = inside || c.d.parent(i) >= 0 && c.d.tasks[c.d.parent(i)].IsAncestorOf(c.d.tasks[to])
		}
		c.joins[i] = slices.DeleteFunc(c.joins[i], func(to int) bool {
			return all[to] && !c.holds(to, i) || inside && to == c.d.parent(i)
		})
		for _, to := range c.joins[i] {
			all[to] = all[to] || !c.holds(to, i)
		}
		reach[i] = all
	}
}

// holds reports whether i is a task of the container.
func (c *chart) holds(container, i int) bool {
	return c.d.tasks[container].IsAncestorOf(c.d.tasks[i])
}

// gather notes what a line from i to another task implies: all that this one
// waits for and, unless i is itself in there, all that is below it.
func (c *chart) gather(all map[int]bool, reach []map[int]bool, i, to int) {
	for v, there := range reach[to] {
		all[v] = all[v] || there
	}
	if c.holds(to, i) {
		return
	}
	for _, child := range c.d.tasks[to].Children {
		v := c.d.index[child]
		all[v] = true
		c.gather(all, reach, i, v)
	}
}

// draw gives the rows, with lines or, where too many would run beside each
// other, without.
func (c *chart) draw() []row {
	var rows []row
	ended := -1 // the lane of the task before, if no line leaves it
	for n, i := range c.order {
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
	slices.SortFunc(c.order, func(a, b int) int { return cmp.Or(cmp.Compare(c.layer[a], c.layer[b]), cmp.Compare(a, b)) })
	for n, i := range c.order {
		rows = append(rows, row{task: i, apart: n > 0 && c.layer[i] != c.layer[c.order[n-1]]})
		if p := c.d.parent(i); p >= 0 {
			c.joins[i] = slices.DeleteFunc(c.joins[i], func(to int) bool { return to == p })
		}
		c.untold[i] = append(c.untold[i], c.joins[i]...)
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
	}
	for lane, v := range c.lanes {
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
func (c *chart) art(r row, ready map[*plan.Task]bool) term.Text {
	at := strings.IndexAny(r.art, "*o")
	if at < 0 {
		return term.Say(term.Dim, r.art)
	}
	return term.Join(term.Say(term.Dim, r.art[:at]), term.Say(c.slot(r, ready), r.art[at:at+1]), term.Say(term.Dim, r.art[at+1:]))
}

func (c *chart) slot(r row, ready map[*plan.Task]bool) term.Slot {
	t := c.d.tasks[r.task]
	if ready[t] {
		return term.Ready
	}
	return term.StatusSlot(string(t.Status))
}

// text is what a row says of its task, in at most that many columns.
func (c *chart) text(r row, ready map[*plan.Task]bool, columns int) term.Text {
	t := c.d.tasks[r.task]
	out := term.Join(
		term.Sayf(c.slot(r, ready), "[%s]", Mark(t.Status)), term.Sayf(term.Dim, " %-*s ", c.numbers, t.Number()),
		term.Say(term.Plain, c.name(r.task)))
	var note term.Text
	if ready[t] {
		note = term.Say(term.Ready, "ready")
	}
	if needs := c.needs(r); needs != "" {
		if note != nil {
			note = term.Join(note, term.Say(term.Dim, "; "))
		}
		note = term.Join(note, term.Say(term.Dim, needs))
	}
	if note != nil {
		note = term.Join(term.Say(term.Dim, " ("), note, term.Say(term.Dim, ")"))
	}
	title := t.Title()
	if !says(t, title) {
		return term.Join(out, note)
	}
	out = term.Join(out.Pad(out.Width()-diag.Width(c.name(r.task))+c.names), term.Say(term.Plain, "  "))
	return term.Join(out, term.Say(term.Plain, title).Cut(max(8, columns-out.Width()-note.Width())), note)
}

// needs tells in words what a task waits for and no line shows.
func (c *chart) needs(r row) string {
	var needs []string
	for _, v := range c.untold[r.task] {
		needs = append(needs, taskName(c.d.tasks[v]))
	}
	if len(needs) == 0 {
		return ""
	}
	return "needs " + words.Few(needs, 5)
}

// name is how a row calls its task.
func (c *chart) name(i int) string {
	name := taskName(c.d.tasks[i])
	if c.d.isContainer(i) {
		name += "/"
	}
	return Cut(diag.Printable(name), 28)
}

func taskName(t *plan.Task) string { return cmp.Or(t.ID, t.Doc.Path) }

// says reports whether a title says more than the id.
func says(t *plan.Task, title string) bool {
	return title != "" && !strings.EqualFold(strings.ReplaceAll(t.ID, "-", " "), strings.ReplaceAll(title, "-", " "))
}
