package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/session"
	"github.com/git-plan/git-plan/plan"
)

// promptAnswer is the answer of `prompt`: a prompt, or the list of them.
type promptAnswer struct {
	Status  string           `json:"status"`
	Prompt  *promptDocument  `json:"prompt,omitempty"`
	Prompts []promptDocument `json:"prompts,omitempty"`
}

// promptDocument is a prompt as JSON. A list leaves the text out.
type promptDocument struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Text  string `json:"text,omitempty"`
}

type promptCommand struct{ *app }

func newPrompt(a *app, cmd *cobra.Command) runner {
	var strategy string
	cmd.Flags().StringVar(&strategy, "strategy", "", "the `strategy` of the prompt planning: "+strings.Join(strategyNames(), ", "))
	return func(ctx context.Context, args []string) error {
		given := cmd.Flags().Changed("strategy")
		switch {
		case given && !slices.Equal(args, []string{prompt.Planning}):
			return &usageError{"--strategy is for the prompt planning: `git plan prompt planning --strategy S`"}
		case given && strategy == "":
			_, err := parseStrategy("--strategy", "")
			return err
		case len(args) == 0:
			return promptCommand{a}.list()
		}
		return promptCommand{a}.printOne(ctx, args[0], strategy)
	}
}

func (c promptCommand) list() error {
	docs := namesOf(prompt.Catalogue(), func(e prompt.Entry) promptDocument { return promptDocument{Name: e.Name, About: e.About} })
	for _, d := range docs {
		c.say("%-12s  %s", d.Name, d.About)
	}
	return c.document(promptAnswer{Status: "success", Prompts: docs})
}

// printOne prints a prompt; the one that comes in strategies asks for it.
func (c promptCommand) printOne(ctx context.Context, name, strategy string) error {
	e, ok := prompt.Find(name)
	if !ok {
		return notFound("prompt", name, plan.Nearest(name, promptNames()), "see `git plan prompt`")
	}
	s := session.React
	if name == prompt.Planning {
		var err error
		if s, err = c.strategyOr(ctx, strategy); err != nil {
			return err
		}
	}
	return c.reply(promptAnswer{Status: "success", Prompt: &promptDocument{e.Name, e.About, e.Text(s)}}, "%s", e.Text(s))
}

// strategyOr is the strategy of a flag, else what plan.strategy names. Git reads it,
// also where there is no repository.
func (e Env) strategyOr(ctx context.Context, flag string) (session.Strategy, error) {
	if flag != "" {
		return parseStrategy("--strategy", flag)
	}
	name, err := e.git().ReadLine(ctx, "config", "--get", "plan.strategy")
	switch {
	case git.IsMissing(err):
		return session.React, nil
	case err != nil:
		return session.React, err
	}
	return parseStrategy("plan.strategy", name)
}

func parseStrategy(from, name string) (session.Strategy, error) {
	s, err := session.ParseStrategy(name)
	if err != nil {
		return s, &usageError{from + ": " + err.Error()}
	}
	return s, nil
}

func promptNames() []string {
	return namesOf(prompt.Catalogue(), func(e prompt.Entry) string { return e.Name })
}

func strategyNames() []string {
	return namesOf(session.Strategies(), func(s session.Strategy) string { return string(s) })
}

func newGuide(a *app, cmd *cobra.Command) runner {
	return func(_ context.Context, _ []string) error {
		return a.reply(map[string]string{"status": "success", "guide": prompt.Text("guide")}, "%s", prompt.Text("guide"))
	}
}
