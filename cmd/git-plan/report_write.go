//go:build !lean

package main

import (
	"context"
	"path/filepath"

	"github.com/git-plan/git-plan/internal/web"
)

func (a *app) runReport(ctx context.Context, out string) error {
	if out == "" {
		return &usageError{"where to? name a folder with -o, such as -o plans-report"}
	}
	s, err := a.snapshot(ctx)
	if err != nil {
		return err
	}
	a.warnOfGates(ctx, s)
	if !s.Exists() {
		return a.repo.ErrNoStore()
	}
	done, err := a.viewer().Write(ctx, a.abs(out), a.makeFolder)
	if err != nil {
		return err
	}
	index := filepath.ToSlash(filepath.Join(out, "index.html"))
	if a.json {
		return a.print(reportDocument{"success", filepath.ToSlash(out), index, done.Commit, done.Plans, done.Pages, done.Removed})
	}
	a.say("%s", index)
	a.say("%s of %s%s", count(done.Pages, "page"), count(done.Plans, "plan"), removedPages(done))
	return nil
}

func removedPages(w web.Written) string {
	if w.Removed == 0 {
		return ""
	}
	return "; " + count(w.Removed, "file") + " that were out of date removed"
}
