package graph

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// mermaidText writes text so that it stands in a quoted label of Mermaid and
// is shown as it is: all but letters, digits and blanks becomes a character
// reference. The text is taken to be one harmless line.
func mermaidText(s string) string {
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
	_, err := io.WriteString(w, newPicture(p, nil).mermaid(maxEdges))
	return err
}

// The bounds of a flowchart of changes, which hosts refuse when it is large: the
// number of tasks up to which all are drawn, and the most tasks and arrows.
const (
	wholeChart = 30
	maxNodes   = 60
	maxArrows  = 200
)

// MermaidChanges gives a flowchart with what was added, removed and changed
// marked, and a line that says what its colours mean and what it leaves out. Both
// are empty where there are no tasks.
func MermaidChanges(p *plan.Plan, c Changes) (chart, legend string) {
	x := newPicture(p, &c)
	if len(x.nodes) == 0 {
		return "", ""
	}
	x.focus(wholeChart, maxNodes)
	x.reduce(x.order())
	var says []string
	for _, c := range changeColours() {
		if x.has(c.change) {
			says = append(says, c.word+": "+string(c.change))
		}
	}
	if x.tasks > 0 {
		says = append(says, fmt.Sprintf("%d of %s are drawn, those that changed first", len(x.nodes), words.Count(x.tasks, "task")))
	}
	return x.mermaid(maxArrows), strings.Join(says, "; ")
}

// mermaid writes the picture as a flowchart of at most so many arrows.
func (x *picture) mermaid(arrows int) string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	var classes []string
	of := map[string][]string{} // the nodes, and the numbers of the arrows, of each class
	note := func(class, id string) {
		if of[class] == nil {
			classes = append(classes, class)
		}
		of[class] = append(of[class], id)
	}
	x.outline(&b, "end", func(i int, indent string) {
		n := x.nodes[i]
		text := label(n.task)
		if n.before != nil && written(n.before) != written(n.task) {
			text += fmt.Sprintf(" (%s to %s)", diag.Printable(written(n.before)), diag.Printable(written(n.task)))
		}
		frame := ""
		if n.frame {
			frame = "subgraph "
		}
		fmt.Fprintf(&b, "%s%s%s[\"%s\"]\n", indent, frame, x.mermaidID(i), mermaidText(text))
		if class := x.class(n); class != "plain" {
			note(class, x.mermaidID(i))
		}
	})
	drawn := 0
	for _, w := range x.wires {
		if drawn == arrows || w.loop && (w.from != w.to || x.nodes[w.to].frame) {
			continue // Mermaid draws no arrow between a frame and what is in it
		}
		arrow := "-->"
		switch {
		case w.mark == Added:
			arrow = "==>"
		case w.mark == Removed || w.kind != plan.DependsOn:
			arrow = "-.->"
		}
		fmt.Fprintf(&b, "  %s %s %s\n", x.mermaidID(w.from), arrow, x.mermaidID(w.to))
		if w.mark != Same {
			note("link "+string(w.mark), fmt.Sprint(drawn))
		}
		drawn++
	}
	if x.more {
		fmt.Fprintf(&b, "  %%%% only the first %d dependencies are drawn\n", maxEdges)
	}
	for _, class := range classes {
		if change, ok := strings.CutPrefix(class, "link "); ok {
			fmt.Fprintf(&b, "  linkStyle %s stroke:%s\n", strings.Join(of[class], ","), colour(tone(change), false))
			continue
		}
		style := "fill:" + colour(tone(class)+"-box", false) + ",stroke:" + colour(tone(class), false) + ",color:" + colour("text", false)
		if class == "skipped" || class == string(Removed) {
			style += ",stroke-dasharray:5 4"
		}
		fmt.Fprintf(&b, "  classDef %s %s\n  class %s %s\n", class, style, strings.Join(of[class], ","), class)
	}
	return b.String()
}

// written is the status that a task's file sets, though it be none.
func written(t *plan.Task) string { return cmp.Or(t.Doc.Text("status"), string(plan.Pending)) }

func (x *picture) mermaidID(i int) string {
	if x.nodes[i].frame {
		return fmt.Sprintf("g%d", i+1)
	}
	return fmt.Sprintf("t%d", i+1)
}
