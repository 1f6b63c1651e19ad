package main

import "github.com/spf13/cobra"

type reportCommand struct {
	*app
	out string
}

func newReport(a *app) *cobra.Command {
	c := &reportCommand{app: a}
	cmd := &cobra.Command{
		Use: "report -o FOLDER", Short: "write the pages of `git plan web` to a folder",
		Long: `Write the pages that "git plan web" shows as files: the list, every plan with its
tasks, board, graph and history, archived ones too, and what each version
changed. Open index.html, or put the folder on any server, such as the pages of a
forge; the search works there too. The same state of the plans gives the same
files.

The folder is new, empty, or was written by this command before, in which case
pages of plans and tasks that are gone are removed. Whatever else is in it is left
alone.
` + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	cmd.Flags().StringVarP(&c.out, "output", "o", "", "the `folder` to write to")
	return cmd
}

// reportDocument is what report --json prints.
type reportDocument struct {
	Status  string `json:"status"`
	Folder  string `json:"folder"`
	Index   string `json:"index"`
	Commit  string `json:"commit"`
	Plans   int    `json:"plans"`
	Pages   int    `json:"pages"`
	Removed int    `json:"removed"`
}
