package prompt

import (
	"regexp"
	"strings"
)

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
