//go:build !lean

package main

import (
	"context"
	"path/filepath"

	"github.com/git-plan/git-plan/internal/web"
)

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
