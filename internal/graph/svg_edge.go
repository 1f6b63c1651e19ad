package graph

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/layout"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// edges draws the lines: plain ones first, so that those that mean more run
// above them.
func (d *sketch) edges() {
	for _, above := range []bool{false, true} {
		for i, w := range d.wires {
			if (w.chain || w.mark != Same) == above {
				class, tip := edgeClasses(edgeKind(w))
				path, head := d.path(d.layout.Routes[i])
				d.add(`<g><title>%s</title><path d="%s" class="%s"/><path d="%s" class="%s"/></g>`, text(d.edgeText(w)), path, class, head, tip)
			}
		}
	}
}

// edgeKind is what a line means, which decides how it looks; empty for a plain one.
func edgeKind(w wire) string {
	switch {
	case w.mark == Added || w.mark == Removed:
		return string(w.mark)
	case w.back:
		return "back"
	case w.chain:
		return "chain"
	case w.kind == plan.DataFlow:
		return "flow"
	case w.kind == plan.FileOrder:
		return "order"
	}
	return ""
}

// edgeClasses gives the classes of a line and of its tip.
func edgeClasses(kind string) (line, tip string) {
	if kind == "" {
		return "pg-edge", "pg-tip"
	}
	return "pg-edge pg-edge-" + kind, "pg-tip-" + kind
}

func (d *sketch) edgeText(w wire) string {
	s := taskName(d.nodes[w.from].task) + " → " + taskName(d.nodes[w.to].task)
	switch w.kind {
	case plan.DataFlow:
		s += ", by what it gives: " + diag.Cut(flatLine(w.item), 80)
	case plan.FileOrder:
		s += ", by the order of files"
	}
	if w.chain {
		s += ", critical path"
	}
	if w.mark != Same {
		s += ", " + string(w.mark)
	}
	if w.back {
		s += ", part of a cycle"
	}
	return s
}

// path draws a line and its tip: straight where both points are on one line in
// the direction of the picture, else bent so that it has this direction at both.
func (d *sketch) path(points []layout.Point) (line, tip string) {
	along := func(p layout.Point) int { return p.Y }
	shift := func(p layout.Point, by, aside int) string { return fmt.Sprint(p.X+d.left+aside, " ", p.Y+d.top+by) }
	if d.sideways {
		along = func(p layout.Point) int { return p.X }
		shift = func(p layout.Point, by, aside int) string { return fmt.Sprint(p.X+d.left+by, " ", p.Y+d.top+aside) }
	}
	last := len(points) - 1
	end, back := points[last], -8 // where the tip begins, seen from its end
	if along(end) < along(points[last-1]) {
		back = 8
	}
	var b strings.Builder
	b.WriteString("M" + shift(points[0], 0, 0))
	for i := 1; i <= last; i++ {
		from, to := points[i-1], points[i]
		stop := 0
		if i == last {
			stop = back * 7 / 8
		}
		if from.X == to.X || from.Y == to.Y {
			b.WriteString("L" + shift(to, stop, 0))
			continue
		}
		half := (along(to) + stop - along(from)) / 2
		b.WriteString("C" + shift(from, half, 0) + " " + shift(to, stop-half, 0) + " " + shift(to, stop, 0))
	}
	return b.String(), "M" + shift(end, 0, 0) + "L" + shift(end, back, -4) + "L" + shift(end, back, 4) + "z"
}
