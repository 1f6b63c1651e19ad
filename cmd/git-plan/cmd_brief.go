package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/internal/rawko"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// arbiter is the one that picks an agent for the next step.
const arbiter = "arbiter"

type briefOptions struct{ name, reader string }

func newBrief(a *app) *cobra.Command {
	var opts briefOptions
	cmd := &cobra.Command{
		Use: "brief [PLAN] [--for arbiter]", Short: "print what a model that directs others is told of a plan", GroupID: groupLook,
		Long: `Print what an arbiter is told that picks the agent for the next step: the task,
how far the plan has come, the step to work on with the agent it suggests and
its acceptance criteria, and what remains. Steps are the tasks without others
below them, counted from 1 in file order. The step to work on is the first in
progress, else the first that is ready, else the one that the plan waits for.

Where there is no unfinished plan, it is the session's topic alone.
` + exitHelp,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				opts.name = args[0]
			}
			return a.runBrief(cmd.Context(), opts)
		},
	}
	cmd.Flags().StringVar(&opts.reader, "for", arbiter, "who it is for: `arbiter`")
	register(cmd, "for", oneOf(arbiter))
	return cmd
}

// briefDocument is the answer of `brief`.
type briefDocument struct {
	Status string `json:"status"`
	For    string `json:"for"`
	Plan   string `json:"plan"`
	Brief  string `json:"brief"`
	Commit string `json:"commit"`
}

func (a *app) runBrief(ctx context.Context, opts briefOptions) error {
	if opts.reader != arbiter {
		return &usageError{fmt.Sprintf("there is no brief for %q; there is one for: %s", opts.reader, arbiter)}
	}
	stored, at, err := a.loadPlan(ctx, opts.name)
	if err != nil {
		if topic := a.topicInstead(ctx, opts.name, err); topic != "" {
			return a.tellBrief(briefDocument{"success", opts.reader, "", rawko.Brief(topic, nil), ""})
		}
		return err
	}
	a.warnOf(stored.Plan, stored.Found)
	steps, _ := rawko.FromPlan(stored.Plan, a.repo.Now())
	return a.tellBrief(briefDocument{"success", opts.reader, stored.ID, rawko.Brief(rawko.Task(stored.Plan), steps), at.Commit})
}

func (a *app) tellBrief(doc briefDocument) error {
	if a.json {
		return a.print(doc)
	}
	_, err := fmt.Fprint(a.Stdout, diag.PrintableText(doc.Brief))
	return err
}

// topicInstead gives what the session is about, where no plan was named and
// there is none to be meant.
func (a *app) topicInstead(ctx context.Context, name string, err error) string {
	var ambiguous *planrepo.AmbiguousPlanError
	var missing *planrepo.NotFoundError
	none := errors.As(err, &ambiguous) && len(ambiguous.Candidates) == 0 || errors.As(err, &missing) && missing.What == "store"
	if name != "" || a.plan != "" || !none || a.repo == nil || a.repo.WorkTree == "" {
		return ""
	}
	d, err := a.drafts(ctx)
	if err != nil {
		return ""
	}
	state, err := d.State()
	if err != nil || plan.CheckText(state.Topic) != nil {
		return ""
	}
	return state.Topic
}
