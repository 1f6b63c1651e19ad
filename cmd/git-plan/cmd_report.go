package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/web"
)

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
changed. The same state of the plans gives the same files.

The folder is new, empty, or was written by this command before, in which case
pages of plans and tasks that are gone are removed. Whatever else is in it is left
alone.`,
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

func (c *reportCommand) run(ctx context.Context) error {
	if c.out == "" {
		return &usageError{"where to? name a folder with -o, such as -o plans-report"}
	}
	s, err := c.look(ctx)
	if err != nil {
		return err
	}
	if !s.Exists() {
		return c.repo.ErrNoStore()
	}
	done, err := c.viewer().Write(ctx, c.abs(c.out), c.makeFolder)
	if err != nil {
		return err
	}
	index := filepath.ToSlash(filepath.Join(c.out, "index.html"))
	if c.json {
		return c.print(reportDocument{"success", filepath.ToSlash(c.out), index, done.Commit, done.Plans, done.Pages, done.Removed})
	}
	c.say("%s", index)
	c.say("%s of %s%s", count(done.Pages, "page"), count(done.Plans, "plan"), removedPages(done))
	return nil
}

func removedPages(w web.Written) string {
	if w.Removed == 0 {
		return ""
	}
	return "; " + count(w.Removed, "file") + " that were out of date removed"
}
