package main

import "github.com/spf13/cobra"

type webCommand struct {
	*app
	port   int
	browse bool
}

func newWeb(a *app) *cobra.Command {
	c := &webCommand{app: a}
	cmd := &cobra.Command{
		Use: "web [--port NUMBER] [--open]", Short: "show the plans in a browser",
		Long: `Show the plans in a browser on this machine: the list with a search, each plan
with its tasks, board, graph and history, what changed between two versions, and
every task. The pages follow the branch as it moves. They only show; nothing is
written. Stop it with Ctrl-C.

The address that is printed has a secret part, new each time, as the loopback
address is open to all users of a machine: who does not know it sees nothing.
With --open it is opened in the browser that git is configured to use, see
git-web--browse(1), by an address that leads there once: all users of a machine
see what programs are started with.
` + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	cmd.Flags().IntVar(&c.port, "port", 0, "listen on this port `number` (default: one that is free)")
	cmd.Flags().BoolVar(&c.browse, "open", false, "open the address in git's browser")
	return cmd
}

// webDocument is what `web --json` prints before it begins to answer.
type webDocument struct {
	Status  string `json:"status"`
	Address string `json:"address"`
}
