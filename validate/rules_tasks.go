package validate

import (
	"strings"

	"github.com/git-plan/git-plan/plan"
)

func sortIndex(c *Context) {
	type place struct {
		dir string
		nn  int
	}
	first := map[place]*plan.Task{}
	for _, t := range c.Plan.All() {
		at := place{t.Dir, t.NN}
		if other := first[at]; other != nil {
			c.report(t.Doc.Path, top, "run `git plan fmt --renumber`, or rename the file with an unused number", "the sort index %02d is taken by `%s`", t.NN, other.Doc.Path)
			continue
		}
		first[at] = t
	}
}

func idDuplicate(c *Context) {
	first := map[string]*plan.Task{}
	for _, t := range c.tasks() {
		if t.ID == "" {
			continue
		}
		if other := first[t.ID]; other != nil {
			c.report(t.Doc.Path, t.Doc.Pos("id"), "rename one and mend the `depends_on` that mean it", "the id `%s` is taken by `%s`", t.ID, other.Doc.Path)
			continue
		}
		first[t.ID] = t
	}
}

func container(c *Context) {
	for _, t := range c.Plan.All() {
		switch {
		case t.Parent == nil && t.Dir != "tasks":
			if !c.hasPath(t.Dir + ".md") {
				c.report(t.Doc.Path, top, "write the parent task, or move the file up", "the folder `%s` has no task `%s.md`", t.Dir, t.Dir)
			}
		case t.Parent != nil && (t.Parent.Kind == "reason" || t.Parent.Kind == "act"):
			c.report(t.Doc.Path, top, "make the parent `kind: subtask` or `kind: decide`", "`%s` is of kind %s, which has no children", name(t.Parent), t.Parent.Kind)
		}
	}
}

func containerEmpty(c *Context) {
	for _, t := range c.trial() {
		if len(t.Children) == 0 && (t.Kind == "decide" || t.Kind == "subtask") {
			c.report(t.Doc.Path, t.Doc.Pos("kind"), "add tasks in the folder of the same stem", "`%s` is of kind %s and has no children", name(t), t.Kind)
		}
	}
}

// missing reports the tasks that lack a field; one that is empty counts as missing.
func (c *Context) missing(field, fix string) {
	for _, t := range c.trial() {
		if f := t.Doc.Field(field); f == nil || isBlank(f.Value) {
			c.report(t.Doc.Path, t.Doc.Pos(field), fix, "task `%s` is missing the `%s` field", name(t), field)
		}
	}
}

// isBlank reports whether a value says nothing: no text, or a list of nothing
// but white space.
func isBlank(v plan.Node) bool {
	for _, item := range v.Items {
		if item.Kind != plan.String || strings.TrimSpace(item.Text) != "" {
			return false
		}
	}
	return v.Kind == plan.Null || strings.TrimSpace(v.Text) == ""
}
