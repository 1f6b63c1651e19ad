package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan/diag"
)

func newHooksInstall(a *app, cmd *cobra.Command) runner {
	var chain bool
	cmd.Flags().BoolVar(&chain, "chain", false, "move hooks that are in the way beside, and run them first")
	return a.onHooks(func(ctx context.Context, in *hooks.Installer) (hooks.Report, refusal, error) {
		report, err := in.Install(ctx, hooks.InstallOptions{Chain: chain})
		return report, changeOf(report), err
	})
}

func newHooksUninstall(a *app, _ *cobra.Command) runner {
	return a.onHooks(func(ctx context.Context, in *hooks.Installer) (hooks.Report, refusal, error) {
		report, err := in.Uninstall(ctx)
		return report, unlessIdle(report, changeOf(report), "conflict", "%s left for you to look at"), err
	})
}

func newHooksStatus(a *app, _ *cobra.Command) runner {
	return a.onHooks(func(ctx context.Context, in *hooks.Installer) (hooks.Report, refusal, error) {
		report, err := in.Status(ctx)
		return report, unlessIdle(report, refusal{Status: "success"}, "rejected", "%s would not run"), err
	})
}

// hooksDocument is the answer of `hooks install`, `uninstall` and `status`. One
// that says no is also an error like any other.
type hooksDocument struct {
	refusal
	Hooks []hooks.Hook `json:"hooks"`
}

func (a *app) installer(ctx context.Context) (*hooks.Installer, error) {
	repo, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	return hooks.NewInstaller(ctx, repo.Repo, a.program())
}

// onHooks does something with the hooks and prints what came of it.
func (a *app) onHooks(do func(context.Context, *hooks.Installer) (hooks.Report, refusal, error)) runner {
	return func(ctx context.Context, _ []string) error {
		in, err := a.installer(ctx)
		if err != nil {
			return err
		}
		report, outcome, err := do(ctx, in)
		if err != nil {
			return err
		}
		return a.tellHooks(report, outcome)
	}
}

// unlessIdle is an outcome, or the refusal that names the hooks that do not run.
func unlessIdle(report hooks.Report, outcome refusal, kind, text string) refusal {
	idle := report.Idle()
	if len(idle) == 0 {
		return outcome
	}
	lines := namesOf(idle, func(h hooks.Hook) string { return fmt.Sprintf("%s: %s: %s", h.Event, h.State, h.Message) })
	return refuse(kind, lines, text, count(len(idle), "hook"))
}

// changeOf says in a word whether anything was done.
func changeOf(report hooks.Report) refusal { return refusal{Status: statusOf(report.Changed())} }

// tellHooks prints a report, a line an event, and then what is to be added
// where.
func (a *app) tellHooks(report hooks.Report, outcome refusal) error {
	return a.answer(outcome, hooksDocument{outcome, append([]hooks.Hook{}, report.Hooks...)}, func() error {
		for _, h := range report.Hooks {
			line := fmt.Sprintf("%-21s  %-14s  %s", h.Event, strings.ReplaceAll(string(h.State), "-", " "), draft.RelativeTo(a.Dir, h.Path))
			if h.Message != "" {
				line += ": " + h.Message
			}
			a.say("%s", diag.Printable(line))
		}
		last := ""
		for _, h := range report.Hooks {
			if h.Snippet != "" && h.Path != last {
				last = h.Path
				a.say("\nAdd to %s:\n", diag.Printable(draft.RelativeTo(a.Dir, h.Path)))
			}
			if h.Snippet != "" {
				a.say("%s", strings.TrimSuffix(h.Snippet, "\n"))
			}
		}
		return nil
	})
}

// program is the path by which hooks find this program: the name that PATH
// has for it, which an upgrade keeps, else where it lies.
func (a *app) program() string {
	self, err := os.Stat(a.Program)
	name := "git-plan"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(a.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		if info, statErr := os.Stat(path); filepath.IsAbs(dir) && err == nil && statErr == nil && os.SameFile(info, self) {
			return path
		}
	}
	return a.Program
}

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
		Repo: repo, Event: event, Args: args, Stdin: a.Stdin, Agent: repo.Agent, Plan: a.planAtHand,
		Say: func(format string, args ...any) { fmt.Fprintf(a.Stderr, "git plan: "+format+"\n", args...) },
	}
	_, err = unlessOver(ctx, func() (struct{}, error) { return struct{}{}, run.Do(ctx) }) // it may wait for what git tells
	return err
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
