package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

const (
	// wholeGraph is the number of tasks up to which all are drawn; of a larger
	// plan, those that changed and those next to them.
	wholeGraph = 30
	// maxNodes and maxArrows bound a drawing, which hosts refuse when it is
	// large.
	maxNodes  = 60
	maxArrows = 200
)

// chart draws how the tasks of a plan hang together now and before.
type chart struct {
	p      *Plan
	tasks  []*Task // those to draw
	id     map[string]string
	styles map[Change][]string
	arrows int
	ofKind map[string][]string // numbers of arrows
	b      strings.Builder
}

// mermaid gives a flowchart with what was added, removed and changed marked,
// and a line that says what its colours mean and what it leaves out.
func mermaid(p *Plan) (text, legend string) {
	c := &chart{p: p, id: map[string]string{}, styles: map[Change][]string{}, ofKind: map[string][]string{}}
	all := c.choose()
	if len(c.tasks) == 0 {
		return "", ""
	}
	c.b.WriteString("flowchart TD\n")
	for i, t := range c.tasks {
		c.id[t.ID] = fmt.Sprintf("t%d", i+1)
		c.node(t)
	}
	c.allArrows()
	c.classes()
	return c.b.String(), c.legend(all)
}

// legend tells the colours that are there, and of how many tasks these are.
func (c *chart) legend(all int) string {
	var colors []string
	for _, s := range []struct {
		change Change
		color  string
	}{{Added, "green"}, {Removed, "red"}, {Changed, "yellow"}, {Moved, "blue"}} {
		if len(c.styles[s.change]) > 0 {
			colors = append(colors, s.color+": "+string(s.change))
		}
	}
	if drawn := len(c.tasks); drawn < all {
		colors = append(colors, fmt.Sprintf("%d of %s are drawn, those that changed first", drawn, words.Count(all, "task")))
	}
	return strings.Join(colors, "; ")
}

// choose picks the tasks to draw: every one of a small plan; else those that
// changed, or whose dependencies did, and then those next to them. It gives how
// many there are.
func (c *chart) choose() (count int) {
	var all []*Task
	wanted, changed := map[string]int{}, map[pair]*Task{}
	for i := range c.p.Tasks {
		t := &c.p.Tasks[i]
		changed[pair{t.Before, t.After}] = t
	}
	for _, both := range pairTasks(c.p.Before, c.p.After).list {
		t := cmp.Or(changed[both], c.unchanged(both))
		all = append(all, t)
		if t.Change != "" && t.Change != Moved {
			wanted[t.ID] = 2
		}
	}
	for _, e := range append(slices.Clone(c.p.Needs), c.p.NeedsNot...) {
		wanted[e.Task], wanted[e.Needs] = 2, max(1, wanted[e.Needs])
	}
	count = len(all)
	if count > wholeGraph {
		for _, e := range declared(c.p.After) {
			if wanted[e.Task] == 2 || wanted[e.Needs] == 2 {
				wanted[e.Task], wanted[e.Needs] = max(1, wanted[e.Task]), max(1, wanted[e.Needs])
			}
		}
		all = slices.DeleteFunc(all, func(t *Task) bool { return wanted[t.ID] == 0 })
	}
	if len(all) > maxNodes {
		slices.SortStableFunc(all, func(a, b *Task) int { return cmp.Compare(wanted[b.ID], wanted[a.ID]) })
		all = all[:maxNodes]
	}
	c.tasks = all
	return count
}

// unchanged is a task that is the same on both sides.
func (c *chart) unchanged(both pair) *Task {
	t := &Task{Before: both.before, After: both.after}
	if both.after != nil {
		t.ID = key(c.p.After, both.after)
	} else {
		t.ID = key(c.p.Before, both.before)
	}
	return t
}

func (c *chart) node(t *Task) {
	text := graph.Label(t.now(), t.ID, 48)
	if s := t.Field("status"); s != nil && t.Change == Changed {
		text += fmt.Sprintf(" (%s to %s)", statusText(s.Old), statusText(s.New))
	}
	fmt.Fprintf(&c.b, "  %s[\"%s\"]\n", c.id[t.ID], graph.MermaidText(text))
	if t.Change != "" && !t.onlyFollows() {
		c.styles[t.Change] = append(c.styles[t.Change], c.id[t.ID])
	}
}

// allArrows draws what each task needs now, thick where it is new, and broken
// what it needed before; a fine line leads from a container to its tasks.
func (c *chart) allArrows() {
	came := map[Edge]bool{}
	for _, e := range c.p.Needs {
		came[e] = true
	}
	drawn := map[Edge]bool{}
	for _, e := range declared(c.p.now()) {
		switch {
		case drawn[e]:
		case came[e]:
			c.arrow(e, "==>", "came")
		case c.p.After == nil:
			c.arrow(e, "-.->", "went")
		default:
			c.arrow(e, "-->", "")
		}
		drawn[e] = true
	}
	for _, e := range c.p.NeedsNot {
		if !drawn[e] {
			c.arrow(e, "-.->", "went")
		}
	}
	for _, t := range c.tasks {
		if parent := t.now().Parent; parent != nil && !needsSibling(t.now()) {
			c.arrow(Edge{t.ID, c.idOf(t, parent)}, "---", "")
		}
	}
}

// needsSibling reports whether a task hangs on another one of its container.
func needsSibling(t *plan.Task) bool {
	needs := t.Doc.List("depends_on")
	return slices.ContainsFunc(t.Parent.Children, func(u *plan.Task) bool { return u != t && slices.Contains(needs, u.ID) })
}

func (c *chart) idOf(t *Task, parent *plan.Task) string {
	if t.After != nil {
		return key(c.p.After, parent)
	}
	return key(c.p.Before, parent)
}

// arrow draws an edge whose ends are both drawn.
func (c *chart) arrow(e Edge, form, kind string) {
	from, to := c.id[e.Needs], c.id[e.Task]
	if from == "" || to == "" || c.arrows == maxArrows {
		return
	}
	fmt.Fprintf(&c.b, "  %s %s %s\n", from, form, to)
	if kind != "" {
		c.ofKind[kind] = append(c.ofKind[kind], fmt.Sprint(c.arrows))
	}
	c.arrows++
}

func (c *chart) classes() {
	for _, s := range []struct {
		change Change
		style  string
	}{
		{Added, "fill:#dafbe1,stroke:#1a7f37,color:#1f2328,stroke-width:2px"},
		{Removed, "fill:#ffebe9,stroke:#cf222e,color:#1f2328,stroke-dasharray:5 4"},
		{Changed, "fill:#fff8c5,stroke:#9a6700,color:#1f2328,stroke-width:2px"},
		{Moved, "fill:#ddf4ff,stroke:#0969da,color:#1f2328"},
	} {
		if ids := c.styles[s.change]; len(ids) > 0 {
			fmt.Fprintf(&c.b, "  classDef %s %s\n  class %s %s\n", s.change, s.style, strings.Join(ids, ","), s.change)
		}
	}
	for _, k := range []struct{ kind, color string }{{"came", "#1a7f37"}, {"went", "#cf222e"}} {
		if numbers := c.ofKind[k.kind]; len(numbers) > 0 {
			fmt.Fprintf(&c.b, "  linkStyle %s stroke:%s\n", strings.Join(numbers, ","), k.color)
		}
	}
}
