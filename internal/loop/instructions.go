package loop

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/marked"
	"github.com/git-plan/git-plan/internal/prompt"
)

// DefaultInstructions is the file of the project that holds the instructions
// for agents where plan.instructionsFile does not name another.
const DefaultInstructions = "docs/agents.md"

// MaxInstructions bounds, in bytes, a file of instructions that is compared and
// given back.
const MaxInstructions = 256 << 10

// Instructions gives what a file of instructions has to hold, whatever else is
// in it, and whether that differs from what it holds. Line ends, white space at
// the ends of lines and outer blank lines are no difference: an agent that
// writes the file may lose them. A text that cannot be given back as it is, or
// whose marks are broken, is an error.
func Instructions(have string) (want string, differs bool, err error) {
	block := prompt.Text("constitution")
	switch {
	case len(have) > MaxInstructions:
		return "", false, fmt.Errorf("it is longer than %d bytes", MaxInstructions)
	case !utf8.ValidString(have) || strings.ContainsRune(have, 0):
		return "", false, fmt.Errorf("it is no text in UTF-8")
	}
	inside, ok, err := marked.Markdown.Get(have)
	if err != nil {
		return "", false, err
	}
	if ok && sameText(inside, block) || sameText(have, block) {
		return have, false, nil
	}
	want, err = marked.Markdown.Put(have, block)
	return want, true, err
}

func sameText(a, b string) bool { return trimmed(a) == trimmed(b) }

// trimmed gives a text without what is no difference.
func trimmed(s string) string {
	lines := strings.Split(strings.TrimPrefix(s, "\ufeff"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
