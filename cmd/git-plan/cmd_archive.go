package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/store"
)

func newArchive(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "archive PLAN... [--force]", Short: "put finished plans away",
		Long: `Move plans to the archive of this year on the branch. They stay readable by
their ids, and cost nothing where the plans are listed. An unfinished plan is
archived only with --force.`,
		Args: cobra.MinimumNArgs(1),
		RunE: runs(changeCommand{a, func(agent string, ids []string) store.Mutation { return store.ToArchive(agent, force, ids...) }}.run),
	}
	cmd.Flags().BoolVar(&force, "force", false, "archive unfinished plans, too")
	return cmd
}

func newRestore(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "restore PLAN", Short: "bring back a plan that was archived or removed",
		Long: `Bring back a plan that was archived, or as it was before it was removed.`,
		Args: cobra.ExactArgs(1),
		RunE: runs(changeCommand{a, func(agent string, ids []string) store.Mutation { return store.Restore(agent, ids[0]) }}.run),
	}
}

func newRm(a *app) *cobra.Command {
	var force bool
	var reason string
	cmd := &cobra.Command{
		Use: "rm PLAN... [-m TEXT] [--force]", Short: "remove plans",
		Long: `Remove plans from the branch. Their history stays, and restore brings them
back. A plan that another agent works on is removed only with --force.`,
		Args: cobra.MinimumNArgs(1),
		RunE: runs(changeCommand{a, func(agent string, ids []string) store.Mutation { return store.Remove(agent, reason, force, ids...) }}.run),
	}
	cmd.Flags().StringVarP(&reason, "message", "m", "", "`why`")
	cmd.Flags().BoolVar(&force, "force", false, "remove plans that others work on, too")
	return cmd
}

func newAbandon(a *app) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "abandon PLAN [-m TEXT]", Short: "give a plan up",
		Long: `Mark a plan as given up. Its tasks stay as they are, and none of them is ready
any more.`,
		Args: cobra.ExactArgs(1),
		RunE: runs(changeCommand{a, func(agent string, ids []string) store.Mutation { return store.Abandon(agent, reason, ids[0]) }}.run),
	}
	cmd.Flags().StringVarP(&reason, "message", "m", "", "`why`")
	return cmd
}

// changeCommand is one that only changes stored plans.
type changeCommand struct {
	*app
	mutation func(agent string, ids []string) store.Mutation
}

// changeDocument is the answer of a command that only changes stored plans.
type changeDocument struct {
	Status string          `json:"status"`
	Commit string          `json:"commit"`
	Plans  []committedPlan `json:"plans"`
}

func newChangeDocument(result store.Result) changeDocument {
	doc := changeDocument{Status: statusOf(len(result.Plans) > 0), Commit: result.Commit, Plans: []committedPlan{}}
	for _, o := range result.Plans {
		doc.Plans = append(doc.Plans, committedPlan{ID: o.ID, Event: o.Event, Version: o.Version, Tasks: o.Tasks})
	}
	return doc
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
	doc := newChangeDocument(result)
	if c.json {
		return c.print(doc)
	}
	for _, o := range result.Plans {
		c.say("[%s %.10s] %s: %s", c.repo.Branch(), result.Commit, o.ID, o.Event)
	}
	if doc.Status == "unchanged" {
		c.say("Nothing to do.")
	}
	return nil
}
