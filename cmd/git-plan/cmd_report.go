package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"
)

type reportCommand struct {
	*app
	out string
}

func newReport(a *app, cmd *cobra.Command) runner {
	c := &reportCommand{app: a}
	cmd.Flags().StringVarP(&c.out, "output", "o", "", "the `folder` to write to")
	return func(ctx context.Context, _ []string) error { return c.run(ctx) }
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
	c.say("%s", index)
	removed := ""
	if done.Removed > 0 {
		removed = "; " + count(done.Removed, "file") + " that were out of date removed"
	}
	return c.reply(reportDocument{"success", filepath.ToSlash(c.out), index, done.Commit, done.Plans, done.Pages, done.Removed},
		"%s of %s%s", count(done.Pages, "page"), count(done.Plans, "plan"), removed)
}
