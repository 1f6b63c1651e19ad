package validate

import (
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func container() Rule {
	r := reading(plan.RuleContainer, "tasks stand below a task file of the same stem, of kind decide, subtask or none", "add the parent file, or change its kind")
	r.Check = func(c *Context) {
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
	return r
}

func containerEmpty() Rule {
	return Rule{ID: "container-empty", Base: diag.Warning, Strict: diag.Warning, Class: PerTask,
		Doc: "a task of kind decide or subtask has children", Fix: "add them in a folder of the same stem, or change the kind",
		Check: func(c *Context) {
			for _, t := range c.trial() {
				if len(t.Children) == 0 && (t.Kind == "decide" || t.Kind == "subtask") {
					c.report(t.Doc.Path, t.Doc.Pos("kind"), "add tasks in the folder of the same stem", "`%s` is of kind %s and has no children", name(t), t.Kind)
				}
			}
		}}
}
