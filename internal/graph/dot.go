package graph

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// dotText writes text as it stands in a quoted string of the DOT language.
func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// Dot writes a graph for Graphviz: what must come first points to what waits
// for it, with a broken line where not depends_on but data flow or the order
// of files says so. A container is a cluster, in which a folder stands for it.
func Dot(w io.Writer, p *plan.Plan) error {
	x := newPicture(p, nil)
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=TB;\n  node [shape=box, style=\"rounded,filled\", fillcolor=white];\n", dotText(p.ID))
	x.outline(&b, "}", func(i int, indent string) {
		n := x.nodes[i]
		looks := "label=" + dotText(label(n.task))
		if class := lookOf(n.task.Status).class; class != "plain" {
			looks += fmt.Sprintf(`, fillcolor="%s"`, colour(class+"-box", false))
			if class == "skipped" {
				looks += `, style="rounded,filled,dashed"`
			}
		}
		if n.frame {
			fmt.Fprintf(&b, "%ssubgraph cluster_%d {\n%s  label=\"\";\n%s  t%d [shape=folder, %s];\n", indent, i+1, indent, indent, i+1, looks)
		} else {
			fmt.Fprintf(&b, "%st%d [%s];\n", indent, i+1, looks)
		}
	})
	for i, n := range x.nodes {
		if n.parent >= 0 {
			fmt.Fprintf(&b, "  t%d -> t%d [arrowhead=none, color=gray];\n", n.parent+1, i+1)
		}
	}
	for _, w := range x.wires {
		style := ""
		if w.kind != plan.DependsOn {
			style = " [style=dashed]"
		}
		fmt.Fprintf(&b, "  t%d -> t%d%s;\n", w.from+1, w.to+1, style)
	}
	if x.more {
		fmt.Fprintf(&b, "  // only the first %d dependencies are drawn\n", maxEdges)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// outline writes each node by line, and end where a frame is over.
func (x *picture) outline(b *strings.Builder, end string, line func(i int, indent string)) {
	var open []int
	indent := func() string { return strings.Repeat("  ", len(open)+1) }
	shut := func(parent int) {
		for len(open) > 0 && open[len(open)-1] != parent {
			open = open[:len(open)-1]
			b.WriteString(indent() + end + "\n")
		}
	}
	for i, n := range x.nodes {
		shut(n.parent)
		line(i, indent())
		if n.frame {
			open = append(open, i)
		}
	}
	shut(-1)
}
