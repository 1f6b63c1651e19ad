package main

import (
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

// The sets of tools that `mcp` offers.
const (
	toolsPlanning = "planning"
	toolsLoop     = "loop"
)

type mcpCommand struct {
	*app
	// naming guards the named plan, which a merge may rename.
	naming   sync.Mutex
	tools    []string
	strategy string
	persist  bool
}

func newMCP(a *app) *cobra.Command {
	c := &mcpCommand{app: a}
	cmd := &cobra.Command{
		Use: "mcp [--tools LIST] [--strategy S] [--persist]", Short: "serve plans to an agent over MCP",
		Long: `Serve an agent by the Model Context Protocol on standard input and output, until
it leaves. An agent starts this by itself, in the project's folder.

The planning tools (planning_*) keep one short plan in memory, which dies with
the session; with --persist it is the current plan of the store, and is there
again after a restart. The tools of the loop (plan_*) are commands, and answer
with the documents that these print with --json. Stored plans are resources,
plan://<id>, and the prompts of ` + "`git plan prompt`" + ` are prompts.

Outside a repository the planning tools work in memory. It ends with 0 when the
agent leaves or a signal stops it, and with 1 where a line is too long to read.
` + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&c.tools, "tools", []string{toolsPlanning, toolsLoop}, "the `sets` of tools to offer")
	flags.StringVar(&c.strategy, "strategy", "", "the `strategy` of the planning tools: "+strings.Join(strategyNames(), ", ")+" (default: plan.strategy, else react)")
	flags.BoolVar(&c.persist, "persist", false, "keep the plan of the planning tools in the store")
	return cmd
}
