package main

import (
	"regexp"
	"testing"

	"github.com/git-plan/git-plan/internal/prompt"
)

// Agents are told of no command or flag that there is not.
func TestPromptNamesCommands(t *testing.T) {
	root := newRoot(&app{})
	command := regexp.MustCompile("`git plan ([a-z -]+?)( [^a-z`][^`]*)?`")
	for name, text := range map[string]string{
		"overseer": prompt.Text("overseer"), "constitution": prompt.Text("constitution"), "guide": prompt.Text("guide"), "block": prompt.Text("block"),
	} {
		found := command.FindAllStringSubmatch(text, -1)
		if len(found) < 2 {
			t.Errorf("%s names %d commands", name, len(found))
		}
		for _, m := range found {
			words := regexp.MustCompile(` +`).Split(m[1], -1)
			cmd, rest, err := root.Find(words)
			if err != nil || cmd == root || cmd.HasSubCommands() && len(rest) > 0 && rest[0][0] != '-' {
				t.Errorf("%s: there is no command %q", name, m[1])
				continue
			}
			for _, flag := range regexp.MustCompile(` --?([a-z][a-z-]*)`).FindAllStringSubmatch(m[0], -1) {
				if cmd.Flag(flag[1]) == nil && (len(flag[1]) > 1 || cmd.Flags().ShorthandLookup(flag[1]) == nil) {
					t.Errorf("%s: %s has no flag %s", name, m[0], flag[0])
				}
			}
		}
	}
}
