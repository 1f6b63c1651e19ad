package main

import (
	"context"
	"fmt"
	"path"
	"path/filepath"

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
	targets, err := c.targets(ctx, names)
	if err != nil {
		return err
	}
	todo := map[string][]plan.Shift{}
	renames := []plan.Rename{}
	for _, t := range targets {
		if todo[t.dir] != nil {
			continue // its files were named one by one
		}
		r, err := c.renumbering(ctx, t.dir, len(names) > 0)
		if isNotFound(err) {
			return err
		}
		prefix := draft.RelativeTo(c.Dir, t.dir)
		if err != nil {
			return fmt.Errorf("%s: %w", prefix, err)
		}
		todo[t.dir] = r.Shifts
		for _, name := range r.Renames {
			renames = append(renames, plan.Rename{From: path.Join(prefix, name.From), To: path.Join(prefix, name.To)})
		}
	}
	for dir, shifts := range todo {
		if len(shifts) == 0 || c.check {
			continue
		}
		if err := draft.Renumber(dir, shifts); err != nil {
			return err
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

// basesOf gives the states of a plan that others know: the base of a draft, or
// what is stored.
func (c *fmtCommand) basesOf(ctx context.Context, dir string) ([]*plan.Plan, error) {
	switch {
	case c.repo == nil:
		return nil, nil
	case c.isCheckout(ctx, filepath.Dir(dir)):
		return c.storedBases(ctx, filepath.Base(dir))
	case c.repo.WorkTree == "":
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
