package main

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// renumberDocument is the answer of `fmt --renumber --json`.
type renumberDocument struct {
	refusal
	Renames []plan.Rename `json:"renames"`
}

// renumberAll looks at every folder before it renames the first file.
func (c *fmtCommand) renumberAll(ctx context.Context, names []string) error {
	folders, err := c.folders(ctx, names)
	if err != nil {
		return err
	}
	todo := map[string][]plan.Shift{}
	renames := []plan.Rename{}
	for _, dir := range folders {
		r, err := c.renumbering(ctx, dir, len(names) > 0)
		if isNotFound(err) {
			return err
		}
		if err != nil {
			return fmt.Errorf("%s: %w", draft.RelativeTo(c.Dir, dir), err)
		}
		todo[dir] = r.Shifts
		prefix := draft.RelativeTo(c.Dir, dir)
		for _, name := range r.Renames {
			renames = append(renames, plan.Rename{From: path.Join(prefix, name.From), To: path.Join(prefix, name.To)})
		}
	}
	if !c.check {
		for _, dir := range folders {
			if err := draft.Renumber(dir, todo[dir]); len(todo[dir]) > 0 && err != nil {
				return err
			}
		}
	}
	return c.tellRenames(renames)
}

func (c *fmtCommand) tellRenames(renames []plan.Rename) error {
	var lines []string
	for _, r := range renames {
		lines = append(lines, diag.Printable(r.From)+" -> "+diag.Printable(r.To))
	}
	outcome := refusal{Status: "success"}
	switch {
	case len(renames) == 0:
		outcome.Status = "unchanged"
	case c.check:
		outcome = refuse("plan_validation_failed", lines, "tasks of one folder have one number: %s to rename; run `git plan fmt --renumber`", count(len(renames), "file"))
	}
	return c.answer(outcome, renumberDocument{outcome, renames}, func() error {
		for _, line := range lines {
			c.say("%s", line)
		}
		return nil
	})
}

// folders gives the plans' folders that are meant: without names all threads and, in
// a worktree of the store, the plans there.
func (c *fmtCommand) folders(ctx context.Context, names []string) ([]string, error) {
	targets, err := c.targets(ctx, names)
	if err != nil {
		return nil, err
	}
	if err := c.openIfThere(ctx); err != nil {
		return nil, err
	}
	var out []string
	for _, t := range targets {
		out = append(out, t.dir)
	}
	if len(names) == 0 && c.isCheckout(ctx, c.repo.WorkTree) {
		plans, err := planFolders(c.repo.WorkTree)
		if err != nil {
			return nil, err
		}
		out = append(out, plans...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// plansIn gives the plans' folders in a checkout of the store, else the folder itself.
func (c *fmtCommand) plansIn(ctx context.Context, dir string) ([]string, error) {
	if err := c.openIfThere(ctx); err != nil || !c.isCheckout(ctx, dir) {
		return []string{dir}, err
	}
	return planFolders(dir)
}

func (c *fmtCommand) isCheckout(ctx context.Context, dir string) bool {
	return c.repo != nil && (&checker{app: c.app}).isCheckout(ctx, dir)
}

// renumbering finds out which files of a plan's folder are to be renamed. In a
// folder that was named there must be a plan.
func (c *fmtCommand) renumbering(ctx context.Context, dir string, named bool) (plan.Renumbering, error) {
	files, err := c.readPlanFiles(dir)
	if err != nil {
		return plan.Renumbering{}, err
	}
	p, _ := plan.Read(filepath.Base(dir), "", files)
	if named && p.Empty() {
		return plan.Renumbering{}, noPlanIn(draft.RelativeTo(c.Dir, dir))
	}
	bases, err := c.basesOf(ctx, dir)
	if err != nil {
		return plan.Renumbering{}, err
	}
	return p.Renumber(bases...)
}

// basesOf gives the states of a plan that others know: the base of a thread, or
// what is stored.
func (c *fmtCommand) basesOf(ctx context.Context, dir string) ([]*plan.Plan, error) {
	if c.repo == nil {
		return nil, nil
	}
	if c.isCheckout(ctx, filepath.Dir(dir)) {
		return c.storedBases(ctx, filepath.Base(dir))
	}
	if c.repo.WorkTree == "" {
		return nil, nil
	}
	d, err := c.drafts(ctx)
	if err != nil {
		return nil, err
	}
	base, err := d.Began(ctx, dir)
	return []*plan.Plan{base}, err
}

func (c *fmtCommand) storedBases(ctx context.Context, id string) ([]*plan.Plan, error) {
	known, err := c.repo.Known(ctx)
	if err != nil {
		return nil, err
	}
	var out []*plan.Plan
	for _, s := range known {
		stored, err := s.Find(ctx, id)
		if err != nil {
			return nil, err
		}
		if stored != nil {
			out = append(out, stored.Plan)
		}
	}
	return out, nil
}
