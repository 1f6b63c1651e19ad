package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/plan"
)

type boardCommand struct {
	*app
	format string
	all    bool
}

func newBoard(a *app, cmd *cobra.Command) runner {
	c := &boardCommand{app: a}
	cmd.Flags().BoolVar(&c.all, "all", false, "show all that is done")
	a.formats(cmd, &c.format, "text", "json")
	return c.run
}

func (c *boardCommand) run(ctx context.Context, args []string) error {
	plans, err := c.plans(ctx, firstOr(args, c.plan))
	if err != nil {
		return err
	}
	b := render.NewBoard(plans)
	if c.json {
		return c.print(b)
	}
	if len(plans) == 0 {
		if s, err := c.snapshot(ctx); err != nil || !s.Exists() {
			c.sayNoStore()
			return err
		}
		c.say("There is no unfinished plan: see `git plan list`.")
		return nil
	}
	return b.Text(c.Stdout, c.all, c.newPage())
}

// plans reads the plans whose tasks are to be shown.
func (c *boardCommand) plans(ctx context.Context, name string) ([]*plan.Plan, error) {
	if name != "" {
		p, err := c.planOrFolder(ctx, name)
		return []*plan.Plan{p}, err
	}
	s, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	open, err := unfinished(ctx, s)
	if err != nil {
		return nil, err
	}
	c.warnOfPlans(open)
	return loadAll(ctx, s, open)
}
