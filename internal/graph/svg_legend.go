package graph

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// headLine is a line of the heading.
type headLine struct {
	text, class, signal string
	size                float64
}

// heading says above the picture what plan it is, how it stands, what is open
// on the whole of it, and what the picture does not show.
func (d *sketch) heading() []headLine {
	if d.NoHeading {
		return nil
	}
	out := []headLine{{text: clip(flatLine(d.Title), 15, pageWidth), class: "pg-head", size: 15}}
	line := d.summary()
	if n := len(d.chain); n > 1 {
		line += "; critical path: " + words.Count(n, "task")
		if d.estimated {
			line += ", " + Hours(total(d.chain))
		}
	}
	out = append(out, headLine{text: line, class: "pg-meta", size: metaSize})
	for k, s := range d.planSignals() {
		if k == 3 {
			out = append(out, headLine{text: fmt.Sprintf("%d more signals on the plan", len(d.planSignals())-k), class: "pg-meta", size: metaSize})
			break
		}
		out = append(out, headLine{clip(flatLine(s.Level+" "+s.ID+": "+s.Message()), metaSize, 600), "pg-meta", worst([]*plan.Signal{s}), metaSize})
	}
	for _, note := range d.notes() {
		out = append(out, headLine{text: clip(flatLine(note), metaSize, 800), class: "pg-meta", size: metaSize})
	}
	return out
}

// planSignals gives the signals on the plan as a whole.
func (d *sketch) planSignals() []*plan.Signal {
	return slices.DeleteFunc(slices.Clone(d.plan.Signals), func(s *plan.Signal) bool { return s.Task != "" && d.plan.Task(s.Task) != nil })
}

func total(chain []*plan.Task) (ms int64) {
	for _, t := range chain {
		ms += Estimate(t)
	}
	return ms
}

func headingWidth(lines []headLine) int {
	width := 0
	for _, l := range lines {
		width = max(width, textWidth(l.text, l.size)+20)
	}
	return width
}

func headingHeight(lines []headLine) int {
	if len(lines) == 0 {
		return 0
	}
	return 18*len(lines) + 16
}

func (d *sketch) writeHeading(lines []headLine) {
	y := margin + 13
	for _, l := range lines {
		x := margin
		if l.signal != "" {
			d.warning(x+8, y-5, l.signal)
			x += 22
		}
		d.line(x, y, clip(l.text, l.size, d.width-margin-x), l.class)
		y += 18
	}
}

// legendRow is a sign and what it means.
type legendRow struct {
	text string
	draw func(x, y int)
	x, y int
}

// legendRows explains what is in the picture, and nothing else.
func (d *sketch) legendRows() []legendRow {
	var out []legendRow
	if d.Changes == nil {
		out = d.statusLegend()
	} else {
		out = d.changeLegend()
	}
	return append(out, d.edgeLegend()...)
}

func (d *sketch) statusLegend() []legendRow {
	var out []legendRow
	seen := map[string]bool{}
	for _, s := range plan.Statuses() {
		for _, n := range d.nodes {
			word := n.statusWord()
			if n.task.Status != s || seen[word] {
				continue
			}
			seen[word] = true
			n.frame = false
			out = append(out, legendRow{text: word, draw: func(x, y int) { d.glyph(n, x+15, y-4) }})
		}
	}
	return out
}

func (d *sketch) changeLegend() []legendRow {
	var out []legendRow
	for _, c := range []Change{Added, Removed, Changed, Moved} {
		if slices.ContainsFunc(d.nodes, func(n node) bool { return n.mark == c }) {
			out = append(out, legendRow{text: string(c), draw: func(x, y int) { d.badge(x+15, y-4, markDot(c), markSign(c)) }})
		}
	}
	return out
}

func (d *sketch) edgeLegend() []legendRow {
	var out []legendRow
	for _, e := range []struct{ class, text string }{
		{"", "must come first"}, {"flow", "gives what the other takes"}, {"order", "in the order of files"}, {"chain", "critical path"}, {"back", "part of a cycle"},
		{"added", "dependency added"}, {"removed", "dependency removed"},
	} {
		used := slices.ContainsFunc(d.wires, func(w wire) bool { return edgeClass(w) == e.class })
		if !used {
			continue
		}
		classes, tip := []string{"pg-edge"}, "pg-tip"
		if e.class != "" {
			classes, tip = append(classes, "pg-edge-"+e.class), "pg-tip-"+e.class
		}
		out = append(out, legendRow{text: e.text, draw: func(x, y int) {
			fmt.Fprintf(&d.b, `<path d="M%d %dh19"%s/><path d="M%d %dl-8 -4v8z"%s/>`+"\n", x, y-4, d.class(classes...), x+26, y-4, d.class(tip))
		}})
	}
	if slices.ContainsFunc(d.nodes, func(n node) bool { return len(n.signals) > 0 }) {
		out = append(out, legendRow{text: "open signal", draw: func(x, y int) { d.warning(x+15, y-5, "pg-dot-info") }})
	}
	return out
}

// placeLegend sets rows one after another in lines of a width.
func (d *sketch) placeLegend(width int) (rows []legendRow, height int) {
	x, y := 0, 0
	for _, r := range d.legend {
		need := 32 + textWidth(r.text, metaSize) + 18
		if x > 0 && x+need > width+18 {
			x, y = 0, y+22
		}
		r.x, r.y = x, y
		x += need
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return nil, 0
	}
	return rows, y + 22 + margin - 6
}

func (d *sketch) writeLegend(rows []legendRow, top int) {
	for _, r := range rows {
		r.draw(margin+r.x, top+r.y+14)
		d.line(margin+r.x+32, top+r.y+14, r.text, "pg-meta")
	}
}
