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

// RuleUnrelatedHistory is the id of the rule about the parents of a merge, which
// only a reader of commits can check.
const RuleUnrelatedHistory = "unrelated-history"
