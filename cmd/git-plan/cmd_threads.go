package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
)

// threadDocument is what a thread looks like to a program.
type threadDocument struct {
	ID  string `json:"thread_id"`
	Dir string `json:"plan_dir"`
}

func newDir(a *app) *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "dir [--thread-id THREAD]", Short: "print the folder to write the current plan in", GroupID: groupDraft,
		Long: `Print the absolute path of the current thread's folder, and make it on first
use. A thread is one plan being drafted: write plan.md and tasks/NN-slug.md in
it, then run ` + "`git plan commit`" + `.
` + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := filled(cmd, "thread-id"); err != nil {
				return err
			}
			return a.runDir(cmd.Context(), id)
		},
	}
	cmd.Flags().StringVar(&id, "thread-id", "", "the folder of this `thread` instead")
	return cmd
}

func (a *app) runDir(ctx context.Context, id string) error {
	d, err := a.drafts(ctx)
	if err != nil {
		return err
	}
	t, err := findThread(ctx, d, id)
	if err != nil {
		return err
	}
	a.warnOfMerges(d, t.ID)
	if a.json {
		return a.print(threadDocument{t.ID, t.Dir})
	}
	a.say("%s", t.Dir)
	return nil
}

func findThread(ctx context.Context, d *draft.Drafts, id string) (draft.Thread, error) {
	if id == "" {
		return d.Current(ctx)
	}
	state, err := d.State()
	if err != nil {
		return draft.Thread{}, err
	}
	for _, t := range state.Threads {
		if t.ID == id {
			return t, nil
		}
	}
	return draft.Thread{}, &store.NotFoundError{What: "thread", Name: id, Hint: "see `git plan context`"}
}

func newRequestThreadDir(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "request-thread-dir", Short: "allocate a folder for another plan", GroupID: groupDraft,
		Long: `Allocate another thread, for a plan beside the current one, and print its id
and folder as JSON. One ` + "`git plan commit`" + ` submits all threads together.
` + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := a.drafts(cmd.Context())
			if err != nil {
				return err
			}
			t, err := d.Request(cmd.Context())
			if err != nil {
				return err
			}
			return a.print(threadDocument{t.ID, t.Dir})
		},
	}
}

func newRemoveThread(a *app) *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "remove-thread --thread-id THREAD", Short: "drop an additional thread and its folder", GroupID: groupDraft,
		Long: `Drop a thread that was allocated by request-thread-dir or checkout, and delete
its folder. The next commit goes without it. A plan that is stored already
stays stored, and the current thread cannot be dropped: see clear-current.
` + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if id == "" {
				return &usageError{"which thread? give --thread-id"}
			}
			d, err := a.drafts(cmd.Context())
			if err != nil {
				return err
			}
			if err := d.Remove(cmd.Context(), id); err != nil {
				return err
			}
			a.say("Removed %s.", id)
			return a.done(true)
		},
	}
	cmd.Flags().StringVar(&id, "thread-id", "", "the `thread` to drop")
	return cmd
}

func newClearCurrent(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "clear-current", Short: "empty the current thread's folder", GroupID: groupDraft,
		Long: `Delete everything in the current thread's folder. If it held a stored plan,
the next commit removes that plan from the branch; its history stays.
` + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := a.drafts(cmd.Context())
			if err != nil {
				return err
			}
			changed, err := d.ClearCurrent(cmd.Context())
			if err != nil {
				return err
			}
			t, err := d.Current(cmd.Context())
			if err != nil {
				return err
			}
			a.say("Emptied %s.", t.Dir)
			if t.Cleared {
				err = a.tellCleared(cmd.Context(), t)
			}
			return errors.Join(err, a.done(changed))
		},
	}
}

// tellCleared says what the next commit does about the plan whose folder was emptied.
func (a *app) tellCleared(ctx context.Context, t draft.Thread) error {
	s, err := a.snapshot(ctx)
	if err != nil {
		return err
	}
	l, there, err := s.Locate(ctx, t.Plan)
	switch {
	case err != nil:
		return err
	case t.Merging != "":
		a.say("The next commit makes the open merge, and removes plan %s by it.", t.Plan)
	case !there:
		a.say("Plan %s is gone already: the next commit only lets the folder go.", t.Plan)
	case l.Archived():
		a.say("Plan %s stays in the archive: the next commit only lets the folder go.", t.Plan)
	default:
		a.say("The next commit removes plan %s.", t.Plan)
	}
	return nil
}

func newCheckout(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "checkout PLAN [DIR]", Short: "bring a stored plan into a thread to edit it", GroupID: groupDraft,
		Long: `Bring a stored plan into the current thread if that is empty, else into a new
one, and make both current. Edit the files and run ` + "`git plan commit`" + `.

With --force, edits in a thread that holds the plan already are thrown away.
` + exitHelp,
		Args: args(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts := draft.CheckoutOptions{Force: force}
			if len(args) == 2 {
				opts.Dir = a.abs(args[1])
			}
			d, err := a.drafts(cmd.Context())
			if err != nil {
				return err
			}
			t, err := d.Checkout(cmd.Context(), args[0], opts)
			if err != nil {
				return err
			}
			if a.json {
				return a.print(struct {
					Status string `json:"status"`
					threadDocument
				}{"success", threadDocument{t.ID, t.Dir}})
			}
			a.say("%s", t.Dir)
			return nil
		},
	}
	cmd.Flags().BoolVarP(&force, "force", "f", false, "throw away edits in the thread")
	return cmd
}

func newUse(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "use PLAN", Short: "make a plan the worktree's current one", GroupID: groupDraft,
		Long: "Make a plan the one that commands mean where none is named, in this worktree.\n" + exitHelp,
		Args: args(cobra.ExactArgs(1)),
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
			if changed {
				err = d.Use(cmd.Context(), stored.ID)
			}
			if err != nil {
				return err
			}
			a.say("The current plan is %s.", stored.ID)
			return a.done(changed)
		},
	}
}

func newSetTopic(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "set-topic TEXT", Short: "say in a few words what this session is about", GroupID: groupDraft,
		Long: fmt.Sprintf("Remember a topic of at most %d characters for this worktree; an empty one clears it.\n", draft.MaxTopic) + exitHelp,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := a.drafts(cmd.Context())
			if err != nil {
				return err
			}
			changed, err := d.SetTopic(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.done(changed)
		},
	}
}
