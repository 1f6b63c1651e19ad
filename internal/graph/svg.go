package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/layout"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// Style says where the colours of a picture come from.
type Style int

const (
	// StyleInside puts a style sheet into the picture, light or dark as the
	// reader prefers: for a picture that is a file of its own.
	StyleInside Style = iota
	// StylePage leaves the style to that of the page, which has [CSS]: for a
	// page whose policy forbids style sheets inside of it.
	StylePage
	// StyleAttributes writes the light colours at each element: for where there
	// is no style sheet at all.
	StyleAttributes
)

// Options say how a plan is drawn by [SVG].
type Options struct {
	// Title and Desc name the picture and tell what is in it for who does not
	// see it; by default the plan's title, and its tasks in words.
	Title, Desc string
	// Link gives where a task leads to, nothing for nowhere. What is no
	// relative address and not of http or https leads nowhere.
	Link func(t *plan.Task) string
	// Changes, if not nil, are marked.
	Changes *Changes
	Style   Style
	// ID is what the ids in the picture begin with, so that a page may hold
	// several: letters, digits and `-`; by default `plan-graph`.
	ID string
	// NoHeading and NoLegend leave out what stands above the tasks and what
	// below them explains the signs.
	NoHeading, NoLegend bool
}

// SVG draws a plan as a picture: what must come first stands above what waits
// for it, or left of it where that fits a page better. It holds no script,
// refers to nothing outside but by Link, and is made harmless whatever the plan
// says. The same plan is always drawn the same.
func SVG(p *plan.Plan, o Options) []byte {
	x := newPicture(p, o.Changes)
	d := &sketch{picture: x, Options: o, pen: pen{style: o.Style}}
	if d.ID = plainID(o.ID); d.ID == "" {
		d.ID = "plan-graph"
	}
	if d.Title == "" {
		d.Title = p.ID + ": " + p.Title()
	}
	if d.Desc == "" {
		d.Desc = x.describe()
	}
	d.lay()
	return d.draw()
}

// plainID leaves of an id what needs no escaping.
func plainID(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r < 0x80 && isAlnum(r) {
			return r
		}
		return -1
	}, s)
}

// sketch is a picture that is being drawn.
type sketch struct {
	*picture
	Options
	pen
	boxes    []caption
	sideways bool
	layout   *layout.Layout
	// left and top are where the layout begins.
	left, top, width, height int
	legend                   []legendRow
}

// edge of the page around everything, and the page that a picture should fit.
const (
	margin     = 20
	pageWidth  = 1200
	pageHeight = 1600
)

// lay lays the picture out downwards or sideways, whichever fits a page better.
func (d *sketch) lay() {
	d.boxes = make([]caption, len(d.nodes))
	g := layout.Graph{}
	for i, n := range d.nodes {
		d.boxes[i] = d.label(n)
		g.Nodes = append(g.Nodes, layout.Node{Width: d.boxes[i].width, Height: d.boxes[i].height, Head: d.boxes[i].head, Parent: n.parent})
	}
	for _, w := range d.wires {
		e := layout.Edge{From: w.from, To: w.to, Weight: 1, Yields: w.mark == Removed || w.back}
		if w.chain {
			e.Weight = 3
		}
		g.Edges = append(g.Edges, e)
	}
	d.layout = layout.Lay(g, layout.Options{Gap: 30, Space: 22, Pad: 12})
	if len(d.nodes) > 400 && d.layout.Width < 3*d.layout.Height {
		return // one is enough
	}
	if across := layout.Lay(g, layout.Options{Sideways: true, Gap: 34, Space: 16, Pad: 12}); fit(across) > 1.1*fit(d.layout) {
		d.layout, d.sideways = across, true
	}
}

// fit gives how large a layout is shown on a page, 1 for full size, and a
// little less of it the more of the page it takes.
func fit(l *layout.Layout) float64 {
	scale := min(1, pageWidth/float64(max(1, l.Width+2*margin)), pageHeight/float64(max(1, l.Height+2*margin)))
	return scale * (1 - 0.3*float64(l.Height)*scale/pageHeight)
}

// draw writes the picture.
func (d *sketch) draw() []byte {
	d.left, d.top = margin, margin
	heading := d.heading()
	d.width = max(d.layout.Width+2*margin, min(560, 2*margin+headingWidth(heading)))
	if !d.NoLegend {
		d.legend = d.legendRows()
		d.width = max(d.width, 320)
	}
	if free := d.width - 2*margin - d.layout.Width; free > 0 {
		d.left += free / 2
	}
	d.top += headingHeight(heading)
	rows, legendHeight := d.placeLegend(d.width - 2*margin)
	d.height = d.top + d.layout.Height + margin + legendHeight
	d.open()
	d.frames()
	d.edges()
	for i, n := range d.nodes {
		d.node(i, n)
	}
	d.writeHeading(heading)
	d.writeLegend(rows, d.height-legendHeight)
	d.b.WriteString("</svg>\n")
	return []byte(d.b.String())
}

// open writes what comes before everything drawn.
func (d *sketch) open() {
	role := "img"
	if d.Link != nil {
		role = "group" // of an image, no reader sees the links
	}
	fmt.Fprintf(&d.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="%s" aria-labelledby="%s-title" aria-describedby="%s-desc"%s>`+"\n",
		d.width, d.height, d.width, d.height, role, d.ID, d.ID, d.class("pg"))
	fmt.Fprintf(&d.b, "<title id=\"%s-title\">%s</title>\n<desc id=\"%s-desc\">%s</desc>\n", d.ID, text(d.Title), d.ID, text(d.Desc))
	if d.style == StyleInside {
		d.b.WriteString("<style>\n" + CSS() + "</style>\n")
	}
	fmt.Fprintf(&d.b, `<rect width="%d" height="%d" rx="8"%s/>`+"\n", d.width, d.height, d.class("pg-page"))
}

// describe tells what is in a picture: how tasks stand and what waits for what.
func (x *picture) describe() string {
	const told = 60
	parts := []string{x.summary() + "."}
	needs := make([][]string, len(x.nodes))
	for _, w := range x.wires {
		if w.mark != Removed {
			needs[w.to] = append(needs[w.to], taskName(x.nodes[w.from].task))
		}
	}
	for i, n := range x.nodes {
		if i == told {
			parts = append(parts, fmt.Sprintf("And %s.", words.Count(len(x.nodes)-told, "more task")))
			break
		}
		s := Label(n.task, taskName(n.task), 100) + ", " + n.statusWord()
		if n.mark != Same {
			s += ", " + string(n.mark)
		}
		if len(needs[i]) > 0 {
			s += ", after " + words.Few(needs[i], 8)
		}
		parts = append(parts, s+".")
	}
	return strings.Join(parts, " ")
}

// statusWord is how a task stands, in words.
func (n node) statusWord() string {
	if n.ready {
		return "ready"
	}
	return strings.ReplaceAll(string(n.task.Status), "_", " ")
}

// summary counts the tasks by status.
func (x *picture) summary() string {
	c := x.plan.Progress()
	out := words.Count(c.Total, "task")
	var parts []string
	for _, s := range []struct {
		n    int
		word string
	}{{c.Done, "done"}, {c.Active, "in progress"}, {c.Blocked, "blocked"}, {c.Failed, "failed"}, {c.Pending, "pending"}, {c.Skipped, "skipped"}} {
		if s.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", s.n, s.word))
		}
	}
	if len(parts) > 0 {
		out += ": " + strings.Join(parts, ", ")
	}
	return out
}

// notes are what a reader must know of a picture that does not show all.
func (x *picture) notes() []string {
	var out []string
	if x.tasks > 0 && len(x.nodes) == maxTasks {
		out = append(out, fmt.Sprintf("only the first %d of %d tasks are drawn", maxTasks, x.tasks))
	} else if x.tasks > 0 {
		out = append(out, fmt.Sprintf("%d of %d tasks are drawn: those that changed and those next to them", len(x.nodes), x.tasks))
	}
	if x.more {
		out = append(out, fmt.Sprintf("only the first %d dependencies are drawn", maxEdges))
	}
	var names []string
	for _, i := range slices.Compact(slices.Sorted(slices.Values(x.loops))) {
		names = append(names, taskName(x.nodes[i].task))
	}
	if len(names) > 0 {
		out = append(out, words.Few(names, 5)+" wait for themselves, or for what is around or in them: no line shows that")
	}
	return out
}
