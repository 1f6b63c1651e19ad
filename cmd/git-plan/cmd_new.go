package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
)

func newNew(a *app) *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "new TITLE [--id ID]", Short: "make a draft of a new plan",
		Long: `Make a folder below .plans/ with a plan.md and a first task to fill in, and
print its path. Other drafts are not touched. Then run ` + "`git plan commit`" + `.`,
		Args: cobra.ExactArgs(1),
		RunE: a.onDrafts(func(ctx context.Context, d *draft.Drafts, args []string) error {
			if err := checkID(id); err != nil {
				return err
			}
			t, err := d.New(ctx, args[0], id)
			if err != nil {
				return err
			}
			return a.sayDraft(t)
		}),
	}
	cmd.Flags().StringVar(&id, "id", "", "the `id` of the plan, instead of one made from its title")
	return cmd
}

// sayDraft prints where a draft is.
func (a *app) sayDraft(t draft.Draft) error {
	if a.json {
		return a.print(struct {
			Status string `json:"status"`
			threadDocument
		}{"success", threadDocument{t.ID, t.Dir}})
	}
	a.say("%s", t.Dir)
	return nil
}

func newEdit(a *app) *cobra.Command { return editCommand(a, "edit") }

// newCheckout is the old name of edit.
func newCheckout(a *app) *cobra.Command {
	cmd := editCommand(a, "checkout")
	cmd.Hidden = true
	return cmd
}

func editCommand(a *app, name string) *cobra.Command {
	var opts draft.EditOptions
	cmd := &cobra.Command{
		Use: name + " PLAN [DIR]", Short: "fill a draft from a stored plan",
		Long: `Fill a draft from a stored plan, or bring the draft of the plan up to date, and
print its folder. Edit the files there and run ` + "`git plan commit`" + `. Where your
edits do not fit what changed in the store, the files get conflict markers.

With --force, edits in the draft are thrown away.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: a.onDrafts(func(ctx context.Context, d *draft.Drafts, args []string) error {
			if len(args) == 2 {
				opts.Dir = a.abs(args[1])
			}
			t, err := d.Edit(ctx, args[0], opts)
			if err != nil {
				return err
			}
			return a.sayDraft(t)
		}),
	}
	cmd.Flags().BoolVarP(&opts.Force, "force", "f", false, "throw away edits in the draft")
	return cmd
}
