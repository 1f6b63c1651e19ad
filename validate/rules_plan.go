package validate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func planMissing(c *Context) {
	if c.Plan.Doc == nil && !c.hasPath("plan.md") {
		c.report("plan.md", top, "write plan.md with a `title` and what the plan is about", "the plan has no plan.md")
	}
}

func planID(c *Context) {
	if id := c.Plan.ID; c.Stored && (!plan.IsKebab(id) || id == "archive") {
		c.report("plan.md", top, "rename the plan's folder", "`%s` cannot name a plan: ids are kebab-case and `archive` is taken", id)
	}
	if n := len(c.Plan.ID); n > plan.MaxName {
		c.report("plan.md", top, "give the plan a shorter id", "the plan's id is %d bytes long, over the limit of %d", n, plan.MaxName)
	}
}

func limits(c *Context) {
	count := map[string]int{}
	for _, t := range c.Plan.All() {
		if count[t.Dir]++; count[t.Dir] == plan.MaxSiblings+1 {
			c.report(t.Doc.Path, top, "group tasks under a container", "more than %d tasks in one folder", plan.MaxSiblings)
		}
	}
}

func noTasks(c *Context) {
	if len(c.Plan.All()) == 0 && c.Plan.Doc != nil && !c.Plan.IsAbandoned() && !hasTaskFindings(c) {
		c.report("plan.md", top, "write tasks/01-….md", "the plan has no tasks")
	}
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

func version(c *Context) {
	if c.Plan.Doc == nil {
		return
	}
	if why := versionFault(c); why != "" && !hasVersionFinding(c) {
		c.report("plan.md", c.Plan.Doc.Pos("version"), "leave `version` to `git plan replan`", "%s", why)
	}
}

// hasVersionFinding reports whether reading already said that the version is
// no version at all.
func hasVersionFinding(c *Context) bool {
	f := c.Plan.Doc.Field("version")
	return f != nil && slices.ContainsFunc(c.Found, func(d diag.Diagnostic) bool {
		return d.Pos == f.Value.Pos && d.Path == path.Join(c.Plan.Prefix, "plan.md")
	})
}

func versionFault(c *Context) string {
	now := c.Plan.Version()
	if c.Version > 0 {
		if now != c.Version {
			return fmt.Sprintf("the version is %d and must be %d", now, c.Version)
		}
		return ""
	}
	if c.Parent == nil {
		return ""
	}
	switch before := c.Parent.Version(); {
	case now < before:
		return fmt.Sprintf("the version fell from %d to %d", before, now)
	case now > before && now > c.Plan.MaxReplans()+1:
		return fmt.Sprintf("version %d is past the limit of %d replans", now, c.Plan.MaxReplans())
	}
	return ""
}

// maxFeedback is how many characters of what a model said go into a message.
const maxFeedback = 600

// Opinion is what the judge says of a plan: a model, asked by whoever can ask
// one.
type Opinion struct {
	Approved bool
	// Feedback is for whoever wrote the plan.
	Feedback string
	// Missing, if set, says why there is no opinion, in the place of the others;
	// Remedy then says what to do about that.
	Missing, Remedy string
}

// judge reports what the judge said. Where nobody was asked, it reports nothing.
func judge(c *Context) {
	o := c.Opinion
	switch {
	case o == nil:
	case o.Missing != "":
		c.report("plan.md", top, o.Remedy, "%s", o.Missing)
	case !o.Approved:
		c.report("plan.md", top, "mend what it says, and try again", "the judge does not approve: %s", diag.OneLine(o.Feedback, maxFeedback))
	}
}

// ForJudge reports whether what is on trial is something for a judge: a plan
// whose definition changed. One that has no task yet, as its goal is still to be
// decomposed, waits for that, and a merge combines what was judged on its sides.
func ForJudge(in Input) bool {
	if len(in.Sides) > 0 || in.Scope == Range || in.Plan.Doc == nil {
		return false
	}
	if f := (&Context{Input: in}); !f.redefined() {
		return false
	}
	for _, t := range in.Plan.All() {
		if !isDecomposition(t) {
			return true
		}
	}
	return false
}
