package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/plan"
)

type boardOptions struct {
	name, format string
	all          bool
}

func newBoard(a *app) *cobra.Command {
	var opts boardOptions
	cmd := &cobra.Command{
		Use: "board [PLAN|DIR] [--all]", Short: "show tasks side by side by how they stand", GroupID: groupEveryday,
		Long: `Show the tasks of a plan, or of all unfinished plans, in columns: pending, in
progress, blocked, failed, done. Tasks with others below them are left out: their
tasks are what is worked on. Ready ones come first; what was skipped or cancelled
stands with what is done, of which only the newest ten are shown.

Where the terminal is too narrow for that, the columns stand one below the other.
` + exitHelp,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.name = firstOr(args, a.plan)
			return a.runBoard(cmd.Context(), opts)
		},
	}
	cmd.Flags().BoolVar(&opts.all, "all", false, "show all that is done")
	a.formats(cmd, &opts.format, "text", "json")
	return cmd
}

func (a *app) runBoard(ctx context.Context, opts boardOptions) error {
	plans, err := a.boarded(ctx, opts.name)
	if err != nil {
		return err
	}
	b := render.NewBoard(plans)
	if a.json {
		return a.print(b)
	}
	if len(plans) == 0 {
		return a.sayNoneOpen(ctx)
	}
	return b.Text(a.Stdout, opts.all, a.newPage())
}

// sayNoneOpen tells why there is nothing on the board.
func (a *app) sayNoneOpen(ctx context.Context) error {
	s, err := a.snapshot(ctx)
	if err == nil && !s.Exists() {
		a.sayNoStore()
		return nil
	}
	a.say("There is no unfinished plan: see `git plan list`.")
	return err
}

// boarded reads the plans whose tasks are to be shown.
func (a *app) boarded(ctx context.Context, name string) ([]*plan.Plan, error) {
	if name != "" {
		p, err := a.planOrFolder(ctx, name)
		return []*plan.Plan{p}, err
	}
	s, err := a.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	a.warnOfGates(ctx, s)
	open, err := unfinished(ctx, s)
	if err != nil {
		return nil, err
	}
	a.warnOfPlans(open)
	return loadAll(ctx, s, open)
}
