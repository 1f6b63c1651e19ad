package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
)

// threadDocument is what a draft looks like to a program.
type threadDocument struct {
	ID  string `json:"thread_id"`
	Dir string `json:"plan_dir"`
}

func newDir(a *app) *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "dir [--thread-id THREAD]", Short: "print the folder to write the current plan in",
		Long: `Print the absolute path of the current draft's folder, and make it on first
use. Write plan.md and tasks/NN-slug.md in it, then run ` + "`git plan commit`" + `.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := filled(cmd, "thread-id"); err != nil {
				return err
			}
			d, err := a.drafts(cmd.Context())
			if err != nil {
				return err
			}
			t, err := findThread(cmd.Context(), d, id)
			if err != nil {
				return err
			}
			if a.json {
				return a.print(threadDocument{t.ID, t.Dir})
			}
			a.say("%s", t.Dir)
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "thread-id", "", "the folder of this `draft` instead")
	return cmd
}

// onDrafts makes cobra call what a command does with the worktree's drafts.
func (a *app) onDrafts(do func(context.Context, *draft.Drafts, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		d, err := a.drafts(cmd.Context())
		if err != nil {
			return err
		}
		return do(cmd.Context(), d, args)
	}
}

func findThread(ctx context.Context, d *draft.Drafts, id string) (draft.Draft, error) {
	if id == "" {
		return d.Current(ctx)
	}
	state, err := d.State()
	if err != nil {
		return draft.Draft{}, err
	}
	for _, t := range state.Drafts {
		if t.ID == id {
			return t, nil
		}
	}
	return draft.Draft{}, &store.NotFoundError{What: "draft", Name: id, Hint: "see `git plan context`"}
}

func newRequestThreadDir(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "request-thread-dir", Short: "make a folder for another plan",
		Long: `Make another draft, with an empty folder, and print its id and folder as JSON.
One ` + "`git plan commit`" + ` stores all drafts together.`,
		RunE: a.onDrafts(func(ctx context.Context, d *draft.Drafts, _ []string) error {
			t, err := d.Request(ctx)
			if err != nil {
				return err
			}
			return a.print(threadDocument{t.ID, t.Dir})
		}),
	}
}

func newRemoveThread(a *app) *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "remove-thread --thread-id THREAD", Short: "drop a draft and its folder",
		Long: `Drop a draft and delete its folder. A plan that is stored stays stored. The
current draft cannot be dropped: see clear-current.`,
		RunE: a.onDrafts(func(ctx context.Context, d *draft.Drafts, _ []string) error {
			if id == "" {
				return &usageError{"--thread-id is required"}
			}
			if err := d.Remove(ctx, id); err != nil {
				return err
			}
			a.say("Removed %s.", id)
			return a.done(true)
		}),
	}
	cmd.Flags().StringVar(&id, "thread-id", "", "the `draft` to drop")
	return cmd
}

func newClearCurrent(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "clear-current", Short: "empty the current draft's folder",
		Long: `Delete everything in the current draft's folder, for another plan. A stored
plan stays stored: ` + "`git plan rm`" + ` removes one.`,
		RunE: a.onDrafts(func(ctx context.Context, d *draft.Drafts, _ []string) error {
			changed, err := d.ClearCurrent(ctx)
			if err != nil {
				return err
			}
			t, err := d.Current(ctx)
			if err != nil {
				return err
			}
			a.say("Emptied %s.", t.Dir)
			return a.done(changed)
		}),
	}
}

func newUse(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "use PLAN", Short: "make a plan the worktree's current one",
		Long: "Make a plan the one that commands mean where none is named, in this worktree.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			stored, _, err := a.loadPlan(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if stored.Archived() {
				return &store.UnsupportedError{Message: "plan " + stored.ID + " is archived: restore it first"}
			}
			d, err := a.drafts(cmd.Context())
			if err != nil {
				return err
			}
			state, err := d.State()
			if err != nil {
				return err
			}
			changed := state.Plan != stored.ID
			if err := d.Use(cmd.Context(), stored.ID); err != nil {
				return err
			}
			a.say("The current plan is %s.", stored.ID)
			return a.done(changed)
		},
	}
}

func newSetTopic(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "set-topic TEXT", Short: "say in a few words what this session is about",
		Long: fmt.Sprintf("Remember a topic of at most %d characters for this worktree; an empty one clears it.", draft.MaxTopic),
		Args: cobra.ExactArgs(1),
		RunE: a.onDrafts(func(ctx context.Context, d *draft.Drafts, args []string) error {
			changed, err := d.SetTopic(ctx, args[0])
			if err != nil {
				return err
			}
			return a.done(changed)
		}),
	}
}
