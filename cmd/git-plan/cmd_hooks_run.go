package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/store"
)

func newHooksRun(a *app, cmd *cobra.Command) runner {
	cmd.DisableFlagParsing = true // the arguments are git's
	return func(ctx context.Context, args []string) error {
		if args[0] == "-h" || args[0] == "--help" {
			return cmd.Help()
		}
		return a.runHook(ctx, hooks.Event(args[0]), args[1:])
	}
}

func (a *app) runHook(ctx context.Context, event hooks.Event, args []string) error {
	if !event.Known() {
		return &usageError{fmt.Sprintf("there is no hook %q; there are %s", event, strings.Join(stringsOf(hooks.Events()...), ", "))}
	}
	if answered, err := hooks.Probe(event, a.Getenv, a.Stdout); answered || err != nil {
		return err
	}
	if event == hooks.ReferenceTransaction && (len(args) == 0 || args[0] != "prepared") {
		return nil // three times a transaction, and only one of them counts
	}
	if event.Judges() {
		// An object that stands for another here is not what everybody else gets.
		a.Environ = append(slices.Clone(a.Environ), "GIT_NO_REPLACE_OBJECTS=1")
	}
	repo, err := a.open(ctx)
	if err != nil {
		return err
	}
	run := hooks.Run{
		Repo: repo, Event: event, Args: args, Stdin: untilOver{ctx, a.Stdin}, Agent: repo.Agent, Plan: a.planAtHand,
		Say: func(format string, args ...any) { fmt.Fprintf(a.Stderr, "git plan: "+format+"\n", args...) },
	}
	return run.Do(ctx)
}

// planAtHand is the plan that a command without one would mean, or "".
func (a *app) planAtHand(ctx context.Context, s *store.Snapshot) (string, error) {
	id, err := a.onePlan(ctx, s)
	var ambiguous *store.AmbiguousPlanError
	if errors.As(err, &ambiguous) {
		return "", nil
	}
	return id, err
}
