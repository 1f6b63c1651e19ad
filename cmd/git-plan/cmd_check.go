package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

type checkOptions struct {
	gate, against, format string
	targets               []string
	// paths are the arguments after --, which name nothing but paths.
	paths []string
}

func newCheck(a *app) *cobra.Command {
	var opts checkOptions
	cmd := &cobra.Command{
		Use: "check [PATH|REV|PLAN]… [--gate GATE] [--against REV]", Short: "validate plans and report every error at once", GroupID: groupEveryday,
		Long: `Validate the plans of all threads, or of the folders, stored plans or store
revisions named. A path begins with "/" or "." or ends in ".md"; after "--"
everything is a path.

Paths that a plan names are looked up in the working tree, or with --against
in a commit.
` + exitHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.targets = args
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				opts.targets, opts.paths = args[:n], args[n:]
			}
			return a.runCheck(cmd.Context(), opts)
		},
	}
	cmd.Flags().StringVar(&opts.gate, "gate", "", "the least `gate`, beside the store's and the plan's own: base or strict")
	cmd.Flags().StringVar(&opts.against, "against", "", "look paths up in this `revision` of the code")
	a.formats(cmd, &opts.format, "text", "json")
	return cmd
}

// checkDocument is the answer of `check`.
type checkDocument struct {
	Status   string         `json:"status"`
	Errors   int            `json:"errors"`
	Warnings int            `json:"warnings"`
	Plans    int            `json:"plans"`
	Findings []diag.Finding `json:"findings"`
}

// checker judges one target after the other under the same gate and world.
type checker struct {
	app    *app
	store  *planrepo.Snapshot
	gates  validate.Gates
	gate   validate.Gate
	exists func(string) validate.Existence

	found []diag.Diagnostic
	plans int
}

func (a *app) runCheck(ctx context.Context, opts checkOptions) error {
	if opts.gate != "" && opts.gate != "base" && opts.gate != "strict" {
		return &usageError{"--gate is base or strict, not " + opts.gate}
	}
	c, err := a.newChecker(ctx, opts)
	if err != nil {
		return err
	}
	if err := c.all(ctx, opts); err != nil {
		return err
	}
	diag.Sort(c.found)
	return a.answer(c)
}

func (a *app) newChecker(ctx context.Context, opts checkOptions) (*checker, error) {
	s, err := a.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	c := &checker{app: a, store: s, gate: validate.ParseGate(opts.gate)}
	var found []diag.Diagnostic
	if c.gates, found, err = s.Gates(ctx); err != nil {
		return nil, err
	}
	c.found = append(c.found, found...)
	if c.gates.Newer() {
		a.warn("gates.yaml in the store is of a newer format: its rules are not applied")
	}
	c.exists, err = a.repo.World(ctx, opts.against)
	return c, err
}

func (c *checker) all(ctx context.Context, opts checkOptions) error {
	if len(opts.targets)+len(opts.paths) == 0 {
		return c.threads(ctx)
	}
	for _, t := range opts.targets {
		if err := c.target(ctx, t); err != nil {
			return err
		}
	}
	for _, p := range opts.paths {
		if err := c.path(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) threads(ctx context.Context) error {
	d, err := c.app.drafts(ctx)
	if err != nil {
		return err
	}
	found, plans, err := d.Check(ctx, c.store, planrepo.Law{Gates: c.gates, Floor: c.gate, Exists: c.exists})
	c.found, c.plans = append(c.found, found...), c.plans+plans
	return err
}

func looksLikePath(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".md") || filepath.IsAbs(s)
}

// target is a path if it looks like one, else a plan, else a revision of the
// store.
func (c *checker) target(ctx context.Context, name string) error {
	if name == "" {
		return &usageError{"an empty argument names nothing to check"}
	}
	if looksLikePath(name) {
		return c.path(ctx, name)
	}
	if address, ok := planrepo.ParseAddress(name); ok {
		at, err := c.store.Resolve(ctx, address)
		if err == nil {
			return c.stored(ctx, at, address.Plan)
		}
		if !isNotFound(err) || address.Rev != "" || address.Version > 0 {
			return err
		}
	}
	commit, err := c.app.repo.Store.Resolve(ctx, name)
	if err != nil {
		if _, statErr := os.Stat(c.app.abs(name)); statErr == nil {
			return c.path(ctx, name)
		}
		return &planrepo.NotFoundError{What: "plan, revision or path", Name: name}
	}
	at, err := c.app.repo.At(ctx, commit)
	if err != nil {
		return err
	}
	c.found = append(c.found, at.Strays()...)
	for _, id := range at.IDs() {
		if err := c.stored(ctx, at, id); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) stored(ctx context.Context, at *planrepo.Snapshot, id string) error {
	p, err := at.Load(ctx, id)
	if err != nil {
		return err
	}
	c.judge(validate.Input{Plan: p.Plan, Found: p.Found, Stored: true})
	return nil
}

func (c *checker) judge(in validate.Input) {
	in.Exists = c.exists
	c.found = append(c.found, validate.Run(in, c.gates, c.gate)...)
	c.plans++
}

// path checks a plan's folder, or one file of it within its plan.
func (c *checker) path(_ context.Context, name string) error {
	full := c.app.abs(name)
	info, err := os.Stat(full)
	if err != nil {
		return &planrepo.NotFoundError{What: "path", Name: name}
	}
	dir, only := full, ""
	if !info.IsDir() {
		dir = planFolder(full)
		only = draft.RelativeTo(c.app.Dir, full)
	}
	files, err := draft.ReadFolder(dir, c.app.repo.FileMode)
	if err != nil {
		return err
	}
	p, found := plan.Read(filepath.Base(dir), draft.RelativeTo(c.app.Dir, dir), files)
	before := len(c.found)
	c.judge(validate.Input{Plan: p, Found: found})
	if only != "" {
		c.keep(before, only)
	}
	return nil
}

// keep drops the findings from index on that are not about the file.
func (c *checker) keep(from int, file string) {
	kept := c.found[:from:from]
	for _, d := range c.found[from:] {
		if d.Path == file {
			kept = append(kept, d)
		}
	}
	c.found = kept
}

// planFolder gives the plan's folder that a plan file is in: its own for
// plan.md, else the nearest above that has a plan.md.
func planFolder(file string) string {
	dir := filepath.Dir(file)
	if filepath.Base(file) == "plan.md" {
		return dir
	}
	for up := dir; up != filepath.Dir(up); up = filepath.Dir(up) {
		if _, err := os.Lstat(filepath.Join(up, "plan.md")); err == nil {
			return up
		}
	}
	return dir
}

func (a *app) answer(c *checker) error {
	errors, warnings := diag.Count(c.found)
	if a.json {
		doc := checkDocument{"ok", errors, warnings, c.plans, diag.Findings(c.found)}
		if errors > 0 {
			doc.Status = "error"
		}
		if err := a.print(doc); err != nil {
			return err
		}
	} else {
		diag.WriteText(a.Stdout, c.found)
		a.say("%s, %s in %s", count(errors, "error"), count(warnings, "warning"), count(c.plans, "plan"))
	}
	if errors > 0 {
		return errNo
	}
	return nil
}
