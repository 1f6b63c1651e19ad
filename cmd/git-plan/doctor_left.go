package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/setup"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// leftovers looks for temporary files that a killed process left.
func (d *doctor) leftovers(ctx context.Context) error {
	var stale []string
	for _, l := range append(d.app.repo.Store.Leftovers(), d.leftoversElsewhere(ctx)...) {
		if maker := l.Maker(); maker != "" {
			d.fault(diag.Warning, "temporary file", "run `git plan doctor` again when that has ended", "%s is in use by %s", l.Path, maker)
			continue
		}
		if d.fix {
			if err := l.Remove(); err != nil {
				d.fault(diag.Error, "temporary file", "rm -r "+quote(l.Path), "%v", err)
				continue
			}
		}
		stale = append(stale, l.Path)
	}
	switch {
	case len(stale) == 0:
	case d.fix:
		d.ok("temporary files", "removed %s: %s", count(len(stale), "file"), words.Few(stale, 10))
	default:
		d.fault(diag.Warning, "temporary files", fixCommand, "%s left behind over an hour ago: %s", count(len(stale), "file"), words.Few(stale, 10))
	}
	return nil
}

// leftoversElsewhere gives those beside drafts, hooks and what setup writes. What
// cannot be looked at is told of by other checks.
func (d *doctor) leftoversElsewhere(ctx context.Context) []gitstore.Leftover {
	var found []gitstore.Leftover
	if in, err := d.app.installer(ctx); err == nil {
		found = append(found, in.Leftovers()...)
	}
	if d.app.repo.WorkTree == "" {
		return found
	}
	if drafts, err := d.app.drafts(ctx); err == nil {
		found = append(found, drafts.Leftovers()...)
	}
	return append(found, d.setupLeftovers(ctx)...)
}

// setupLeftovers gives those of setup. No link leads there out of the project.
func (d *doctor) setupLeftovers(ctx context.Context) []gitstore.Leftover {
	p, err := d.app.project(ctx)
	if err != nil { // the plans are checked out here
		return nil
	}
	root, err := os.OpenRoot(p.Dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	var found []gitstore.Leftover
	for _, name := range setup.Temporary(p) {
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if l, old := gitstore.LeftBehind(filepath.Join(p.Dir, name), info, 0, func() error { return removeIn(p.Dir, name) }); old {
			found = append(found, l)
		}
	}
	return found
}

func removeIn(dir, name string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.Remove(name)
}

// hooks looks for a hook of somebody else that an install which was killed moved
// away: git runs neither that nor ours. And for hooks that were installed and no
// longer work; whether there are to be any is not for it to say.
func (d *doctor) hooks(ctx context.Context) error {
	in, err := d.app.installer(ctx)
	if err != nil {
		return nil // `git plan hooks status` tells why
	}
	found, err := in.CutShort()
	if err != nil {
		return err
	}
	for _, h := range found {
		if !d.fix {
			d.fault(diag.Error, "hook", fixCommand, "%s was moved to %s, and its place is empty: git runs no %s", h.Event, h.Path, h.Event)
		} else if err := in.PutBack(h); err != nil {
			d.fault(diag.Error, "hook", "git plan hooks install --chain", "%s: %v", h.Path, err)
		} else {
			d.ok("hook", "put %s back in its place; `git plan hooks install --chain` lets git plan's run behind it", h.Event)
		}
	}
	if len(found) > 0 {
		return nil
	}
	report, err := in.Status(ctx)
	if err != nil {
		d.fault(diag.Warning, "hook", "git plan hooks status", "%v", err)
		return ctx.Err()
	}
	for _, h := range report.Hooks {
		if !h.Broken() {
			continue
		}
		severity, mend := diag.Warning, "git plan hooks status"
		if h.Event == hooks.PreReceive { // the one that nobody can pass by
			severity = diag.Error
		}
		message, again := strings.CutSuffix(h.Message, ": run `git plan hooks install`")
		if again {
			mend = "git plan hooks install"
		}
		d.fault(severity, "hook", mend, "%s: %s", h.Event, message)
	}
	return nil
}

// forgotten tells of plans in the folder of drafts that are no thread's.
func (d *doctor) forgotten(ctx context.Context, drafts *draft.Drafts) error {
	dirs, err := drafts.Forgotten()
	if err != nil || len(dirs) == 0 {
		return err
	}
	s, err := d.app.repo.Snapshot(ctx)
	for _, dir := range dirs {
		if err == nil {
			err = d.forgottenIn(ctx, s, dir)
		}
	}
	if unreadable(err) {
		return nil // which was told
	}
	return err
}

// forgottenIn tells of one of them: whether it is a stored plan, by its title, and
// holds anything that the store does not.
func (d *doctor) forgottenIn(ctx context.Context, s *store.Snapshot, dir string) error {
	files, err := d.app.readPlanFiles(dir)
	if err != nil {
		return err
	}
	p, _ := plan.Read("draft", "", files)
	id := plan.NewID(p.Title(), "plan", func(string) bool { return false })
	stored, err := s.Find(ctx, id)
	switch {
	case err != nil:
		return err
	case stored == nil:
		d.fault(diag.Warning, "draft", fmt.Sprintf("git plan import -f dir %s --id %s && rm -r %[1]s", quote(dir), id), "%s holds a plan, and is no thread's", dir)
	case maps.EqualFunc(stored.Plan.Files(), p.Files(), bytes.Equal):
		d.fault(diag.Warning, "draft", "rm -r "+quote(dir), "%s holds plan %s as it is stored, and is no thread's", dir, id)
	default:
		d.fault(diag.Warning, "draft", fmt.Sprintf("git plan checkout %s; copy into that folder what is wanted of this one, and remove this one", id),
			"%s holds a plan that is perhaps an edit of %s, and is no thread's", dir, id)
	}
	return nil
}
