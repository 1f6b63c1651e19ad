// Package prompt holds the texts that instruct models, embedded in the
// program. [Text] gives one by its name: "constitution", the rules of an agent
// that works on a plan, "guide", how a plan is made, "overseer", what a planning
// agent is told, "block", what stands in a project's own instructions. The
// prompts "decompose", "judge", "suggest", "replan" and "planspec" ask a model for
// one answer of a strict form; what they are about follows them as [Parts].
// [Catalogue] lists all that can be shown.
package prompt

import (
	"embed"
	"regexp"
	"strings"

	"github.com/git-plan/git-plan/validate"
)

//go:embed *.md
var texts embed.FS

// Text gives a text by the name of its file, without a line break at its end. The
// rules in it are those of a store that has set nothing, under the strict gate.
func Text(name string) string {
	return TextUnder(name, Law{Gates: validate.DefaultGates(), Gate: validate.Strict})
}

// TextUnder is [Text] with the rules as a store has set them.
func TextUnder(name string, law Law) string {
	text := strings.ReplaceAll(read(name), "{{good-task}}", goodTask())
	return regexp.MustCompile(`\{\{rules(?::([a-z,-]+))?\}\}`).ReplaceAllStringFunc(text, func(m string) string {
		_, ids, some := strings.Cut(strings.TrimSuffix(m, "}}"), ":")
		if !some {
			return law.rules(taught())
		}
		return law.rules(strings.Split(ids, ","))
	})
}

func read(name string) string {
	data, err := texts.ReadFile(name + ".md")
	if err != nil {
		panic(err) // it is embedded; a test reads all of them
	}
	return strings.TrimRight(string(data), "\n")
}

// goodTask is the part of the guide about what makes a good task.
func goodTask() string {
	const heading = "## What makes a good task\n"
	_, text, _ := strings.Cut(read("guide"), heading)
	text, _, _ = strings.Cut(text, "\n## ")
	return heading + strings.TrimRight(text, "\n")
}
