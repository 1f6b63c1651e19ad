// Package completions holds what shells need to complete `git plan`. Read
// [For] for the text of one shell; packages install the files themselves.
package completions

import (
	"embed"
	"slices"
)

// files are the shells' own: fish has two, of which the second is read when a
// shell starts.
//
//go:embed git-plan.bash git-plan.zsh git-plan.fish git-plan.conf.fish
var files embed.FS

// Shells lists the shells that are served.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// For gives what a shell reads to complete `git plan`, false for a shell that is
// not served.
func For(shell string) (text string, ok bool) {
	if !slices.Contains(Shells(), shell) {
		return "", false
	}
	names := []string{"git-plan." + shell}
	if shell == "fish" {
		names = append(names, "git-plan.conf.fish")
	}
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return "", false
		}
		text += string(data)
	}
	return text, true
}
