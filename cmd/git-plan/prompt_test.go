package main

import (
	"regexp"
	"testing"

	"github.com/git-plan/git-plan/internal/prompt"
)

// A planning agent is told of no command or flag that there is not.
func TestPromptNamesCommands(t *testing.T) {
	root := newRoot(&app{})
	found := regexp.MustCompile("`git plan ([a-z-]+)([^`]*)`").FindAllStringSubmatch(prompt.Overseer(), -1)
	if len(found) < 5 {
		t.Fatalf("the prompt names %d commands", len(found))
	}
	for _, m := range found {
		cmd, _, err := root.Find([]string{m[1]})
		if err != nil || cmd.Name() != m[1] {
			t.Errorf("there is no command %q", m[1])
			continue
		}
		for _, flag := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(m[2], -1) {
			if cmd.Flag(flag[1]) == nil {
				t.Errorf("%s has no flag --%s", m[1], flag[1])
			}
		}
	}
}
