package validate

import (
	"path"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func noTasks() Rule {
	return Rule{ID: "no-tasks", Base: diag.Warning, Strict: diag.Error, Class: Quality,
		Doc: "a plan that is not abandoned has tasks", Fix: "add task files under tasks/",
		Check: func(c *Context) {
			if len(c.Plan.All()) == 0 && c.Plan.Doc != nil && !c.Plan.IsAbandoned() && !hasTaskFindings(c) {
				c.report("plan.md", top, "write tasks/01-….md", "the plan has no tasks")
			}
		}}
}

// hasTaskFindings reports whether there are task files that could not count. A
// stray file is none.
func hasTaskFindings(c *Context) bool {
	tasks := path.Join(c.Plan.Prefix, "tasks")
	for _, d := range c.Found {
		if d.Rule != plan.RuleStrayFile && (d.Path == tasks || strings.HasPrefix(d.Path, tasks+"/")) {
			return true
		}
	}
	return false
}

func typeMissing() Rule {
	return missingField("type-missing", "type", "every task has a `type`", "say whether it is a feature, bugfix, chore, test, docs or refactor")
}

func hintsMissing() Rule {
	return missingField("hints-missing", "context_hints", "every task has `context_hints`", "name what to read before the work, such as \"Read `docs/api.md`\"")
}

func pathsMissing() Rule {
	return missingField("paths-missing", "relevant_file_paths", "every task has `relevant_file_paths`", "name the files the work is about; those it makes go to `creates`")
}

// missingField is the rule that a task's field is there; one that is empty
// counts as missing.
func missingField(id, field, doc, fix string) Rule {
	return Rule{ID: id, Strict: diag.Error, Class: PerTask, Doc: doc, Fix: fix,
		Check: func(c *Context) {
			for _, t := range c.trial() {
				if f := t.Doc.Field(field); f == nil || isBlank(f.Value) {
					c.report(t.Doc.Path, t.Doc.Pos(field), fix, "task `%s` is missing the `%s` field", name(t), field)
				}
			}
		}}
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
