package prompt

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// taught are the rules that tasks drafted by a model can break. All others are
// about files, which are not written by the model, or about what a plan
// becomes later.
func taught() []string {
	return []string{
		plan.RuleTitleEmpty, "type-missing", plan.RuleTypeValue, "hints-missing", "paths-missing", plan.RulePathEscape,
		"path-exists", "hint-path", "depends-unknown", "depends-cycle", plan.RuleEnumValue, "no-tasks",
		"hint-actionable", "title-vague", "title-compound", validate.RuleOverlap,
	}
}

// Law is by what an answer will be judged: the store's gates, and the least gate
// of the plan.
type Law struct {
	Gates validate.Gates
	Gate  validate.Gate
}

// rules tells of those rules that are on, in the words of the registry, errors
// first.
func (l Law) rules(ids []string) string {
	gate := max(l.Gate, l.Gates.Gate)
	var lines []string
	for _, severity := range []string{"error", "warning"} {
		for _, id := range ids {
			if r, ok := validate.Find(id); ok && l.Gates.Severity(r, gate).String() == severity {
				lines = append(lines, fmt.Sprintf("- %s `%s`: %s. Remedy: %s.", severity, r.ID, inPayload(r.Doc), strings.TrimRight(inPayload(r.Fix), ".")))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// inPayload calls a field as the JSON of the loop does.
func inPayload(text string) string { return strings.ReplaceAll(text, "`depends_on`", "`dependencies`") }
