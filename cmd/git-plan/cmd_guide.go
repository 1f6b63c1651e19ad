package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/prompt"
)

func newGuide(a *app, cmd *cobra.Command) runner {
	return func(_ context.Context, _ []string) error {
		if a.json {
			return a.print(map[string]string{"status": "success", "guide": prompt.Guide()})
		}
		a.say("%s", prompt.Guide())
		return nil
	}
}
