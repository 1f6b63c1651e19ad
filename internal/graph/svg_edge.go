package graph

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/layout"
	"github.com/git-plan/git-plan/plan"
)

// edges draws the lines: plain ones first, so that those that mean more run
// above them.
func (d *sketch) edges() {
	for _, above := range []bool{false, true} {
		for i, w := range d.wires {
			if (w.chain || w.mark != Same) == above {
				d.edge(w, d.layout.Routes[i].Points)
			}
		}
	}
}

// edgeClass is the last part of the classes of a line and its tip.
func edgeClass(w wire) string {
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

func (d *sketch) edge(w wire, points []layout.Point) {
	classes, tip := []string{"pg-edge"}, "pg-tip"
	if class := edgeClass(w); class != "" {
		classes, tip = append(classes, "pg-edge-"+class), "pg-tip-"+class
	}
	path, head := d.path(points)
	fmt.Fprintf(&d.b, `<g><title>%s</title><path d="%s"%s/><path d="%s"%s/></g>`+"\n", text(d.edgeText(w)), path, d.class(classes...), head, d.class(tip))
}

func (d *sketch) edgeText(w wire) string {
	s := taskName(d.nodes[w.from].task) + " → " + taskName(d.nodes[w.to].task)
	switch w.kind {
	case plan.DataFlow:
		s += ", by what it gives: " + Cut(flatLine(w.item), 80)
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
	const tipLength = 8
	last := len(points) - 1
	end := points[last]
	before := points[last-1]
	forward := 1
	if d.along(end) < d.along(before) {
		forward = -1
	}
	stop := d.shift(end, -forward*(tipLength-1))
	var b strings.Builder
	fmt.Fprintf(&b, "M%d %d", points[0].X+d.left, points[0].Y+d.top)
	for i := 1; i <= last; i++ {
		from, to := points[i-1], points[i]
		if i == last {
			to = stop
		}
		if d.across(from) == d.across(to) || d.along(from) == d.along(to) {
			fmt.Fprintf(&b, "L%d %d", to.X+d.left, to.Y+d.top)
			continue
		}
		half := (d.along(to) - d.along(from)) / 2
		one, two := d.shift(from, half), d.shift(to, -half)
		fmt.Fprintf(&b, "C%d %d %d %d %d %d", one.X+d.left, one.Y+d.top, two.X+d.left, two.Y+d.top, to.X+d.left, to.Y+d.top)
	}
	base := d.shift(end, -forward*tipLength)
	x, y := end.X+d.left, end.Y+d.top
	bx, by := base.X+d.left, base.Y+d.top
	if d.sideways {
		return b.String(), fmt.Sprintf("M%d %dL%d %dL%d %dz", x, y, bx, by-4, bx, by+4)
	}
	return b.String(), fmt.Sprintf("M%d %dL%d %dL%d %dz", x, y, bx-4, by, bx+4, by)
}

// along and across are the places of a point in the direction of the picture
// and in the other one; shift moves it in the first.
func (d *sketch) along(p layout.Point) int {
	if d.sideways {
		return p.X
	}
	return p.Y
}

func (d *sketch) across(p layout.Point) int {
	if d.sideways {
		return p.Y
	}
	return p.X
}

func (d *sketch) shift(p layout.Point, by int) layout.Point {
	if d.sideways {
		return layout.Point{X: p.X + by, Y: p.Y}
	}
	return layout.Point{X: p.X, Y: p.Y + by}
}
