package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/report"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

type checkOptions struct {
	gate, against, format string
	staged                bool
	targets               []string
	// paths are the arguments after --, which name nothing but paths.
	paths []string
}

func newCheck(a *app, cmd *cobra.Command) runner {
	var opts checkOptions
	cmd.Flags().BoolVar(&opts.staged, "staged", false, "check what is staged")
	cmd.Flags().StringVar(&opts.gate, "gate", "", "the least `gate`, beside the store's and the plan's own: base or strict")
	cmd.Flags().StringVar(&opts.against, "against", "", "look paths up in this `revision` of the code")
	a.formats(cmd, &opts.format, report.Formats()...)
	return func(ctx context.Context, args []string) error {
		opts.targets = args
		if n := cmd.ArgsLenAtDash(); n >= 0 {
			opts.targets, opts.paths = args[:n], args[n:]
		}
		return a.runCheck(ctx, opts)
	}
}

// checker judges one target after the other.
type checker struct {
	app   *app
	store *store.Snapshot
	// policy is what holds everywhere; its gates are those of the store, once
	// they are asked for.
	policy      store.Policy
	policyKnown bool
	world       store.World
	against     bool // paths are looked up in a commit

	// disk and stored are what was found outside of commits.
	disk, stored report.Group
	commits      []report.Group
	// texts are the files that findings are about, by path, if carets are
	// wanted.
	carets bool
	texts  map[string]string
}

func (a *app) runCheck(ctx context.Context, opts checkOptions) error {
	c, err := a.checked(ctx, opts)
	if err != nil {
		return err
	}
	if a.json {
		opts.format = "json"
	}
	return c.answer(opts.format)
}

// checked judges what the options name.
func (a *app) checked(ctx context.Context, opts checkOptions) (*checker, error) {
	switch {
	case opts.gate != "" && opts.gate != "base" && opts.gate != "strict":
		return nil, &usageError{"--gate is base or strict, not " + opts.gate}
	case opts.staged && len(opts.targets)+len(opts.paths) > 0:
		return nil, &usageError{"--staged looks at the index as a whole: leave the arguments out"}
	}
	c, err := a.newChecker(ctx, opts)
	if err != nil {
		return nil, err
	}
	return c, c.look(ctx, opts)
}

// look checks what the options name, one after the other.
func (c *checker) look(ctx context.Context, opts checkOptions) (err error) {
	switch {
	case opts.staged:
		return c.staged(ctx)
	case len(opts.targets)+len(opts.paths) == 0:
		return c.threads(ctx)
	}
	for _, t := range opts.targets {
		if err == nil {
			err = c.target(ctx, t)
		}
	}
	for _, p := range opts.paths {
		if err == nil {
			err = c.path(ctx, p)
		}
	}
	return err
}

func (a *app) newChecker(ctx context.Context, opts checkOptions) (*checker, error) {
	s, err := a.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	c := &checker{
		app: a, store: s, against: opts.against != "", carets: opts.format == "text" && !a.json && a.atTerminal(), texts: map[string]string{},
	}
	c.policy = store.Policy{Gates: validate.DefaultGates(), Floor: validate.ParseGate(opts.gate), Inherit: true}
	c.disk.Base = a.repo.Prefix
	c.world, err = a.repo.Project().World(ctx, opts.against)
	return c, err
}

// storePolicy gives the policy with the store's gates. Errors in them are found once.
func (c *checker) storePolicy(ctx context.Context) (store.Policy, error) {
	if c.policyKnown {
		return c.policy, nil
	}
	gates, found, err := c.store.Gates(ctx)
	if err != nil {
		return c.policy, err
	}
	c.warnOfNewer(gates, "the store")
	c.policy.Gates, c.policyKnown = gates, true
	c.stored.Findings = append(c.stored.Findings, found...)
	return c.policy, nil
}

// policyBy gives the policy with other gates.
func (c *checker) policyBy(gates validate.Gates) store.Policy {
	p := c.policy
	p.Gates = gates
	return p
}

func (c *checker) warnOfNewer(gates validate.Gates, where string) {
	if gates.Newer() {
		c.app.warn("gates.yaml in %s is of a newer format: its rules are not applied", where)
	}
}

func (c *checker) threads(ctx context.Context) error {
	policy, err := c.storePolicy(ctx)
	if err != nil {
		return err
	}
	d, err := c.app.drafts(ctx)
	if err != nil {
		return err
	}
	found, folders, err := d.Check(ctx, c.store, policy, c.world)
	if err != nil {
		return err
	}
	if len(folders) == 0 {
		if inStore, err := c.app.repo.Project().InStore(ctx); err != nil || inStore {
			return errors.Join(err, c.path(ctx, c.app.repo.WorkTree)) // all of it is plans
		}
	}
	c.disk.Plans = append(c.disk.Plans, folders...)
	c.disk.Findings = append(c.disk.Findings, found...)
	c.rememberFiles(found)
	return nil
}

// staged judges the index.
func (c *checker) staged(ctx context.Context) error {
	repo := c.app.repo
	s, err := repo.Index().Staged(ctx)
	if err != nil {
		return err
	}
	policy, world, err := repo.Index().Policy(ctx, s, c.policy.Floor)
	if err != nil {
		return err
	}
	if c.against {
		world.Exists = c.world.Exists
	}
	v, err := repo.Index().Judge(ctx, s, policy, world)
	if err != nil {
		return err
	}
	if s.Candidate != nil {
		c.stored = c.groupOf(ctx, v)
		return nil
	}
	c.disk.Findings = v.Findings
	for _, d := range s.Drafts {
		c.disk.Plans = append(c.disk.Plans, d.Plan.Prefix)
		c.remember(d.Plan, v.Findings)
	}
	return nil
}

// groupOf makes a group of what the gate says of a state of the store.
func (c *checker) groupOf(ctx context.Context, v store.Verdict) report.Group {
	g := report.Group{Commit: v.Commit, Plans: v.IDs(), Findings: v.Findings}
	if c.carets {
		g.Source = func(path string) (string, bool) { return store.TextOf(ctx, c.app.repo, v.Candidate, path) }
	}
	return g
}

// judge judges one plan as a whole.
func (c *checker) judge(ctx context.Context, into *report.Group, s store.Subject, p store.Policy) error {
	found, err := store.Inspect(ctx, s, p, c.world)
	into.Findings = append(into.Findings, found...)
	into.Plans = append(into.Plans, s.Plan.Prefix)
	c.remember(s.Plan, found)
	return err
}

// answer writes the report; an error in it is the answer no.
func (c *checker) answer(format string) error {
	r := c.report()
	if err := report.Write(c.app.Stdout, r, report.Options{Format: format, Carets: c.carets, Palette: c.app.palette(), Columns: c.app.lineColumns(c.app.atTerminal())}); err != nil {
		return err
	}
	if errs, _ := r.Count(); errs > 0 {
		return errNo
	}
	return nil
}

// report is all that was found.
func (c *checker) report() report.Report {
	r := report.Report{Version: release}
	for _, g := range []report.Group{c.disk, c.stored} {
		if len(g.Plans)+len(g.Findings) > 0 {
			diag.Sort(g.Findings)
			if c.carets && g.Source == nil {
				g.Source = func(path string) (string, bool) { text, ok := c.texts[path]; return text, ok }
			}
			r.Groups = append(r.Groups, g)
		}
	}
	r.Groups = append(r.Groups, c.commits...)
	return r
}

// remember keeps the files of a plan that findings are about.
func (c *checker) remember(p *plan.Plan, found []diag.Diagnostic) {
	if !c.carets || len(found) == 0 {
		return
	}
	files := p.Files()
	for _, d := range found {
		if data, ok := files[relativeTo(p.Prefix, d.Path)]; ok {
			c.texts[d.Path] = string(data)
		}
	}
}
