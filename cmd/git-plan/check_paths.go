package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// path checks a plan's folder, one file of it within its plan, a gates.yaml, or
// a checkout of the store.
func (c *checker) path(ctx context.Context, name string) error {
	full := c.app.abs(name)
	info, err := os.Stat(full)
	switch {
	case err != nil:
		return &store.NotFoundError{What: "path", Name: name}
	case info.IsDir() && c.isCheckout(ctx, full):
		return c.checkout(ctx, full)
	case info.IsDir():
		return c.folder(ctx, full)
	case filepath.Base(full) == store.GatesFile:
		_, err := c.gatesFile(full)
		return err
	}
	before := len(c.disk.Findings)
	if err := c.folder(ctx, planFolder(full)); err != nil {
		return err
	}
	keep(&c.disk, before, draft.RelativeTo(c.app.Dir, full))
	return nil
}

// folder checks a plan's folder by the store's gate.
func (c *checker) folder(ctx context.Context, dir string) error {
	policy, err := c.storePolicy(ctx)
	if err != nil {
		return err
	}
	id := filepath.Base(dir)
	if policy.Gates.Asks(validate.RuleOverlap) && c.app.repo.WorkTree != "" {
		d, err := c.app.drafts(ctx)
		if err != nil {
			return err
		}
		own, err := d.PlanIn(dir)
		if err != nil {
			return err
		}
		if own != "" {
			id = own // its stored version is no other plan
		}
	}
	in, err := c.read(ctx, dir, id)
	if err != nil {
		return err
	}
	if in.Others, err = c.store.Others(ctx, policy.Gates, in.Plan); err != nil {
		return err
	}
	return c.judge(ctx, &c.disk, in, policy)
}

func (c *checker) read(ctx context.Context, dir, id string) (in store.Subject, err error) {
	files, err := c.app.readPlanFiles(dir)
	if err != nil {
		return in, err
	}
	in.Plan, in.Found = plan.Read(id, draft.RelativeTo(c.app.Dir, dir), files)
	tracked := sync.OnceValue(func() []string { return c.tracked(ctx, dir) })
	in.OnRef = func(name string) bool { return slices.Contains(tracked(), relativeTo(in.Plan.Prefix, name)) }
	return in, nil
}

// tracked gives the files of a plan's folder that git tracks in a checkout of the
// store; none of a folder that is elsewhere.
func (c *checker) tracked(ctx context.Context, dir string) []string {
	g := c.app.repo.Git.Elsewhere(dir)
	top, err := g.ReadLine(ctx, "rev-parse", "--show-toplevel")
	if err != nil || !c.isCheckout(ctx, top) {
		return nil
	}
	out, err := g.Read(ctx, "ls-files", "-z")
	if err != nil {
		return nil
	}
	return strings.Split(string(out), "\x00")
}

// isCheckout reports whether a folder holds the store's files: it is no plan,
// and there is a gates.yaml, or git has a branch of plans checked out there.
func (c *checker) isCheckout(ctx context.Context, dir string) bool {
	if exists(filepath.Join(dir, "plan.md")) {
		return false
	}
	if exists(filepath.Join(dir, store.GatesFile)) {
		return true
	}
	if !exists(filepath.Join(dir, ".git")) {
		return false
	}
	branch, err := c.app.repo.Git.Elsewhere(dir).ReadLine(ctx, "symbolic-ref", "--quiet", "HEAD")
	return err == nil && c.app.repo.Governs(branch)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// checkout checks the plans in a checkout of the store by the gate that lies
// beside them. What is no plan and not tracked by git is no business of ours.
func (c *checker) checkout(ctx context.Context, dir string) error {
	gates := validate.DefaultGates()
	if file := filepath.Join(dir, store.GatesFile); exists(file) {
		var err error
		if gates, err = c.gatesFile(file); err != nil {
			return err
		}
	}
	folders, err := planFolders(dir)
	if err != nil {
		return err
	}
	var all []store.Subject
	var plans []*plan.Plan
	for _, sub := range folders {
		in, err := c.read(ctx, sub, filepath.Base(sub))
		if err != nil {
			return err
		}
		all, plans = append(all, in), append(plans, in.Plan)
	}
	nothing, err := c.app.repo.At(ctx, "")
	if err != nil {
		return err
	}
	others, err := nothing.Others(ctx, gates, plans...)
	if err != nil {
		return err
	}
	for _, in := range all {
		in.Others = others
		if err := c.judge(ctx, &c.disk, in, c.policyBy(gates)); err != nil {
			return err
		}
	}
	return nil
}

// planFolders gives the folders of plans in a checkout of the store.
func planFolders(checkout string) ([]string, error) {
	entries, err := os.ReadDir(checkout)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		sub := filepath.Join(checkout, e.Name())
		if e.IsDir() && plan.IsKebab(e.Name()) && e.Name() != store.Archive && (exists(filepath.Join(sub, "plan.md")) || exists(filepath.Join(sub, "tasks"))) {
			out = append(out, sub)
		}
	}
	return out, nil
}

// gatesFile checks a gates.yaml in the file system.
func (c *checker) gatesFile(file string) (validate.Gates, error) {
	name := draft.RelativeTo(c.app.Dir, file)
	info, err := os.Lstat(file)
	if err != nil {
		return validate.Gates{}, err
	}
	if !info.Mode().IsRegular() {
		c.disk.Findings = append(c.disk.Findings, diag.Diagnostic{
			Path: name, Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: validate.RuleGateConfig, Message: "it is no regular file",
		})
		return validate.DefaultGates(), nil
	}
	data := make([]byte, plan.MaxFile+1) // over the limit, which is all there is to say
	if info.Size() <= plan.MaxFile {
		if data, err = os.ReadFile(file); err != nil {
			return validate.Gates{}, err
		}
	}
	gates, found := validate.ParseGates(name, data)
	c.warnOfNewer(gates, filepath.Dir(name))
	c.disk.Findings = append(c.disk.Findings, found...)
	c.rememberFiles(found)
	return gates, nil
}

// planFolder gives the plan's folder that a plan file is in: its own for
// plan.md, else the nearest above that has a plan.md.
func planFolder(file string) string {
	dir := filepath.Dir(file)
	if filepath.Base(file) == "plan.md" {
		return dir
	}
	for up := dir; up != filepath.Dir(up); up = filepath.Dir(up) {
		if exists(filepath.Join(up, "plan.md")) {
			return up
		}
	}
	return dir
}
