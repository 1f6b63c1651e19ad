package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/layout"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// Options say how a plan is drawn by [SVG].
type Options struct {
	// Title names the picture; by default that of the plan.
	Title string
	// Link gives where a task leads to, nothing for nowhere. What is no
	// relative address and not of http or https leads nowhere.
	Link func(t *plan.Task) string
	// Changes, if not nil, are marked.
	Changes *Changes
	// Page says that the picture is for a page that has [CSS] and says itself
	// what plan it is; else it brings its style and a heading.
	Page bool
	// ID is what the ids in the picture begin with, so that a page may hold
	// several: letters, digits and `-`; by default `plan-graph`.
	ID string
}

// SVG draws a plan as a picture: what must come first stands above what waits
// for it, or left of it where that fits a page better. It holds no script,
// refers to nothing outside but by Link, and is made harmless whatever the plan
// says. The same plan is always drawn the same.
func SVG(p *plan.Plan, o Options) []byte {
	d := &sketch{picture: newPicture(p, o.Changes), Options: o}
	if d.ID = plainID(o.ID); d.ID == "" {
		d.ID = "plan-graph"
	}
	if d.Title == "" {
		d.Title = p.ID + ": " + p.Title()
	}
	d.wires = slices.DeleteFunc(d.wires, func(w wire) bool {
		if w.loop && w.mark != Removed {
			d.loops = append(d.loops, taskName(d.nodes[w.to].task))
		}
		return w.loop
	})
	d.estimated = Estimated(p)
	d.chain = Critical(p, d.estimated)
	d.follow(d.chain)
	shown := maxTasks
	if d.changed {
		shown = maxFocus
	}
	d.focus(shown, maxTasks)
	d.reduce(d.order())
	d.lay()
	return d.draw()
}

// maxFocus is the number of tasks up to which a picture of changes shows all; of
// more, those that changed and what is next to them.
const maxFocus = 100

// plainID leaves of an id what needs no escaping.
func plainID(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || isAlnum(r) {
			return r
		}
		return -1
	}, s)
}

// sketch is a picture that is being drawn.
type sketch struct {
	*picture
	Options
	b strings.Builder
	// loops are the tasks that wait for themselves or for what is around or
	// below them, which no line shows.
	loops []string
	// chain is the critical path, estimated whether it is measured by time.
	chain     []*plan.Task
	estimated bool
	boxes     []caption
	sideways  bool
	layout    *layout.Layout
	// left and top are where the layout begins.
	left, top, width int
}

// add writes an element.
func (d *sketch) add(format string, args ...any) { fmt.Fprintf(&d.b, format+"\n", args...) }

// edge of the page around everything, and the page that a picture should fit.
const (
	margin     = 20
	pageWidth  = 1200
	pageHeight = 1600
)

// lay lays the picture out downwards or sideways, whichever fits a page better.
func (d *sketch) lay() {
	g := layout.Graph{}
	for _, n := range d.nodes {
		c := newCaption(n)
		d.boxes = append(d.boxes, c)
		g.Nodes = append(g.Nodes, layout.Node{Width: c.width, Height: c.height, Head: c.head, Parent: n.parent})
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
	heading := d.heading()
	d.width = max(d.layout.Width+2*margin, 320)
	for _, h := range heading {
		d.width = max(d.width, min(560, 2*margin+textWidth(h.text, h.size)+20))
	}
	d.left, d.top = (d.width-d.layout.Width)/2, margin
	if len(heading) > 0 {
		d.top += 18*len(heading) + 16
	}
	bottom := d.top + d.layout.Height + margin
	legend, height := placed(d.legend(), d.width-2*margin)
	d.open(bottom + height)
	d.frameBoxes()
	d.edges()
	for i, n := range d.nodes {
		d.node(i, n)
	}
	d.writeHeading(heading)
	for _, r := range legend {
		d.add(`<g transform="translate(%d %d)">%s<text x="32" y="14" class="pg-meta">%s</text></g>`, margin+r.x, bottom+r.y, r.sign, text(r.text))
	}
	d.add("</svg>")
	return []byte(d.b.String())
}

// open writes what comes before everything drawn.
func (d *sketch) open(height int) {
	role := "img"
	if d.Link != nil {
		role = "group" // of an image, no reader sees the links
	}
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="%s" aria-labelledby="%s-title" aria-describedby="%s-desc" class="pg">`,
		d.width, height, d.width, height, role, d.ID, d.ID)
	d.add("<title id=\"%s-title\">%s</title>\n<desc id=\"%s-desc\">%s</desc>", d.ID, text(d.Title), d.ID, text(d.describe()))
	if !d.Page {
		d.add("<style>\n%s</style>", CSS())
	}
	d.add(`<rect width="%d" height="%d" rx="8" class="pg-page"/>`, d.width, height)
}

// describe tells what is in a picture: how tasks stand and what waits for what.
func (d *sketch) describe() string {
	const told = 60
	parts := []string{d.summary() + "."}
	needs := make([][]string, len(d.nodes))
	for _, w := range d.wires {
		if w.mark != Removed {
			needs[w.to] = append(needs[w.to], taskName(d.nodes[w.from].task))
		}
	}
	for i, n := range d.nodes {
		if i == told {
			parts = append(parts, fmt.Sprintf("And %s.", words.Count(len(d.nodes)-told, "more task")))
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
	var parts []string
	for _, s := range []struct {
		n    int
		word string
	}{{c.Done, "done"}, {c.Active, "in progress"}, {c.Blocked, "blocked"}, {c.Failed, "failed"}, {c.Pending, "pending"}, {c.Skipped, "skipped"}} {
		if s.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", s.n, s.word))
		}
	}
	return strings.TrimSuffix(words.Count(c.Total, "task")+": "+strings.Join(parts, ", "), ": ")
}
