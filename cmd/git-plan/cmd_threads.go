package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
)

// threadDocument is what a draft looks like to a program.
type threadDocument struct {
	ID     string `json:"thread_id"`
	Dir    string `json:"plan_dir"`
	Status string `json:"status,omitempty"`
}

func newDir(a *app, cmd *cobra.Command) runner {
	var id string
	cmd.Flags().StringVar(&id, "thread-id", "", "the folder of this `draft` instead")
	return func(ctx context.Context, _ []string) error {
		if err := filled(cmd, "thread-id"); err != nil {
			return err
		}
		d, err := a.drafts(ctx)
		if err != nil {
			return err
		}
		t, err := findThread(ctx, d, id)
		if err != nil {
			return err
		}
		return a.reply(threadDocument{ID: t.ID, Dir: t.Dir}, "%s", t.Dir)
	}
}

// onDrafts runs what a command does with the worktree's drafts.
func (a *app) onDrafts(do func(context.Context, *draft.Drafts, []string) error) runner {
	return func(ctx context.Context, args []string) error {
		d, err := a.drafts(ctx)
		if err != nil {
			return err
		}
		return do(ctx, d, args)
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
	if i := slices.IndexFunc(state.Drafts, func(t draft.Draft) bool { return t.ID == id }); i >= 0 {
		return state.Drafts[i], nil
	}
	return draft.Draft{}, &store.NotFoundError{What: "draft", Name: id, Hint: "see `git plan context`"}
}

func newRequestThreadDir(a *app, cmd *cobra.Command) runner {
	return a.onDrafts(func(ctx context.Context, d *draft.Drafts, _ []string) error {
		t, err := d.Request(ctx)
		if err != nil {
			return err
		}
		return a.print(threadDocument{ID: t.ID, Dir: t.Dir})
	})
}

func newRemoveThread(a *app, cmd *cobra.Command) runner {
	var id string
	cmd.Flags().StringVar(&id, "thread-id", "", "the `draft` to drop")
	return a.onDrafts(func(ctx context.Context, d *draft.Drafts, _ []string) error {
		if id == "" {
			return &usageError{"--thread-id is required"}
		}
		if err := d.Remove(ctx, id); err != nil {
			return err
		}
		a.say("Removed %s.", id)
		return a.done(true)
	})
}

func newClearCurrent(a *app, cmd *cobra.Command) runner {
	return a.onDrafts(func(ctx context.Context, d *draft.Drafts, _ []string) error {
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
	})
}

func newUse(a *app, cmd *cobra.Command) runner {
	return func(ctx context.Context, args []string) error {
		stored, _, err := a.loadPlan(ctx, args[0])
		if err != nil {
			return err
		}
		if stored.Archived() {
			return &store.UnsupportedError{Message: "plan " + stored.ID + " is archived: restore it first"}
		}
		d, state, err := a.threads(ctx)
		if err != nil {
			return err
		}
		changed := state.Plan != stored.ID
		if err := errors.Join(d.Use(ctx, stored.ID), a.repo.Mean(stored.ID)); err != nil {
			return err
		}
		a.say("The current plan is %s.", stored.ID)
		return a.done(changed)
	}
}

func newSetTopic(a *app, cmd *cobra.Command) runner {
	return a.onDrafts(func(ctx context.Context, d *draft.Drafts, args []string) error {
		changed, err := d.SetTopic(ctx, args[0])
		if err != nil {
			return err
		}
		return a.done(changed)
	})
}
