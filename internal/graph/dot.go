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
	d := newDrawing(p)
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=TB;\n  node [shape=box, style=\"rounded,filled\", fillcolor=white];\n", dotText(p.ID))
	for _, t := range p.Tasks {
		d.dotNode(&b, t, 1)
	}
	for i := range d.tasks {
		if c := d.parent(i); c >= 0 {
			fmt.Fprintf(&b, "  t%d -> t%d [arrowhead=none, color=gray];\n", c+1, i+1)
		}
	}
	for _, e := range d.edges {
		style := ""
		if e.kind != plan.DependsOn {
			style = " [style=dashed]"
		}
		fmt.Fprintf(&b, "  t%d -> t%d%s;\n", e.to+1, e.from+1, style)
	}
	if d.more {
		fmt.Fprintf(&b, "  // only the first %d dependencies are drawn\n", maxEdges)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (d *drawing) dotNode(b *strings.Builder, t *plan.Task, depth int) {
	i, indent := d.index[t], strings.Repeat("  ", depth)
	attributes := "label=" + dotText(label(t)) + dotStyle(t.Status)
	if !d.isContainer(i) {
		fmt.Fprintf(b, "%st%d [%s];\n", indent, i+1, attributes)
		return
	}
	fmt.Fprintf(b, "%ssubgraph cluster_%d {\n%s  label=\"\";\n%s  t%d [shape=folder, %s];\n", indent, i+1, indent, indent, i+1, attributes)
	for _, c := range t.Children {
		d.dotNode(b, c, depth+1)
	}
	fmt.Fprintf(b, "%s}\n", indent)
}

func dotStyle(s plan.Status) string {
	switch s {
	case plan.Done:
		return `, fillcolor="#dafbe1"`
	case plan.InProgress:
		return `, fillcolor="#ddf4ff"`
	case plan.Blocked, plan.Failed:
		return `, fillcolor="#ffebe9"`
	case plan.Skipped, plan.Cancelled:
		return `, fillcolor="#f6f8fa", style="rounded,filled,dashed"`
	}
	return ""
}
