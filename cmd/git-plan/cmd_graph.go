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

func newGraph(a *app, cmd *cobra.Command) runner {
	c := &graphCommand{app: a}
	a.formats(cmd, &c.format, "ascii", "mermaid", "dot", "svg", "json")
	return c.run
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
