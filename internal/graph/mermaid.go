package graph

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/plan"
)

// MermaidText writes text so that it stands in a quoted label of Mermaid and
// is shown as it is: all but letters, digits and blanks becomes a character
// reference. The text is taken to be one harmless line.
func MermaidText(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf && r != ' ' && !isAlnum(r) {
			fmt.Fprintf(&b, "#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isAlnum(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// Mermaid writes a flowchart: what must come first points to what waits for
// it, with a broken line where not depends_on but data flow or the order of
// files says so. Containers are frames.
func Mermaid(w io.Writer, p *plan.Plan) error {
	d := newDrawing(p)
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for _, t := range p.Tasks {
		d.mermaidNode(&b, t, 1)
	}
	for _, e := range d.edges {
		if d.within(e.from, e.to) || d.within(e.to, e.from) {
			continue // Mermaid draws no arrow between a frame and what is in it
		}
		arrow := "-->"
		if e.kind != plan.DependsOn {
			arrow = "-.->"
		}
		fmt.Fprintf(&b, "  %s %s %s\n", d.mermaidID(e.to), arrow, d.mermaidID(e.from))
	}
	if d.more {
		fmt.Fprintf(&b, "  %%%% only the first %d dependencies are drawn\n", maxEdges)
	}
	d.mermaidClasses(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// within reports whether the i-th task is the container or in it.
func (d *drawing) within(i, container int) bool {
	return d.isContainer(container) && (i == container || d.tasks[container].IsAncestorOf(d.tasks[i]))
}

func (d *drawing) mermaidID(i int) string {
	if d.isContainer(i) {
		return fmt.Sprintf("g%d", i+1)
	}
	return fmt.Sprintf("t%d", i+1)
}

func (d *drawing) mermaidNode(b *strings.Builder, t *plan.Task, depth int) {
	i, indent := d.index[t], strings.Repeat("  ", depth)
	text := MermaidText(label(t))
	if !d.isContainer(i) {
		fmt.Fprintf(b, "%s%s[\"%s\"]\n", indent, d.mermaidID(i), text)
		return
	}
	fmt.Fprintf(b, "%ssubgraph %s[\"%s\"]\n", indent, d.mermaidID(i), text)
	for _, c := range t.Children {
		d.mermaidNode(b, c, depth+1)
	}
	fmt.Fprintf(b, "%send\n", indent)
}

// mermaidClasses colours the tasks by status.
func (d *drawing) mermaidClasses(b *strings.Builder) {
	of := map[plan.Status][]string{}
	for i, t := range d.tasks {
		of[t.Status] = append(of[t.Status], d.mermaidID(i))
	}
	for _, s := range plan.Statuses() {
		if style := mermaidStyle(s); style != "" && len(of[s]) > 0 {
			fmt.Fprintf(b, "  classDef %s %s\n", s, style)
			fmt.Fprintf(b, "  class %s %s\n", strings.Join(of[s], ","), s)
		}
	}
}

func mermaidStyle(s plan.Status) string {
	switch s {
	case plan.Done:
		return "fill:#dafbe1,stroke:#1a7f37,color:#1f2328"
	case plan.InProgress:
		return "fill:#ddf4ff,stroke:#0969da,color:#1f2328"
	case plan.Blocked, plan.Failed:
		return "fill:#ffebe9,stroke:#cf222e,color:#1f2328"
	case plan.Skipped, plan.Cancelled:
		return "fill:#f6f8fa,stroke:#8c959f,color:#57606a,stroke-dasharray:4 3"
	}
	return ""
}
