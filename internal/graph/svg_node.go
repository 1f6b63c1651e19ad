package graph

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// The sizes of boxes, in pixels.
const (
	boxWidth   = 206
	textLeft   = 34 // where the text of a box begins
	textRoom   = boxWidth - textLeft - 10
	lineHeight = 16
	fontSize   = 12.5
	strongSize = 13.75 // what strong text of that size takes
	metaSize   = 11
	frameWidth = 230 // of a frame around one box
)

// caption is what a box says, and its size.
type caption struct {
	meta                string
	lines               []string
	title               string // of a frame, whole
	width, height, head int
}

// newCaption breaks up what a node says.
func newCaption(n node) caption {
	t := n.task
	title, name := flatLine(t.Title()), flatLine(taskName(t))
	if !says(t, t.Title()) {
		title, name = name, ""
	}
	c := caption{title: title, meta: strings.TrimSpace(t.Number() + "  " + name)}
	if n.frame {
		c.width = frameWidth
		c.lines = wrap(c.title, strongSize, frameWidth-textLeft-10, 2)
		c.head = 18 + len(c.lines)*lineHeight
		return c
	}
	c.lines = wrap(c.title, fontSize, textRoom, 3)
	c.width, c.height = boxWidth, 26+len(c.lines)*lineHeight
	return c
}

// frameBoxes draws the boxes around others, the outer ones first.
func (d *sketch) frameBoxes() {
	for i, n := range d.nodes {
		if !n.frame {
			continue
		}
		b, looks := d.layout.Boxes[i], `class="pg-frame"`
		if n.mark != Same {
			looks = `class="pg-frame pg-` + string(n.mark) + `" fill-opacity=".35"`
		}
		d.add(`<rect x="%d" y="%d" width="%d" height="%d" rx="10" %s/>`, b.X+d.left, b.Y+d.top, b.Width, b.Height, looks)
	}
}

// node draws a task, or what a frame says, as one group with all it says as its
// title.
func (d *sketch) node(i int, n node) {
	b := d.layout.Boxes[i]
	b.X, b.Y = b.X+d.left, b.Y+d.top
	link, end := d.link(n.task), ""
	if link != "" {
		fmt.Fprintf(&d.b, `<a href="%s" aria-label="%s">`, text(link), text(Label(n.task, taskName(n.task), 200)+", "+n.statusWord()))
		end = "</a>"
	}
	d.add("<g><title>%s</title>", text(n.whole()))
	if n.frame {
		d.frameHead(n, d.boxes[i], b.X, b.Y, b.Width)
	} else {
		d.box(n, d.boxes[i], b.X, b.Y, b.Width, b.Height)
	}
	d.badges(n, b.X+b.Width, b.Y)
	d.add("</g>%s", end)
}

// link gives where a task leads to, if that is harmless.
func (d *sketch) link(t *plan.Task) string {
	if d.Link == nil {
		return ""
	}
	to := d.Link(t)
	before, _, _ := strings.Cut(to, "/")
	if scheme, _, ok := strings.Cut(before, ":"); ok && scheme != "http" && scheme != "https" {
		return ""
	}
	return to
}

func (d *sketch) box(n node, l caption, x, y, width, height int) {
	class := "pg-box pg-" + d.class(n)
	if n.task.Kind == "decide" {
		const c = 10 // a decision has corners cut off
		d.add(`<path d="M%d %dh%dl%d %dv%dl%d %dh%dl%d %dv%dz" class="%s"/>`, x+c, y, width-2*c, c, c, height-2*c, -c, c, 2*c-width, -c, -c, 2*c-height, class)
	} else {
		d.add(`<rect x="%d" y="%d" width="%d" height="%d" rx="6" class="%s"/>`, x, y, width, height, class)
	}
	if n.chain {
		d.add(`<rect x="%d" y="%d" width="4" height="%d" rx="2" class="pg-strip"/>`, x+2, y+8, height-16)
	}
	d.sign(x+19, y+height/2, glyph(n))
	room := textRoom
	if kind := n.task.Kind; kind != "" {
		d.add(`<text x="%d" y="%d" text-anchor="end" class="pg-kind">%s</text>`, x+width-8, y+16, text(kind))
		room -= textWidth(kind, metaSize) + 6
	}
	d.line(x+textLeft, y+16, clip(l.meta, metaSize, room), "pg-meta")
	for k, s := range l.lines {
		d.line(x+textLeft, y+33+k*lineHeight, s, n.titleClass("pg-title"))
	}
}

// titleClass is the class of a title: another one if the task is gone.
func (n node) titleClass(usual string) string {
	if n.mark == Removed || !n.frame && lookOf(n.task.Status).class == "skipped" {
		return "pg-gone"
	}
	return usual
}

// frameHead draws what a frame says at its top.
func (d *sketch) frameHead(n node, l caption, x, y, width int) {
	d.sign(x+19, y+21, glyph(n))
	meta := l.meta
	if n.all > 0 {
		meta += fmt.Sprintf("  %d/%d", n.done, n.all)
	}
	switch n.task.Kind {
	case "decide":
		meta += "  ◇ decide: one of these"
	case "subtask":
		meta += "  ↓ in this order"
	default:
		meta = strings.TrimRight(meta+"  "+flatLine(n.task.Kind), " ")
	}
	d.line(x+textLeft, y+18, clip(meta, metaSize, width-textLeft-10), "pg-meta pg-halo")
	for k, s := range wrap(l.title, strongSize, width-textLeft-10, len(l.lines)) {
		d.line(x+textLeft, y+34+k*lineHeight, s, n.titleClass("pg-strong")+" pg-halo")
	}
}

func (d *sketch) line(x, y int, s, class string) {
	if s != "" {
		d.add(`<text x="%d" y="%d" class="%s">%s</text>`, x, y, class, text(s))
	}
}

// sign draws a sign around a point.
func (d *sketch) sign(x, y int, sign string) {
	d.add(`<g transform="translate(%d %d)">%s</g>`, x, y, sign)
}

// whole tells all of a task, for who points at it.
func (n node) whole() string {
	t := n.task
	parts := []string{Label(t, taskName(t), 500), n.statusWord()}
	if n.mark != Same {
		parts = append(parts, string(n.mark))
	}
	if t.Kind != "" {
		parts = append(parts, t.Kind)
	}
	if n.frame {
		parts = append(parts, fmt.Sprintf("%d of %s settled", n.done, words.Count(n.all, "task")))
	}
	if n.chain {
		parts = append(parts, "on the critical path")
	}
	if e := t.Doc.Text("estimate"); e != "" {
		parts = append(parts, "estimate "+e)
	}
	for k, s := range n.signals {
		if k == 3 {
			parts = append(parts, fmt.Sprintf("%d more signals", len(n.signals)-k))
			break
		}
		parts = append(parts, s.Level+" "+s.ID+": "+diag.Cut(flatLine(s.Message()), 120))
	}
	return strings.Join(parts, "; ")
}

// glyph tells how a task stands by a form, around a point.
func glyph(n node) string {
	class := lookOf(n.task.Status).class
	switch {
	case n.ready:
		class = "ready"
	case n.frame && n.done == n.all && class == "plain":
		class = "done" // whatever its own file says
	}
	return map[string]string{
		"ready":   `<circle r="7.5" class="pg-ring-ready"/><circle r="3" class="pg-dot-active"/>`,
		"plain":   `<circle r="7.5" class="pg-ring"/>`,
		"skipped": `<circle r="7.5" class="pg-ring-skipped"/><path d="M-3 0h7" class="pg-sign-muted"/>`,
		"blocked": `<rect x="-8" y="-8" width="16" height="16" rx="4" class="pg-dot-blocked"/><path d="M-2 -3v7M3 -3v7" class="pg-sign"/>`,
		"done":    `<circle r="8.5" class="pg-dot-done"/><path d="M-4 1l3 3l5 -6" class="pg-sign"/>`,
		"active":  `<circle r="8.5" class="pg-dot-active"/><path d="M-2 -4l6.5 4l-6.5 4z" class="pg-sign-full"/>`,
		"failed":  `<circle r="8.5" class="pg-dot-failed"/><path d="M-3 -3l6 6m0 -6l-6 6" class="pg-sign"/>`,
	}[class]
}

// badges draws at the upper right corner of a box what changed and which
// signals are open.
func (d *sketch) badges(n node, x, y int) {
	at := x - 8
	if n.mark != Same {
		d.sign(at, y, badge(n.mark))
		at -= 20
	}
	if len(n.signals) > 0 {
		d.sign(at, y, warning(worst(n.signals)))
		if len(n.signals) > 1 {
			d.line(at-26, y-4, fmt.Sprint(len(n.signals)), "pg-meta pg-halo")
		}
	}
}

// badge is the sign of a change, around a point.
func badge(c Change) string {
	sign := map[Change]string{Added: "M-4 0h8M0 -4v8", Removed: "M-4 0h8", Changed: "M-4 1q2 -4 4 -1t4 -1", Moved: "M-4 0h8m-3 -3l3 3l-3 3"}[c]
	return fmt.Sprintf(`<circle r="8" class="pg-dot-%s"/><path d="%s" class="pg-sign"/>`, tone(string(c)), sign)
}

// warning is a triangle, around a point.
func warning(class string) string {
	return fmt.Sprintf(`<path d="M0 -10l9 16h-18z" class="%s"/><path d="M0 -4v4.5m0 3v.1" class="pg-sign"/>`, class)
}

func worst(all []*plan.Signal) string {
	class := "pg-dot-info"
	for _, s := range all {
		switch s.Level {
		case "blocker":
			return "pg-dot-failed"
		case "warning":
			class = "pg-dot-blocked"
		}
	}
	return class
}
