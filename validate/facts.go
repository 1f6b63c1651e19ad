package validate

import (
	"path"
	"slices"

	"github.com/git-plan/git-plan/plan"
)

// facts is what several rules ask about what is on trial, worked out at the
// first question.
type facts struct {
	in       Input
	readable []*plan.Task
	tried    []*plan.Task
	defined  *bool
	said     map[string]bool
	made     *made
}

// wants reports whether the rule counts for what is judged.
func (f *facts) wants(r Rule) bool {
	return f.in.Scope == Whole || r.Class == Structural || f.in.Scope == Change && f.redefined()
}

// redefined reports whether the plan's definition is not the parent's.
func (f *facts) redefined() bool {
	if f.defined == nil {
		redefined := f.in.Parent == nil || plan.DefinitionChanged(f.in.Parent, f.in.Plan)
		f.defined = &redefined
	}
	return *f.defined
}

// tasks gives the tasks whose file could be read.
func (f *facts) tasks() []*plan.Task {
	if f.readable == nil {
		f.readable = slices.DeleteFunc(slices.Clone(f.in.Plan.All()), func(t *plan.Task) bool { return !t.Doc.Readable })
	}
	return f.readable
}

// trial gives the tasks that PerTask rules count for. The task that asks for
// the decomposition of the goal is exempt: it exists before anything is known.
func (f *facts) trial() []*plan.Task {
	if f.tried == nil {
		f.tried = slices.DeleteFunc(slices.Clone(f.tasks()), func(t *plan.Task) bool {
			return t.Settled() || isDecomposition(t) || f.in.Scope == Change && f.unchanged(t)
		})
	}
	return f.tried
}

func (f *facts) unchanged(t *plan.Task) bool {
	return f.in.Parent != nil && !plan.TaskChanged(f.in.Parent, t)
}

func isDecomposition(t *plan.Task) bool {
	return t.ID == "decompose" && t.Doc.Path == "tasks/01-decompose.md"
}

// hasPath reports whether reading already said why that file is not there.
func (f *facts) hasPath(file string) bool {
	if f.said == nil {
		f.said = map[string]bool{}
		for _, d := range f.in.Found {
			f.said[d.Path] = true
		}
	}
	return f.said[path.Join(f.in.Plan.Prefix, file)]
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
		s = near(word, names)
		c.suggested[word] = s
	}
	return s
}
