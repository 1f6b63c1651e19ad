package validate

import (
	"path"
	"slices"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Context is what a rule sees. What several rules ask about is worked out at the
// first question.
type Context struct {
	Input
	rule      Rule
	found     []diag.Diagnostic
	broken    map[string]bool   // files whose frontmatter could not be read
	suggested map[string]string // for the words that the rule looked up

	readable []*plan.Task
	tried    []*plan.Task
	defined  *bool
	said     map[string]bool // files with a finding of reading
	made     *made
}

// report adds a finding. A file that could not be read has its one finding
// already: whatever else could be said of it may follow from that.
func (c *Context) report(doc string, pos diag.Pos, hint, format string, args ...any) {
	if c.broken == nil {
		c.broken = c.unreadable()
	}
	file := path.Join(c.Plan.Prefix, doc)
	if !c.broken[file] {
		c.found = append(c.found, diag.Diagnostic{Path: file, Pos: pos, Rule: c.rule.ID, Hint: hint, Message: oneLine(format, args...)})
	}
}

// wants reports whether the rule counts for what is judged.
func (c *Context) wants(r Rule) bool {
	return c.Scope == Whole || r.Class == Structural || c.Scope == Change && c.redefined()
}

// redefined reports whether the plan's definition is not the parent's.
func (c *Context) redefined() bool {
	if c.defined == nil {
		redefined := c.Parent == nil || plan.DefinitionChanged(c.Parent, c.Plan)
		c.defined = &redefined
	}
	return *c.defined
}

// tasks gives the tasks whose file could be read.
func (c *Context) tasks() []*plan.Task {
	if c.readable == nil {
		c.readable = slices.DeleteFunc(slices.Clone(c.Plan.All()), func(t *plan.Task) bool { return !t.Doc.Readable })
	}
	return c.readable
}

// trial gives the tasks that PerTask rules count for. The task that asks for
// the decomposition of the goal is exempt: it exists before anything is known.
func (c *Context) trial() []*plan.Task {
	if c.tried == nil {
		c.tried = slices.DeleteFunc(slices.Clone(c.tasks()), func(t *plan.Task) bool {
			return t.Settled() || isDecomposition(t) || c.Scope == Change && c.Parent != nil && !plan.TaskChanged(c.Parent, t)
		})
	}
	return c.tried
}

func isDecomposition(t *plan.Task) bool {
	return t.ID == "decompose" && t.Doc.Path == "tasks/01-decompose.md"
}

// hasPath reports whether reading already said why that file is not there.
func (c *Context) hasPath(file string) bool {
	if c.said == nil {
		c.said = map[string]bool{}
		for _, d := range c.Found {
			c.said[d.Path] = true
		}
	}
	return c.said[path.Join(c.Plan.Prefix, file)]
}

// maxSuggested bounds the names that one rule looks up in a plan: a plan that
// names thousands of tasks it does not have was not misspelt.
const maxSuggested = 50

// didYouMean suggests one of names for a word that is none of them, for a
// message, or is empty. The names must be the same for all of a rule's words.
func (c *Context) didYouMean(word string, names []string) string {
	s, known := c.suggested[word]
	if !known && len(c.suggested) < maxSuggested {
		if c.suggested == nil {
			c.suggested = map[string]string{}
		}
		s = plan.DidYouMean(word, names)
		c.suggested[word] = s
	}
	return s
}

func (c *Context) exists(p string) Existence {
	if c.Exists == nil {
		return Unknown
	}
	return c.Exists(p)
}
