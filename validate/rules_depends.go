package validate

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

func dependsUnknown(c *Context) {
	known := knownIDs(c)
	names := slices.Sorted(maps.Keys(known))
	for _, t := range c.tasks() {
		for i, id := range t.Doc.Texts("depends_on") {
			if !known[id] {
				c.report(t.Doc.Path, t.Doc.ItemPos("depends_on", i), "name a task of this plan, or leave the entry out",
					"depends_on names no task %q%s", id, c.didYouMean(id, names))
			}
		}
	}
	for _, s := range c.Plan.Signals {
		if s.Task != "" && !known[s.Task] {
			c.report(s.Doc.Path, s.Doc.Pos("task"), "clear the signal, or name a task of this plan",
				"the signal is on no task %q%s", s.Task, c.didYouMean(s.Task, names))
		}
	}
}

// knownIDs gives the ids of all tasks. A file that cannot be read or is no
// regular file of a good name counts too, by the id in it and by its name: what
// depends on it is not at fault.
func knownIDs(c *Context) map[string]bool {
	known := map[string]bool{}
	for _, t := range c.Plan.All() {
		known[t.ID] = true
		if !t.Doc.Readable {
			known[cmp.Or(writtenID(t.Doc), t.Slug)] = true
		}
	}
	for _, doc := range c.Plan.Aside {
		known[cmp.Or(doc.Text("id"), writtenID(doc))] = true
	}
	for _, d := range c.Found {
		if d.Rule == plan.RuleFilename || d.Rule == plan.RuleFileMode {
			stem := strings.TrimSuffix(path.Base(d.Path), ".md")
			known[plan.Slug(strings.TrimLeft(stem, "0123456789"))] = true
		}
	}
	delete(known, "")
	return known
}

// writtenID gives the id that stands in a file which cannot be read, or "".
func writtenID(d *plan.Document) string {
	for line := range strings.Lines(d.Source) {
		if value, ok := strings.CutPrefix(line, "id:"); ok {
			value, _, _ = strings.Cut(value, " #")
			return strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return ""
}

func dependsCycle(c *Context) {
	for _, cycle := range c.Plan.Graph().Cycles() {
		// Data flow and file order only point back in file order: no cycle
		// is without a depends_on entry, and At is one.
		doc := cycle.At.From.Doc
		c.report(doc.Path, doc.ItemPos("depends_on", cycle.At.Item), "remove one of these dependencies", "depends_on makes a cycle: %s", cycle)
	}
}

func dependsAncestor(c *Context) {
	g := c.Plan.Graph()
	for _, t := range c.Plan.All() {
		for _, e := range g.Written(t) {
			if e.To.IsAncestorOf(t) {
				c.report(t.Doc.Path, t.Doc.ItemPos("depends_on", e.Item), "leave the entry out",
					"`%s` depends on `%s`, the container it is in", name(t), e.To.ID)
			}
		}
	}
}

func dependsSettled(c *Context) {
	for _, t := range c.trial() {
		for _, e := range c.Plan.Graph().Written(t) {
			if s := e.To.Status; s == plan.Skipped || s == plan.Cancelled {
				c.report(t.Doc.Path, t.Doc.ItemPos("depends_on", e.Item), "check that the task can still be done, and drop the dependency",
					"`%s` depends on `%s`, which was %s", name(t), e.To.ID, s)
			}
		}
	}
}
