package prompt_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/prompt"
)

func TestAssemble(t *testing.T) {
	text, cuts := prompt.Assemble("Do it.", prompt.Part{Title: "Goal", Text: "Ship it"}, prompt.Part{Title: "None", Text: " \n"},
		prompt.Part{Title: "Files", Text: "a.go\nb.go\nc.go\n", Max: 12})
	want := "Do it.\n\n## Goal\n\n~~~~\nShip it\n~~~~\n\n## Files (the first 9 of 15 bytes; the rest is left out)\n\n~~~~\na.go\nb.go\n~~~~" +
		"\n\nThis is the end of the material. Now give the one JSON object that is asked for above, and nothing else.\n"
	if text != want {
		t.Errorf("%q, not %q", text, want)
	}
	if !slices.Equal(cuts, []string{"Files: the first 9 of 15 bytes; the rest is left out"}) {
		t.Errorf("%q", cuts)
	}
}

// Whatever the parts are, the whole stays within its bound, is valid UTF-8, and
// says of each part that it was cut.
func TestAssembleIsBounded(t *testing.T) {
	for name, part := range map[string]string{
		"lines": strings.Repeat("a line\n", 200_000), "one line": strings.Repeat("x", 1<<20), "tildes": strings.Repeat("~", 1<<20),
		"rows of tildes": strings.Repeat(strings.Repeat("~", 59)+"\n", 20_000), "wide": strings.Repeat("語", 1<<19), "no text": strings.Repeat("x\xff", 1<<19),
	} {
		text, cuts := prompt.Assemble(prompt.Text("decompose"), prompt.Part{Title: "Goal", Text: part, Max: 50_000}, prompt.Part{Title: "Specification", Text: part},
			prompt.Part{Title: "Files", Text: part, Max: 10}, prompt.Part{Title: "Last", Text: "here"})
		if len(text) > prompt.MaxPrompt || !utf8.ValidString(text) {
			t.Errorf("%s: %d bytes", name, len(text))
		}
		if name != "tildes" && (len(cuts) < 3 || strings.Count(text, "the rest is left out)") != len(cuts)) {
			t.Errorf("%s: %q", name, cuts)
		}
	}
}
