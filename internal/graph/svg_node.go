package graph

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
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

// label breaks up what a node says.
func (d *sketch) label(n node) caption {
	t := n.task
	title, name := flatLine(t.Title()), flatLine(taskName(t))
	if !says(t, t.Title()) {
		title, name = name, ""
	}
	l := caption{title: title, meta: strings.TrimSpace(t.Number() + "  " + name)}
	if n.frame {
		l.width = frameWidth
		l.lines = wrap(l.title, strongSize, frameWidth-textLeft-10, 2)
		l.head = 16 + 14 + len(l.lines)*lineHeight - 12
		return l
	}
	l.lines = wrap(l.title, fontSize, textRoom, 3)
	l.width, l.height = boxWidth, 26+len(l.lines)*lineHeight
	return l
}

// statusClass is the class of a status.
func statusClass(s plan.Status) string {
	switch s {
	case plan.Done:
		return "done"
	case plan.InProgress:
		return "active"
	case plan.Blocked:
		return "blocked"
	case plan.Failed:
		return "failed"
	case plan.Skipped, plan.Cancelled:
		return "skipped"
	}
	return "plain"
}

// looks gives the class of a box: in a picture of changes, by what changed.
func (d *sketch) looks(n node) string {
	if d.Changes == nil {
		return "pg-" + statusClass(n.task.Status)
	}
	if n.mark != Same {
		return "pg-" + string(n.mark)
	}
	return "pg-plain"
}

// frames draws the boxes around others, the outer ones first.
func (d *sketch) frames() {
	for i, n := range d.nodes {
		if !n.frame {
			continue
		}
		b := d.layout.Boxes[i]
		classes := []string{"pg-frame"}
		if d.Changes != nil && n.mark != Same {
			classes = append(classes, d.looks(n))
		}
		fmt.Fprintf(&d.b, `<rect x="%d" y="%d" width="%d" height="%d" rx="10"%s%s/>`+"\n", b.X+d.left, b.Y+d.top, b.Width, b.Height, d.class(classes...), opacity(len(classes) > 1))
	}
}

// opacity lets the colour of a frame shine through.
func opacity(shines bool) string {
	if shines {
		return ` fill-opacity=".35"`
	}
	return ""
}

// node draws a task, or what a frame says, as one group with all it says as its
// title.
func (d *sketch) node(i int, n node) {
	b, l := d.layout.Boxes[i], d.boxes[i]
	x, y := b.X+d.left, b.Y+d.top
	link := d.link(n.task)
	if link != "" {
		fmt.Fprintf(&d.b, `<a href="%s" aria-label="%s">`, text(link), text(Label(n.task, taskName(n.task), 200)+", "+n.statusWord()))
	}
	d.b.WriteString("<g><title>" + text(d.whole(n)) + "</title>\n")
	if n.frame {
		d.frameHead(n, l, x, y, b.Width)
	} else {
		d.box(n, l, x, y, b.Width, b.Height)
	}
	d.badges(n, x+b.Width, y)
	d.b.WriteString("</g>")
	if link != "" {
		d.b.WriteString("</a>")
	}
	d.b.WriteString("\n")
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
	round := 6
	if n.task.Kind == "decide" {
		// A decision has corners cut off.
		c := 10
		fmt.Fprintf(&d.b, `<path d="M%d %dh%dl%d %dv%dl%d %dh%dl%d %dv%dz"%s/>`+"\n", x+c, y, width-2*c, c, c, height-2*c, -c, c, 2*c-width, -c, -c, 2*c-height, d.class("pg-box", d.looks(n)))
	} else {
		fmt.Fprintf(&d.b, `<rect x="%d" y="%d" width="%d" height="%d" rx="%d"%s/>`+"\n", x, y, width, height, round, d.class("pg-box", d.looks(n)))
	}
	if n.chain {
		fmt.Fprintf(&d.b, `<rect x="%d" y="%d" width="4" height="%d" rx="2"%s/>`+"\n", x+2, y+8, height-16, d.class("pg-strip"))
	}
	d.glyph(n, x+19, y+height/2)
	room := textRoom
	if kind := n.task.Kind; kind != "" {
		fmt.Fprintf(&d.b, `<text x="%d" y="%d" text-anchor="end"%s>%s</text>`+"\n", x+width-8, y+16, d.class("pg-kind"), text(kind))
		room -= textWidth(kind, metaSize) + 6
	}
	d.line(x+textLeft, y+16, clip(l.meta, metaSize, room), "pg-meta")
	class := "pg-title"
	if n.mark == Removed || n.task.Status == plan.Skipped || n.task.Status == plan.Cancelled {
		class = "pg-gone"
	}
	for k, s := range l.lines {
		d.line(x+textLeft, y+33+k*lineHeight, s, class)
	}
}

// frameHead draws what a frame says at its top.
func (d *sketch) frameHead(n node, l caption, x, y, width int) {
	d.glyph(n, x+19, y+21)
	meta := l.meta
	if n.all > 0 {
		meta += fmt.Sprintf("  %d/%d", n.done, n.all)
	}
	switch n.task.Kind {
	case "decide":
		meta += "  ◇ decide: one of these"
	case "subtask":
		meta += "  ↓ in this order"
	case "":
	default:
		meta += "  " + flatLine(n.task.Kind)
	}
	d.line(x+textLeft, y+18, clip(meta, metaSize, width-textLeft-10), "pg-meta", "pg-halo")
	lines := wrap(l.title, strongSize, width-textLeft-10, len(l.lines))
	class := "pg-strong"
	if n.mark == Removed {
		class = "pg-gone"
	}
	for k, s := range lines {
		d.line(x+textLeft, y+34+k*lineHeight, s, class, "pg-halo")
	}
}

func (d *sketch) line(x, y int, s string, classes ...string) {
	if s != "" {
		fmt.Fprintf(&d.b, `<text x="%d" y="%d"%s>%s</text>`+"\n", x, y, d.class(classes...), text(s))
	}
}

// whole tells all of a task, for who points at it.
func (d *sketch) whole(n node) string {
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
		parts = append(parts, s.Level+" "+s.ID+": "+Cut(flatLine(s.Message()), 120))
	}
	return strings.Join(parts, "; ")
}

// glyph draws how a task stands, by its form.
func (d *sketch) glyph(n node, x, y int) {
	if n.ready {
		fmt.Fprintf(&d.b, `<circle cx="%d" cy="%d" r="7.5"%s/><circle cx="%d" cy="%d" r="3"%s/>`+"\n", x, y, d.class("pg-ring-ready"), x, y, d.class("pg-dot-active"))
		return
	}
	class := statusClass(n.task.Status)
	if n.frame && n.done == n.all && class == "plain" {
		class = "done" // whatever its own file says
	}
	switch class {
	case "plain":
		fmt.Fprintf(&d.b, `<circle cx="%d" cy="%d" r="7.5"%s/>`, x, y, d.class("pg-ring"))
	case "skipped":
		fmt.Fprintf(&d.b, `<circle cx="%d" cy="%d" r="7.5"%s/><path d="M%d %dh7"%s/>`, x, y, d.class("pg-ring-skipped"), x-3, y, d.class("pg-sign-muted"))
	case "blocked":
		fmt.Fprintf(&d.b, `<rect x="%d" y="%d" width="16" height="16" rx="4"%s/><path d="M%d %dv7M%d %dv7"%s/>`, x-8, y-8, d.class("pg-dot-blocked"), x-2, y-3, x+3, y-3, d.class("pg-sign"))
	default:
		fmt.Fprintf(&d.b, `<circle cx="%d" cy="%d" r="8.5"%s/>`, x, y, d.class("pg-dot-"+class))
	}
	switch class {
	case "done":
		fmt.Fprintf(&d.b, `<path d="M%d %dl3 3l5 -6"%s/>`, x-4, y+1, d.class("pg-sign"))
	case "active":
		fmt.Fprintf(&d.b, `<path d="M%d %dl6.5 4l-6.5 4z"%s/>`, x-2, y-4, d.class("pg-sign-full"))
	case "failed":
		fmt.Fprintf(&d.b, `<path d="M%d %dl6 6m0 -6l-6 6"%s/>`, x-3, y-3, d.class("pg-sign"))
	}
	d.b.WriteString("\n")
}

// badges draws at the upper right corner of a box what changed and which
// signals are open.
func (d *sketch) badges(n node, x, y int) {
	at := x - 8
	if sign := markSign(n.mark); d.Changes != nil && sign != "" {
		d.badge(at, y, markDot(n.mark), sign)
		at -= 20
	}
	if len(n.signals) > 0 {
		d.warning(at, y, worst(n.signals))
		if len(n.signals) > 1 {
			d.line(at-26, y-4, fmt.Sprint(len(n.signals)), "pg-meta", "pg-halo")
		}
	}
}

func (d *sketch) badge(x, y int, class, sign string) {
	fmt.Fprintf(&d.b, `<circle cx="%d" cy="%d" r="8"%s/><path d="%s" transform="translate(%d %d)"%s/>`+"\n", x, y, d.class(class), sign, x, y, d.class("pg-sign"))
}

// warning draws a triangle.
func (d *sketch) warning(x, y int, class string) {
	fmt.Fprintf(&d.b, `<path d="M%d %dl9 16h-18z"%s/><path d="M%d %dv4.5m0 3v.1"%s/>`+"\n", x, y-10, d.class(class), x, y-4, d.class("pg-sign"))
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

// markSign draws a change in the middle of a badge.
func markSign(c Change) string {
	return map[Change]string{Added: "M-4 0h8M0 -4v8", Removed: "M-4 0h8", Changed: "M-4 1q2 -4 4 -1t4 -1", Moved: "M-4 0h8m-3 -3l3 3l-3 3"}[c]
}

func markDot(c Change) string {
	return map[Change]string{Added: "pg-dot-done", Removed: "pg-dot-failed", Changed: "pg-dot-blocked", Moved: "pg-dot-moved"}[c]
}
