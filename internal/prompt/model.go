package prompt

import (
	"regexp"
	"strings"
)

// Decompose asks a model to cut a goal into tasks. Its answer is {"reasoning",
// "add_tasks": [...]}, whose tasks are numbered from 1 on; the reasoning may be
// missing. Follow it by [Parts].
func Decompose() string { return fill(decompose, everywhere()) }

// DecomposeUnder is [Decompose] with the rules as a store has set them.
func DecomposeUnder(law Law) string { return fill(decompose, law) }

// Judge asks a model to review a plan. Its answer is {"is_approved",
// "feedback"}. Follow it by [Parts].
func Judge() string { return fill(judge, everywhere()) }

// Suggest asks a model for work that no plan holds. Its answer is
// {"suggestions": [{"title", "type", "path", "line", "reason"}]}. Follow it by
// [Parts].
func Suggest() string { return fill(suggest, everywhere()) }

// Replan asks a model for the next version of a plan. Its answer is {"plan":
// {"tasks": [...]}, "changes", "reasoning"}. Follow it by [Parts].
func Replan() string { return fill(replan, everywhere()) }

// ReplanUnder is [Replan] with the rules as a store has set them.
func ReplanUnder(law Law) string { return fill(replan, law) }

// PlanSpec asks a model for a plan in PlanSpec. Follow it by [Parts].
func PlanSpec() string { return fill(planSpec, everywhere()) }

// Messages tells what the loop says to an agent, message by message.
func Messages() string { return fill(messages, everywhere()) }

// fill puts into a template what is kept elsewhere, and takes the line break
// off its end.
func fill(template string, law Law) string {
	text := strings.TrimRight(template, "\n")
	text = strings.ReplaceAll(text, "{{good-task}}", goodTask())
	return regexp.MustCompile(`\{\{rules(?::([a-z,-]+))?\}\}`).ReplaceAllStringFunc(text, func(m string) string {
		_, ids, some := strings.Cut(strings.TrimSuffix(m, "}}"), ":")
		if !some {
			return law.rules(taught())
		}
		return law.rules(strings.Split(ids, ","))
	})
}

// goodTask is the part of the guide about what makes a good task.
func goodTask() string {
	const heading = "## What makes a good task\n"
	_, text, _ := strings.Cut(guide, heading)
	text, _, _ = strings.Cut(text, "\n## ")
	return heading + strings.TrimRight(text, "\n")
}

// Part is what a model is given beside a prompt.
type Part struct {
	Title string
	Text  string
	// Max is how many bytes of it [Assemble] gives; 0 is as many as there is room
	// for.
	Max int
}

// Parts writes the parts that are not empty below each other, to follow a
// prompt. Each stands between fences that its text cannot end, since it comes
// from plans, files and models.
func Parts(parts ...Part) string {
	var b strings.Builder
	for _, p := range parts {
		text := strings.Trim(p.Text, "\n")
		if strings.TrimSpace(text) == "" {
			continue
		}
		fence := fence(text)
		b.WriteString("\n\n## " + p.Title + "\n\n" + fence + "\n" + text + "\n" + fence)
	}
	return b.String()
}

// Items writes texts as a list, to be a [Part].
func Items(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(t), "\n", "\n  ") + "\n")
	}
	return b.String()
}

// fence gives a row of tildes that is longer than any in the text.
func fence(text string) string {
	longest := 3
	for _, run := range regexp.MustCompile(`~+`).FindAllString(text, -1) {
		longest = max(longest, len(run))
	}
	return strings.Repeat("~", longest+1)
}
