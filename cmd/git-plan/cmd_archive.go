package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/store"
)

func newArchive(a *app, cmd *cobra.Command) runner {
	var force bool
	cmd.Flags().BoolVar(&force, "force", false, "archive unfinished plans, too")
	return changeCommand{a, func(agent string, ids []string) store.Mutation { return store.ToArchive(agent, force, ids...) }}.run
}

func newRestore(a *app, cmd *cobra.Command) runner {
	return changeCommand{a, func(agent string, ids []string) store.Mutation { return store.Restore(agent, ids[0]) }}.run
}

func newRm(a *app, cmd *cobra.Command) runner {
	var force bool
	var reason string
	cmd.Flags().StringVarP(&reason, "message", "m", "", "`why`")
	cmd.Flags().BoolVar(&force, "force", false, "remove plans that others work on, too")
	return changeCommand{a, func(agent string, ids []string) store.Mutation { return store.Remove(agent, reason, force, ids...) }}.run
}

func newAbandon(a *app, cmd *cobra.Command) runner {
	var reason string
	cmd.Flags().StringVarP(&reason, "message", "m", "", "`why`")
	return changeCommand{a, func(agent string, ids []string) store.Mutation { return store.Abandon(agent, reason, ids[0]) }}.run
}

// changeCommand is one that only changes stored plans.
type changeCommand struct {
	*app
	mutation func(agent string, ids []string) store.Mutation
}

// changeDocument is the answer of a command that only changes stored plans.
type changeDocument struct {
	Status string `json:"status"`
	landing
	Plans []committedPlan `json:"plans"`
}

func changedPlans(result store.Result) []committedPlan {
	plans := []committedPlan{}
	for _, o := range result.Plans {
		plans = append(plans, committedPlan{ID: o.ID, Event: o.Event, Version: o.Version, Tasks: o.Tasks})
	}
	return plans
}

// run commits the mutation and prints its outcome.
func (c changeCommand) run(ctx context.Context, ids []string) error {
	agent, err := c.openAs(ctx)
	if err != nil {
		return err
	}
	result, err := c.repo.Commit(ctx, c.mutation(agent, ids))
	if err != nil {
		return err
	}
	c.afterChange(ctx, result)
	for _, o := range result.Plans {
		c.say("[%s %.10s] %s: %s", c.repo.Branch(), result.Commit, o.ID, o.Event)
	}
	if len(result.Plans) == 0 {
		c.say("Nothing to do.")
	}
	return c.document(changeDocument{statusOf(result.Changed()), landed(result), changedPlans(result)})
}
