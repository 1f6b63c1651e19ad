package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/graph"
)

type graphCommand struct {
	*app
	format string
}

func newGraph(a *app) *cobra.Command {
	c := &graphCommand{app: a}
	cmd := &cobra.Command{
		Use: "graph [PLAN|DIR] [--format FORM]", Short: "draw which task waits for which",
		Long: `Draw the tasks of a plan, each below all it waits for. A line leaves a task
downwards; a task below that waits for it joins the line at a "+", the last one
at a "'". The tasks of a container, whose name ends in "/", join its line. A task
is a "*", or an "o" where no line leads to it or from it. Lines that others imply
are left out.

The format svg is a picture that any browser shows; mermaid and dot are for
programs that make pictures. In these three a broken line is an order that
depends_on does not name.`,
		Args: cobra.MaximumNArgs(1),
		RunE: runs(c.run),
	}
	a.formats(cmd, &c.format, "ascii", "mermaid", "dot", "svg", "json")
	return cmd
}

func (c *graphCommand) run(ctx context.Context, args []string) error {
	p, err := c.planOrFolder(ctx, firstOr(args, ""))
	if err != nil {
		return err
	}
	switch {
	case c.json:
		return c.print(graph.NewDocument(p))
	case c.format == "mermaid":
		return graph.Mermaid(c.Stdout, p)
	case c.format == "dot":
		return graph.Dot(c.Stdout, p)
	case c.format == "svg":
		_, err := c.Stdout.Write(graph.SVG(p, graph.Options{}))
		return err
	}
	return graph.ASCII(c.Stdout, p, c.newPage())
}
