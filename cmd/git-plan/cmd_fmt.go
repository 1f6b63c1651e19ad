package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

type fmtCommand struct {
	*app
	check, renumber bool

	changed    []string
	todo       []formatted
	unreadable []diag.Diagnostic
}

func newFmt(a *app, cmd *cobra.Command) runner {
	c := &fmtCommand{app: a}
	cmd.Flags().BoolVar(&c.check, "check", false, "write nothing, list files that would change")
	cmd.Flags().BoolVar(&c.renumber, "renumber", false, "rename task files of one folder that have one number")
	return c.run
}

// fmtDocument is the answer of `fmt --json`.
type fmtDocument struct {
	refusal
	Files    []string       `json:"files"`
	Findings []diag.Finding `json:"findings"`
}

func (c *fmtCommand) run(ctx context.Context, names []string) error {
	if c.renumber {
		return c.renumberAll(ctx, names)
	}
	folders, err := c.targets(ctx, names)
	if err != nil {
		return err
	}
	for _, t := range folders {
		if err := c.target(t); err != nil {
			return err
		}
	}
	for _, file := range c.todo { // once everything named was found
		if err := c.writeOne(file); err != nil {
			return err
		}
	}
	diag.Sort(c.unreadable)
	outcome := c.outcome()
	return c.answer(outcome, fmtDocument{outcome, append([]string{}, c.changed...), diag.Findings(c.unreadable)}, func() error {
		for _, name := range c.changed {
			c.say("%s", diag.Printable(name))
		}
		return c.tellFindings(c.unreadable)
	})
}

// outcome is the status, with the reason of a refusal.
func (c *fmtCommand) outcome() refusal {
	switch {
	case len(c.unreadable) > 0:
		return refuse("plan_validation_failed", diag.Lines(c.unreadable), "%s cannot be put into canonical form", count(len(c.unreadable), "place"))
	case len(c.changed) == 0:
		return refusal{Status: "unchanged"}
	case c.check:
		return refuse("plan_validation_failed", c.changed, "not in canonical form: %s; run `git plan fmt`", count(len(c.changed), "file"))
	}
	return refusal{Status: "success"}
}

// fmtTarget is a plan's folder, or one file of it. A draft's may be empty.
type fmtTarget struct {
	dir, only string
	draft     bool
}

// targets are what the names mean; without any all drafts and, in a checkout of the
// plans branch, the plans there.
func (c *fmtCommand) targets(ctx context.Context, names []string) (out []fmtTarget, err error) {
	if err := c.openIfThere(ctx); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		d, state, err := c.threads(ctx)
		if err != nil {
			return nil, err
		}
		for _, t := range state.Drafts {
			if err := d.Reach(t.Dir); err != nil {
				return nil, err
			}
			out = append(out, fmtTarget{dir: t.Dir, draft: true})
		}
		if c.isCheckout(ctx, c.repo.WorkTree) {
			names = []string{c.repo.WorkTree}
		}
	}
	for _, name := range names {
		found, err := c.named(ctx, name)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// named finds what a name means: a file, a folder, the plans in a checkout, a draft.
func (c *fmtCommand) named(ctx context.Context, name string) ([]fmtTarget, error) {
	full := c.abs(name)
	info, err := os.Stat(full)
	switch {
	case err != nil:
		dir, err := c.draftNamed(ctx, name)
		return []fmtTarget{{dir: dir, draft: true}}, err
	case !info.IsDir():
		return []fmtTarget{{dir: planFolder(full), only: full}}, nil
	case !c.isCheckout(ctx, full):
		return []fmtTarget{{dir: full}}, nil
	}
	folders, err := planFolders(full)
	return namesOf(folders, func(dir string) fmtTarget { return fmtTarget{dir: dir} }), err
}

// draftNamed finds what is no path among the drafts.
func (c *fmtCommand) draftNamed(ctx context.Context, id string) (string, error) {
	d, err := c.drafts(ctx)
	if err == nil {
		t, found := findThread(ctx, d, id)
		if found == nil {
			return t.Dir, d.Reach(t.Dir)
		}
		if !isNotFound(found) {
			return "", found
		}
	}
	return "", &store.NotFoundError{What: "path", Name: id}
}

func (c *fmtCommand) isCheckout(ctx context.Context, dir string) bool {
	return c.repo != nil && (&checker{app: c.app}).isCheckout(ctx, dir)
}

// formatted is a file of a folder, as it was read and in canonical form.
type formatted struct{ dir, name, was, text string }

// target formats what is named. It must be of a plan: a check of the wrong folder
// must not pass.
func (c *fmtCommand) target(t fmtTarget) error {
	found, err := c.folder(t.dir, t.only)
	if err != nil || found || t.draft {
		return err
	}
	name := draft.RelativeTo(c.Dir, cmp.Or(t.only, t.dir))
	if t.only != "" {
		return &store.NotFoundError{What: "file of a plan", Name: name, Hint: "only plan.md and the files of tasks and signals are formatted"}
	}
	return noPlanIn(name)
}

// folder collects the files of a plan to be formatted, or the only one that is
// meant, and reports whether there is any.
func (c *fmtCommand) folder(dir, only string) (found bool, err error) {
	files, err := c.readPlanFiles(dir)
	if err != nil {
		return false, err
	}
	raw := map[string]string{}
	for _, file := range files {
		raw[file.Path] = string(file.Data)
	}
	prefix := draft.RelativeTo(c.Dir, dir)
	p, faults := plan.Read(filepath.Base(dir), prefix, files)
	for _, doc := range p.Documents() {
		full := filepath.Join(dir, filepath.FromSlash(doc.Path))
		if only != "" && full != only {
			continue
		}
		found = true
		canonical, ok := doc.Format()
		if !ok {
			c.unreadable = append(c.unreadable, about(faults, draft.RelativeTo(c.Dir, full))...)
			continue
		}
		if canonical.Source != raw[doc.Path] {
			c.changed = append(c.changed, draft.RelativeTo(c.Dir, full))
			if !c.check {
				c.todo = append(c.todo, formatted{dir, doc.Path, raw[doc.Path], canonical.Source})
			}
		}
	}
	return found, nil
}

// writeOne writes a file of a folder, unless it was changed since it was read.
func (c *fmtCommand) writeOne(file formatted) error {
	folder, err := c.openFolder(file.dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	if now, err := folder.ReadFile(file.name); err != nil || string(now) != file.was {
		return fmt.Errorf("%s was changed meanwhile, and is left: run `git plan fmt` again", filepath.Join(file.dir, file.name))
	}
	return draft.WriteFile(folder, file.name, file.text)
}

// about picks the findings of a file, as errors: the reasons why it was left. A
// file without any would lose something.
func about(found []diag.Diagnostic, file string) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, d := range found {
		if d.Path == file {
			d.Severity = diag.Error
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		out = append(out, diag.Diagnostic{
			Path: file, Pos: diag.Pos{Line: 2, Column: 1}, Severity: diag.Error, Rule: plan.RuleFrontmatter,
			Message: "this cannot be put into canonical form without loss", Hint: "give each field a line of its own",
		})
	}
	return out
}

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
	checkout := c.isCheckout(ctx, filepath.Dir(dir))
	if c.repo == nil || !checkout && c.repo.WorkTree == "" {
		return nil, nil
	}
	if checkout {
		return c.storedBases(ctx, filepath.Base(dir))
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
