package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/plan/diag"
)

// contextDocument is what a session must know to plan: the folders to write
// in. Its names are those that agents' system prompts use.
type contextDocument struct {
	Dir        string           `json:"CURRENT_PLAN_DIR"`
	Thread     string           `json:"CURRENT_THREAD_ID"`
	Additional []threadDocument `json:"ADDITIONAL_PLAN_DIRS"`
	Topic      string           `json:"topic"`
	Prompt     string           `json:"prompt,omitempty"`
}

func newContext(a *app, cmd *cobra.Command) runner {
	var withPrompt bool
	cmd.Flags().BoolVar(&withPrompt, "prompt", false, "print the planning agent's instructions too")
	return a.onDrafts(func(ctx context.Context, d *draft.Drafts, _ []string) error {
		current, err := d.Current(ctx)
		if err != nil {
			return err
		}
		state, err := d.State()
		if err != nil {
			return err
		}
		doc := contextDocument{Dir: current.Dir, Thread: current.ID, Additional: []threadDocument{}, Topic: state.Topic}
		for _, t := range state.Drafts {
			if t.ID != current.ID {
				doc.Additional = append(doc.Additional, threadDocument{ID: t.ID, Dir: t.Dir})
			}
		}
		if withPrompt {
			doc.Prompt = prompt.Text("overseer")
			a.say("%s\n", doc.Prompt)
		}
		a.say("CURRENT_PLAN_DIR: %s", doc.Dir)
		a.say("CURRENT_THREAD_ID: %s", doc.Thread)
		none := ""
		if len(doc.Additional) == 0 {
			none = " none"
		}
		a.say("ADDITIONAL_PLAN_DIRS:%s", none)
		for _, t := range doc.Additional {
			a.say("- %s: %s", t.ID, t.Dir)
		}
		if doc.Topic != "" {
			a.say("TOPIC: %s", diag.Printable(doc.Topic))
		}
		return a.document(doc)
	})
}
