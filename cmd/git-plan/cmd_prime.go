package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
)

type primeCommand struct {
	*app
	format string
}

func newPrime(a *app, cmd *cobra.Command) runner {
	c := &primeCommand{app: a}
	a.formats(cmd, &c.format, "text", "json", "gemini", "cursor")
	return c.run
}

func (c *primeCommand) run(ctx context.Context, args []string) error {
	text, err := c.text(ctx, firstOr(args, ""))
	if err != nil {
		return err
	}
	switch c.format {
	case "gemini":
		return c.print(map[string]any{"hookSpecificOutput": map[string]string{"hookEventName": "SessionStart", "additionalContext": text}})
	case "cursor":
		return c.print(map[string]string{"additional_context": text})
	}
	return c.reply(map[string]string{"status": "success", "prime": text}, "%s", text)
}

// text gives the primer of the plan that is meant, or why there is none.
func (c *primeCommand) text(ctx context.Context, name string) (string, error) {
	if name == "" && c.answersPrompt() {
		return "git plan: this session answers a prompt for git plan. Answer as it asks; no work on a plan is wanted.", nil
	}
	s, err := c.snapshot(ctx)
	if err != nil {
		return "", err
	}
	if name == "" && !s.Exists() {
		return "git plan: there is no branch of plans here yet; `git plan init` makes it, where the user wants plans.", nil
	}
	c.warnOfGates(ctx, s)
	stored, at, err := c.loadPlanFrom(ctx, s, name)
	var several *store.AmbiguousPlanError
	if name == "" && errors.As(err, &several) {
		open := several.Candidates
		if len(open) == 0 {
			return "git plan: no plan is unfinished. For a goal of several steps: `git plan start --goal \"<goal>\"`, then `git plan status --json`. `git plan guide` says how a good plan is made.", nil
		}
		return fmt.Sprintf("git plan: %d plans are unfinished: %s. Choose one with `git plan use <plan>`, or name it with --plan; then `git plan status --json`. `git plan list` shows them all.",
			len(open), words.Few(open, 8)), nil
	}
	if err != nil {
		return "", err
	}
	if stored.Plan.Doc == nil {
		return "", unreadablePlan(stored.ID)
	}
	if stored, err = at.WithClaims(ctx, stored); err != nil {
		return "", err
	}
	view, err := c.view(ctx, stored, name)
	if err != nil {
		return "", err
	}
	remote, err := c.remoteView(ctx, at)
	if err != nil {
		return "", err
	}
	view.Commit, view.Remote = at.Commit, remote.news(c.Now())
	return loop.Prime(view), nil
}
