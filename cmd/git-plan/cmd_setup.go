package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/setup"
	"github.com/git-plan/git-plan/plan/diag"
)

type setupCommand struct {
	*app
	setup.Setup
	remove bool
}

func newSetup(a *app, cmd *cobra.Command) runner {
	c := &setupCommand{app: a}
	cmd.ValidArgs = setup.Names()
	agents := ""
	for _, agent := range setup.Agents() {
		agents += fmt.Sprintf("  %-8s %s\n", agent.Name, agent.Title)
	}
	cmd.Long = strings.Replace(cmd.Long, "AGENTS\n", agents, 1)
	cmd.Flags().BoolVar(&c.remove, "remove", false, "take it out again")
	cmd.Flags().BoolVar(&c.NoMCP, "no-mcp", false, "leave the server of tools out, and take it out if it is there")
	cmd.Flags().BoolVarP(&c.Dry, "dry-run", "n", false, "change nothing, and say what would be done")
	return c.run
}

// setupDocument is the answer of `setup`.
type setupDocument struct {
	Status string       `json:"status"`
	Files  []setup.File `json:"files"`
}

func (c *setupCommand) run(ctx context.Context, args []string) error {
	if c.remove && c.NoMCP {
		return &usageError{"--remove takes everything out, and so goes without --no-mcp"}
	}
	agent, ok := setup.Find(args[0])
	if !ok {
		return &usageError{fmt.Sprintf("there is no setup for %q; there are %s", args[0], strings.Join(setup.Names(), ", "))}
	}
	var err error
	if c.Project, err = c.project(ctx); err != nil {
		return err
	}
	c.Agent = agent
	do := c.Write
	if c.remove {
		do = c.Remove
	}
	files, err := do()
	if err == nil {
		return c.tell(files)
	}
	before := "; before that "
	for _, f := range slices.DeleteFunc(files, func(f setup.File) bool { return !touched(f) }) {
		err = fmt.Errorf("%w%s%s was %s", err, before, f.Path, f.Action)
		before = ", "
	}
	return err
}

// touched reports whether a file was written or removed.
func touched(f setup.File) bool { return f.Action != setup.Unchanged && f.Action != setup.Left }

func (c *setupCommand) tell(files []setup.File) error {
	for _, f := range files {
		c.say("%-9s  %s", f.Action, f.Path)
		if f.Note != "" {
			c.say("           %s", diag.Printable(f.Note))
		}
		if f.Snippet != "" {
			c.say("           put this in by hand:\n\n%s\n", indent(f.Snippet))
		}
	}
	return c.document(setupDocument{statusOf(slices.ContainsFunc(files, touched)), files})
}
