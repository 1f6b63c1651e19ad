package main

import (
	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/prompt"
)

func newGuide(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "guide", Short: "tell how a good plan is made",
		Long: `Print the planning guide, in markdown: what makes a good task, how to get from
a goal to a plan, what the gate checks, and an example from a specification to
its tasks. It needs no repository.`,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.print(map[string]string{"status": "success", "guide": prompt.Guide()})
			}
			a.say("%s", prompt.Guide())
			return nil
		},
	}
}
