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
	if d.Page {
		return nil
	}
	line := d.summary()
	if len(d.chain) > 1 {
		line += "; critical path: " + Length(d.chain, d.estimated)
	}
	out := []headLine{{text: clip(flatLine(d.Title), 15, pageWidth), class: "pg-head", size: 15}}
	say := func(text, signal string, width int) {
		out = append(out, headLine{clip(flatLine(text), metaSize, width), "pg-meta", signal, metaSize})
	}
	say(line, "", pageWidth)
	open := slices.DeleteFunc(slices.Clone(d.plan.Signals), func(s *plan.Signal) bool { return s.Task != "" && d.plan.Task(s.Task) != nil })
	for _, s := range open[:min(len(open), 3)] {
		say(s.Level+" "+s.ID+": "+s.Message(), worst([]*plan.Signal{s}), 600)
	}
	if n := len(open) - 3; n > 0 {
		say(fmt.Sprintf("%d more signals on the plan", n), "", 600)
	}
	for _, note := range d.notes() {
		say(note, "", 800)
	}
	return out
}

// notes are what a reader must know of a picture that does not show all.
func (d *sketch) notes() []string {
	var out []string
	if d.tasks > 0 && len(d.nodes) == maxTasks {
		out = append(out, fmt.Sprintf("only the first %d of %d tasks are drawn", maxTasks, d.tasks))
	} else if d.tasks > 0 {
		out = append(out, fmt.Sprintf("%d of %d tasks are drawn: those that changed and those next to them", len(d.nodes), d.tasks))
	}
	if d.more {
		out = append(out, fmt.Sprintf("only the first %d dependencies are drawn", maxEdges))
	}
	if len(d.loops) > 0 {
		out = append(out, words.Few(slices.Compact(d.loops), 5)+" wait for themselves, or for what is around or in them: no line shows that")
	}
	return out
}

func (d *sketch) writeHeading(lines []headLine) {
	for i, l := range lines {
		x, y := margin, margin+13+18*i
		if l.signal != "" {
			d.add(`<g transform="translate(%d %d)">%s</g>`, x+8, y-5, warning(l.signal))
			x += 22
		}
		d.line(x, y, clip(l.text, l.size, d.width-margin-x), l.class)
	}
}

// legendRow is a sign and what it means.
type legendRow struct {
	sign, text string
	x, y       int
}

// legend explains what is in the picture, and nothing else.
func (d *sketch) legend() []legendRow {
	var out []legendRow
	add := func(sign, text string) {
		row := legendRow{sign: sign, text: text}
		if !slices.Contains(out, row) {
			out = append(out, row)
		}
	}
	inside := func(sign string) string { return `<g transform="translate(15 10)">` + sign + `</g>` }
	if d.changed {
		for _, c := range changeColours() {
			if d.has(c.change) {
				add(inside(badge(c.change)), string(c.change))
			}
		}
	} else {
		for _, s := range plan.Statuses() {
			for _, n := range d.nodes {
				if n.frame = false; n.task.Status == s {
					add(inside(glyph(n)), n.statusWord())
				}
			}
		}
	}
	for _, e := range []struct{ kind, text string }{
		{"", "must come first"}, {"flow", "gives what the other takes"}, {"order", "in the order of files"}, {"chain", "critical path"}, {"back", "part of a cycle"},
		{"added", "dependency added"}, {"removed", "dependency removed"},
	} {
		if slices.ContainsFunc(d.wires, func(w wire) bool { return edgeKind(w) == e.kind }) {
			line, tip := edgeClasses(e.kind)
			add(fmt.Sprintf(`<path d="M0 10h19" class="%s"/><path d="M26 10l-8 -4v8z" class="%s"/>`, line, tip), e.text)
		}
	}
	if slices.ContainsFunc(d.nodes, func(n node) bool { return len(n.signals) > 0 }) {
		add(inside(warning("pg-dot-info")), "open signal")
	}
	return out
}

// placed sets rows one after another in lines of a width, and gives their height.
func placed(rows []legendRow, width int) ([]legendRow, int) {
	x, y := 0, 0
	for i, r := range rows {
		need := 32 + textWidth(r.text, metaSize) + 18
		if x > 0 && x+need > width+18 {
			x, y = 0, y+22
		}
		rows[i].x, rows[i].y = x, y
		x += need
	}
	if len(rows) == 0 {
		return nil, 0
	}
	return rows, y + 22 + margin - 6
}
