package validate

import (
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// RuleOverlap is the id of the rule that needs [Input.Others].
const RuleOverlap = "overlap"

func overlap() Rule {
	const fix = "agree with that plan who changes the file, and leave it out of the other"
	return Rule{ID: RuleOverlap, Class: PerTask, Doc: "no other unfinished plan names the same file for work that is still to be done", Fix: fix,
		Check: func(c *Context) {
			if c.Others == nil {
				return
			}
			for _, t := range c.trial() {
				for _, field := range namingFields() {
					for i, p := range t.Doc.Texts(field) {
						if others := c.othersNaming(p); len(others) > 0 {
							c.report(t.Doc.Path, t.Doc.ItemPos(field, i), fix,
								"task `%s` names `%s`, and so %s", name(t), p, whoDoes(others))
						}
					}
				}
			}
		}}
}

func (c *Context) othersNaming(p string) []string {
	if plan.CheckPath(p) != "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.Others(path.Clean(p))), func(id string) bool { return id == c.Plan.ID })
}

// whoDoes lists plans for a message, at most three.
func whoDoes(ids []string) string {
	const most = 3
	switch {
	case len(ids) == 1:
		return "does the unfinished plan `" + ids[0] + "`"
	case len(ids) > most:
		return "do the unfinished plans `" + strings.Join(ids[:most], "`, `") + "` and others"
	}
	return "do the unfinished plans `" + strings.Join(ids, "`, `") + "`"
}

// namingFields are the fields of a task that say which files it is about.
func namingFields() []string { return []string{"relevant_file_paths", "creates", "affected_files"} }

// NamedFiles gives the paths that the unsettled tasks of an unfinished plan
// name, clean and sorted: what [Input.Others] looks among.
func NamedFiles(p *plan.Plan) []string {
	if p.Doc == nil || p.Status().Finished() {
		return nil
	}
	var out []string
	for _, t := range p.All() {
		if t.Settled() || !t.Doc.Readable {
			continue
		}
		for _, field := range namingFields() {
			for _, name := range t.Doc.List(field) {
				if plan.CheckPath(name) == "" {
					out = append(out, path.Clean(name))
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
