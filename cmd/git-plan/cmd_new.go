package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
)

func newNew(a *app, cmd *cobra.Command) runner {
	var id string
	cmd.Flags().StringVar(&id, "id", "", "the `id` of the plan, instead of one made from its title")
	return a.onDrafts(func(ctx context.Context, d *draft.Drafts, args []string) error {
		if err := checkID(id); err != nil {
			return err
		}
		t, err := d.New(ctx, args[0], id)
		if err != nil {
			return err
		}
		return a.sayDraft(t)
	})
}

// sayDraft prints where a draft is.
func (a *app) sayDraft(t draft.Draft) error {
	return a.reply(threadDocument{t.ID, t.Dir, "success"}, "%s", t.Dir)
}

func newEdit(a *app, cmd *cobra.Command) runner {
	var opts draft.EditOptions
	cmd.Flags().BoolVarP(&opts.Force, "force", "f", false, "throw away edits in the draft")
	return a.onDrafts(func(ctx context.Context, d *draft.Drafts, args []string) error {
		if len(args) == 2 {
			opts.Dir = a.abs(args[1])
		}
		t, err := d.Edit(ctx, args[0], opts)
		if err != nil {
			return err
		}
		return a.sayDraft(t)
	})
}
