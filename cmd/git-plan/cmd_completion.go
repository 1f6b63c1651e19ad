package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/completions"
)

func newCompletion(a *app) *cobra.Command {
	shells := strings.Join(completions.Shells(), ", ")
	return &cobra.Command{
		Use: "completion SHELL", Short: "print what a shell needs to complete git plan", Hidden: true,
		Long: `Print what bash, zsh or fish reads to complete git plan, for a program that was
installed without it:

  bash   git plan completion bash > ~/.local/share/bash-completion/completions/git-plan
  zsh    git plan completion zsh > FOLDER/_git-plan, with FOLDER in fpath
  fish   git plan completion fish > ~/.config/fish/conf.d/git-plan.fish`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: completions.Shells(),
		RunE: func(_ *cobra.Command, args []string) error {
			text, ok := completions.For(args[0])
			if !ok {
				return &usageError{fmt.Sprintf("there is no completion for %q; there are %s", args[0], shells)}
			}
			_, err := io.WriteString(a.Stdout, text)
			return err
		},
	}
}
