package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/validate"
)

func newInit(a *app) *cobra.Command {
	var gate string
	cmd := &cobra.Command{
		Use: "init [--gate base|strict]", Short: "make the branch that holds the plans", GroupID: groupSetup,
		Long: `Make the orphan branch that holds the plans, or adopt the one a remote has.
HEAD, the index and the working tree are not touched. Run again, it changes
nothing.

The gate says how much is asked of every plan: "base" asks that it is well
formed; "strict" also that every task can be worked on from what it says.
` + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.runInit(cmd.Context(), gate, cmd.Flags().Changed("gate"))
		},
	}
	cmd.Flags().StringVar(&gate, "gate", "base", "the `gate` of a new store: base or strict")
	return cmd
}

func (a *app) runInit(ctx context.Context, gate string, asked bool) error {
	if gate != "base" && gate != "strict" {
		return &usageError{"--gate is base or strict, not " + gate}
	}
	repo, err := a.open(ctx)
	if err != nil {
		return err
	}
	result, err := repo.Init(ctx, validate.ParseGate(gate))
	if err != nil {
		return err
	}
	s, err := repo.At(ctx, result.Commit)
	if err != nil {
		return err
	}
	if err := s.MustBeStore(); err != nil {
		return err
	}
	excluded := false
	if !repo.Bare {
		if excluded, err = repo.Exclude(draft.ExcludePattern(repo)); err != nil {
			return err
		}
	}
	if a.json {
		status := "unchanged"
		if result.Created || result.Adopted || excluded {
			status = "success"
		}
		return a.print(initDocument{status, result.Commit, repo.Ref, result.Gate.String(), []string{}})
	}
	a.tellInit(repo, result, gate, asked)
	return nil
}

// initDocument is the answer of `init`.
type initDocument struct {
	Status string   `json:"status"`
	Commit string   `json:"commit"`
	Ref    string   `json:"ref"`
	Gate   string   `json:"gate"`
	Plans  []string `json:"plans"`
}

func (a *app) tellInit(repo *planrepo.Repo, result planrepo.InitResult, gate string, asked bool) {
	switch {
	case result.Created:
		a.say("Made branch %s, gate %s.", repo.Branch(), result.Gate)
	case result.Adopted:
		a.say("Took branch %s over from remote %s, gate %s.", repo.Branch(), repo.Remote(), result.Gate)
	default:
		a.say("Branch %s is there already, gate %s.", repo.Branch(), result.Gate)
	}
	if asked && gate != result.Gate.String() {
		a.warn("the store's gate stays %s: change gates.yaml on branch %s to alter it", result.Gate, repo.Branch())
	}
	if !result.Created {
		return
	}
	a.say("Write a plan in the folder that `git plan dir` names, then run `git plan commit`.")
}
