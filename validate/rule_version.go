package validate

import (
	"fmt"
	"path"
	"slices"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

func version() Rule {
	r := reading(plan.RuleVersion, "a plan's version is 1 at first, never falls, and rises only by a replan, at most `max_replans` times", "leave `version` to `git plan replan`")
	r.Check = func(c *Context) {
		if c.Plan.Doc == nil || hasVersionFinding(c) {
			return
		}
		if why := versionFault(c); why != "" {
			c.report("plan.md", c.Plan.Doc.Pos("version"), "leave `version` to `git plan replan`", "%s", why)
		}
	}
	return r
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
	fault := ""
	for _, p := range c.Parents {
		switch before := p.Version(); {
		case now < before:
			fault = fmt.Sprintf("the version fell from %d to %d", before, now)
		case now > before && now > c.Plan.MaxReplans()+1:
			fault = fmt.Sprintf("version %d is past the limit of %d replans", now, c.Plan.MaxReplans())
		default:
			return "" // legal from one parent is legal
		}
	}
	return fault
}
