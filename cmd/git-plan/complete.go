package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// completer gives what the word being typed may become, best with a
// description after a tab. It never fails: where nothing is known, there is
// nothing to offer.
type completer func(ctx context.Context, word string) []string

// addCompletion lets the shells complete plans, tasks, rules and threads. A
// command that it does not name completes its own name and flags.
func (a *app) addCompletion(root *cobra.Command) {
	register(root, "plan", a.planIDs)
	for _, c := range root.Commands() {
		switch c.Name() {
		case "show":
			complete(c, a.plansAndTasks, true)
		case "next", "status", "log", "use", "checkout", "replan", "graph", "brief", "events", "export":
			complete(c, a.planIDs, true)
		case "check", "apply":
			complete(c, a.planIDs, false) // plans and files
		case "diff":
			complete(c, a.planIDs, false) // two plans, or folders
		case "grep":
			c.ValidArgsFunction = a.completeGrep
		case "explain":
			complete(c, ruleIDs, true)
		case "prompt":
			complete(c, oneOf(promptNames()...), true)
			register(c, "strategy", oneOf(strategyNames()...))
		case "task":
			for _, verb := range c.Commands() {
				complete(verb, a.taskIDs, true)
			}
		case "alert":
			a.completeAlert(c)
		}
		register(c, "gate", oneOf("base", "strict"))
		for _, flag := range []string{"task", "expand", "collapse", "children"} {
			register(c, flag, a.taskIDs)
		}
		register(c, "format", oneOf(formatsOf(c)...))
		register(c, "thread-id", a.threadIDs)
		register(c, "status", oneOf(strings.Split(planStatusWords(), ", ")...))
	}
}

// completeAlert completes the open signals, and what is said of one.
func (a *app) completeAlert(c *cobra.Command) {
	for _, verb := range c.Commands() {
		switch verb.Name() {
		case "list":
			complete(verb, a.planIDs, true)
		default:
			complete(verb, a.signalIDs, true)
		}
		register(verb, "task", a.taskIDs)
		register(verb, "level", oneOf(plan.SignalLevels()...))
	}
}

// signalIDs gives the open signals of the plan that is meant.
func (a *app) signalIDs(ctx context.Context, _ string) []string {
	stored, _, err := a.loadPlan(ctx, "")
	if err != nil {
		return nil
	}
	var out []string
	for _, s := range stored.Plan.Signals {
		out = append(out, describe(s.ID, s.Level+onTask(stored.Plan, s)))
	}
	return out
}

// complete completes a command's arguments, or only the first of them. Where
// there may be many, or a path was begun, the shell adds files.
func complete(c *cobra.Command, offer completer, onlyFirst bool) {
	c.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		directive := cobra.ShellCompDirectiveNoFileComp
		if !onlyFirst || looksLikePath(word) {
			directive = cobra.ShellCompDirectiveDefault
		}
		if onlyFirst && len(args) > 0 {
			return nil, directive
		}
		return withPrefix(offer(cmd.Context(), word), word), directive
	}
}

// register completes a flag's value, if the command has the flag.
func register(c *cobra.Command, flag string, offer completer) {
	if c.Flag(flag) == nil {
		return
	}
	c.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return withPrefix(offer(cmd.Context(), word), word), cobra.ShellCompDirectiveNoFileComp
	}) // fails only for a flag that is not there
}

// formatsOf gives the formats that a command's flag lists.
func formatsOf(c *cobra.Command) []string {
	flag := c.Flag("format")
	if flag == nil {
		return nil
	}
	_, names, _ := strings.Cut(flag.Usage, ": ")
	return strings.Split(names, ", ")
}

// completeGrep offers plans once there is a pattern.
func (a *app) completeGrep(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return withPrefix(a.planIDs(cmd.Context(), word), word), cobra.ShellCompDirectiveNoFileComp
}

func withPrefix(all []string, prefix string) []string {
	var out []string
	for _, s := range all {
		if strings.HasPrefix(s, prefix) {
			out = append(out, s)
		}
	}
	return out
}

func oneOf(all ...string) completer {
	return func(context.Context, string) []string { return all }
}

func ruleIDs(context.Context, string) []string {
	var out []string
	for _, r := range validate.Rules() {
		out = append(out, cobra.CompletionWithDesc(r.ID, r.Doc))
	}
	return out
}

func (a *app) planIDs(ctx context.Context, _ string) []string {
	s, err := a.snapshot(ctx)
	if err != nil {
		return nil
	}
	rows, err := s.Summaries(ctx, s.Locations())
	if err != nil {
		return s.IDs() // a plan that cannot be read keeps its id
	}
	var out []string
	for _, row := range rows {
		out = append(out, describe(row.ID, row.Title))
	}
	return out
}

func (a *app) plansAndTasks(ctx context.Context, word string) []string {
	if strings.Contains(word, "/") {
		return a.taskIDs(ctx, word)
	}
	return a.planIDs(ctx, word)
}

// taskIDs gives the tasks of the plan that the word names, else of the one
// that is meant where none is named.
func (a *app) taskIDs(ctx context.Context, word string) []string {
	name, _ := taskName(word)
	stored, _, err := a.loadPlan(ctx, name)
	if err != nil {
		return nil
	}
	prefix := ""
	if name != "" {
		prefix = name + "/"
	}
	var out []string
	for _, t := range stored.Plan.All() {
		out = append(out, describe(prefix+t.ID, t.Title()))
	}
	return out
}

func (a *app) threadIDs(ctx context.Context, _ string) []string {
	d, err := a.drafts(ctx)
	if err != nil {
		return nil
	}
	state, err := d.State()
	if err != nil {
		return nil
	}
	var out []string
	for _, t := range state.Threads {
		out = append(out, describe(t.ID, threadPlan(t)))
	}
	return out
}

func threadPlan(t draft.Thread) string {
	if t.Plan == "" {
		return "a new plan"
	}
	return "plan " + t.Plan
}

// describe puts a description beside a choice, on one line.
func describe(choice, text string) string {
	return cobra.CompletionWithDesc(diag.Printable(choice), diag.Printable(text))
}
