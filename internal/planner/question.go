package planner

import (
	"strings"

	"github.com/git-plan/git-plan/internal/prompt"
)

// Goal is what a model is told of a plan that is to be made.
type Goal struct {
	Text                  string
	Constraints, Memories []string
	// Spec is the path of the specification, or empty, and SpecText what it says.
	Spec, SpecText string
	Project        Project
	// Law is by what the gate will judge the answer.
	Law prompt.Law
}

// Question is the prompt for the tasks of the plan. What of the material did
// not fit is told in cuts.
func (g Goal) Question(before *Refused) (question string, cuts []string) {
	parts := []prompt.Part{
		{Title: "Goal", Text: g.Text, Max: 8_000},
		{Title: "Constraints", Text: prompt.Items(g.Constraints), Max: 5_000},
		{Title: "What is remembered of earlier work", Text: prompt.Items(g.Memories), Max: 5_000},
		{Title: "Specification: " + code(g.Spec), Text: g.SpecText, Max: 46_000},
	}
	return prompt.Assemble(prompt.TextUnder("decompose", g.Law), append(append(parts, g.Project.parts()...), before.parts()...)...)
}

// Around is what a judge is told beside the plan.
func (g Goal) Around() []prompt.Part {
	return append([]prompt.Part{{Title: "Specification: " + code(g.Spec), Text: g.SpecText, Max: 50_000}}, g.Project.Around()...)
}

// Next is what a model is told of a plan whose next version is to be made.
type Next struct {
	Goal string
	// Plan is the plan as JSON, Failed tells of what failed, and Reason why the
	// plan is replanned.
	Plan, Failed, Reason     string
	Constraints, Discoveries []string
	Project                  Project
	// Law is by what the gate will judge the answer.
	Law prompt.Law
}

// Question is the prompt for the next version of the plan.
func (n Next) Question(before *Refused) string {
	parts := []prompt.Part{
		{Title: "Goal", Text: n.Goal, Max: 5_000},
		{Title: "Why the plan is replanned", Text: n.Reason, Max: 4_000},
		{Title: "What failed", Text: n.Failed, Max: 6_000},
		{Title: "What was discovered since", Text: prompt.Items(n.Discoveries), Max: 5_000},
		{Title: "Constraints", Text: prompt.Items(n.Constraints), Max: 5_000},
		{Title: "The plan as it is", Text: n.Plan, Max: MaxPlan},
	}
	text, _ := prompt.Assemble(prompt.TextUnder("replan", n.Law), append(append(parts, n.Project.parts()...), before.parts()...)...)
	return text
}

// Around is what a judge is told beside the plan.
func (n Next) Around() []prompt.Part {
	return append([]prompt.Part{
		{Title: "What failed in the version before", Text: n.Failed, Max: 6_000},
		{Title: "What was discovered since", Text: prompt.Items(n.Discoveries), Max: 5_000},
	}, n.Project.Around()...)
}

// parts show a model its former draft; there may be none.
func (r *Refused) parts() []prompt.Part {
	if r == nil {
		return nil
	}
	return []prompt.Part{
		{Title: "Your last draft, which was refused", Text: r.Draft, Max: 28_000},
		{Title: "What is wrong with it", Text: prompt.Items(r.Why), Max: 8_000},
	}
}

// code puts a path into back quotes. One that holds a quote or a line break
// names no part.
func code(path string) string {
	return "`" + strings.NewReplacer("`", "'", "\n", " ").Replace(path) + "`"
}
