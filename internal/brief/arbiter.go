package brief

import (
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/form/rawko"
)

// Arbiter is what an arbiter is told that picks the agent for the next step.
// Without a plan it is only the task.
func Arbiter(task string, p *rawko.Plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Current Task\n\n%s\n\n", task)
	if p == nil {
		return b.String()
	}
	complete := 0
	for _, s := range p.Steps {
		if s.Status == "complete" {
			complete++
		}
	}
	fmt.Fprintf(&b, "## Plan Status\n\nStatus: %s\nProgress: %d/%d steps\n\n", p.Status, complete, len(p.Steps))
	b.WriteString("## Current Step\n\n")
	if p.CurrentStepIndex < len(p.Steps) {
		current(&b, p.Steps[p.CurrentStepIndex])
	}
	b.WriteString("\n## Remaining Steps\n\n")
	for _, s := range p.Steps {
		if s.Status == "pending" {
			fmt.Fprintf(&b, "- Step %d: %s\n", s.Index+1, s.Description)
		}
	}
	return b.String()
}

func current(b *strings.Builder, s rawko.Step) {
	agent := "any"
	if s.SuggestedAgent != nil && *s.SuggestedAgent != "" {
		agent = *s.SuggestedAgent
	}
	fmt.Fprintf(b, "Step %d: %s\nSuggested agent: %s\n", s.Index+1, s.Description, agent)
	if s.AcceptanceCriteria == nil {
		return
	}
	b.WriteString("Acceptance criteria:\n")
	for _, c := range s.AcceptanceCriteria {
		fmt.Fprintf(b, "- %s\n", c)
	}
}
