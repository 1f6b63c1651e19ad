package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/completions"
)

func newCompletion(a *app, cmd *cobra.Command) runner {
	return func(_ context.Context, args []string) error {
		text, ok := completions.For(args[0])
		if !ok {
			return &usageError{fmt.Sprintf("there is no completion for %q; there are %s", args[0], strings.Join(completions.Shells(), ", "))}
		}
		_, err := io.WriteString(a.Stdout, text)
		return err
	}
}
