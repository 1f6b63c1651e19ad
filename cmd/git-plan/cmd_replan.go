package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/planner"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

type replanCommand struct {
	name, reason, from, form string
	goal                     string
	discoveries, constraints []string
	force                    bool
}

func newReplan(a *app, cmd *cobra.Command) runner {
	var opts replanCommand
	flags := cmd.Flags()
	flags.StringVar(&opts.reason, "reason", "", "why, as `text`")
	flags.StringVar(&opts.from, "from", "", "the `folder` with the files of the new version, or a file in another form")
	formatFlag(cmd, &opts.form, "f", "form", "the `form` a file is in, found out where it is left out: ")
	goalFlag(cmd, &opts.goal)
	flags.StringArrayVar(&opts.discoveries, "discovery", nil, "what was learned, as `text`; may be given more than once")
	flags.StringArrayVar(&opts.constraints, "constraint", nil, "what must hold from now on, as `text`; may be given more than once")
	flags.BoolVar(&opts.force, "force", false, "replan though no task failed")
	return func(ctx context.Context, args []string) error {
		opts.name = args[0]
		if err := filled(cmd, "from"); err != nil {
			return err
		}
		return a.runReplan(ctx, opts)
	}
}

// replanDocument is the answer of `replan`.
type replanDocument struct {
	Status   string `json:"status"`
	Plan     string `json:"plan"`
	Version  int    `json:"version"`
	Replaces string `json:"replaces"`
	landing
	Changes plan.Changes `json:"changes"`
}

// check refuses what is no request for a replan.
func (opts replanCommand) check() error {
	switch {
	case isBlank(opts.reason):
		return &usageError{"--reason is required"}
	case opts.from == "" && (opts.form != "" || opts.goal != ""):
		return &usageError{"--form and --goal are about a file: name it with --from"}
	}
	texts := slices.Concat([]string{opts.reason}, opts.discoveries, opts.constraints)
	if slices.ContainsFunc(texts, isBlank) {
		return &usageError{"a --discovery or --constraint is empty: write it, or leave it out"}
	}
	return cmp.Or(checkTexts(texts...), asItIs(opts.name))
}

func (a *app) runReplan(ctx context.Context, opts replanCommand) error {
	if err := opts.check(); err != nil {
		return err
	}
	stored, _, err := a.loadPlan(ctx, opts.name)
	if err != nil {
		return err
	}
	agent, err := a.repo.Agent(ctx)
	if err != nil {
		return err
	}
	next := store.ReplanOptions{
		ID: stored.ID, Reason: opts.reason, Discoveries: opts.discoveries, Constraints: opts.constraints, Agent: agent, Force: opts.force,
		Known: stored.Plan,
	}
	if opts.from == "" {
		return (&modelReplan{a, stored.Plan, next}).run(ctx)
	}
	if info, err := os.Stat(a.abs(opts.from)); err == nil && info.IsDir() {
		if opts.form != "" && opts.form != "dir" {
			return &usageError{fmt.Sprintf("%s is a folder, and %s is a file: name one", opts.from, opts.form)}
		}
		if opts.goal != "" {
			return &usageError{"--goal is for a plan without a goal of its own, such as a HopSpec: leave it out"}
		}
		return a.replanFrom(ctx, a.abs(opts.from), next)
	}
	return a.replanForeign(ctx, opts, next)
}

// replanFrom takes the next version from a folder, which may be a draft.
func (a *app) replanFrom(ctx context.Context, dir string, opts store.ReplanOptions) error {
	files, err := a.readPlanFiles(dir)
	if err != nil {
		return err
	}
	opts.Prefix = draft.RelativeTo(a.Dir, dir)
	opts.Files = func(context.Context, *store.Stored, string) ([]plan.File, error) { return files, nil }
	var drafts *draft.Drafts
	if a.repo.WorkTree != "" { // else there are no drafts
		if drafts, err = a.drafts(ctx); err != nil {
			return err
		}
		own, err := drafts.PlanIn(dir)
		if err != nil {
			return err
		}
		if own == opts.ID { // bring in what changed in the store since it was filled
			opts.Known = nil // the draft's base says more
			opts.Files = func(ctx context.Context, now *store.Stored, commit string) ([]plan.File, error) {
				return drafts.UpToDate(ctx, dir, now, commit, files)
			}
		}
	}
	result, err := a.repo.Commit(ctx, a.repo.Replan(opts))
	if err != nil {
		return err
	}
	if drafts != nil {
		if err := drafts.Adopt(ctx, dir, opts.ID, result.Commit, files); err != nil {
			a.warn("the draft was not brought up to date: %v", err)
		}
	}
	a.tellFindings(result.Warnings)
	return a.tellReplan(ctx, result)
}

// replanForeign takes the next version from a file in another form.
func (a *app) replanForeign(ctx context.Context, opts replanCommand, next store.ReplanOptions) error {
	if _, err := os.Stat(a.abs(opts.from)); opts.from != "-" && err != nil {
		return &store.NotFoundError{What: "folder or file", Name: opts.from}
	}
	from, err := a.readForeign(ctx, opts.from, opts.form)
	if err != nil {
		return err
	}
	if err := from.goal(opts.goal); err != nil {
		return err
	}
	from.goalOf(next.Known)
	if err := from.checked(); err != nil {
		return err
	}
	told := false
	next.Prefix = from.name
	next.Files = func(_ context.Context, old *store.Stored, _ string) ([]plan.File, error) {
		return from.files(&a.output, old.Plan, &told), nil
	}
	result, err := a.repo.Commit(ctx, a.repo.Replan(next))
	if err != nil {
		return from.placed(err)
	}
	a.tellFindings(from.place(result.Warnings))
	return a.tellReplan(ctx, result)
}

func (a *app) tellReplan(ctx context.Context, result store.Result) error {
	a.afterChange(ctx, result)
	o := result.Plans[0] // the version rises, so something always changes
	changes := o.After.Changes(o.Before)
	for _, t := range o.Before.All() {
		if c, held := t.Claim(); held && o.After.Task(t.ID) != nil {
			a.warn("%s was in progress (%s), and is to be done again: tell its agent", t.ID, c.Agent)
		}
	}
	return a.reply(replanDocument{"success", o.ID, o.Version, o.Replaces, landed(result), changes}, "[%s %.10s] %s: version %d; added %d, removed %d, changed %d",
		a.repo.Branch(), result.Commit, o.ID, o.Version, len(changes.Added), len(changes.Removed), len(changes.Changed))
}

// noDraftError is returned when none of the model's drafts could be taken, and
// nothing was written.
type noDraftError struct {
	plan string
	why  []string
}

func (e *noDraftError) Error() string {
	return fmt.Sprintf("none of the model's %d drafts could be taken, and plan %s is as it was: write the next version yourself, in the folder that `git plan checkout %s` prints, and give it with --from",
		planner.MaxDrafts, e.plan, e.plan)
}

// Unwrap gives what was wrong with the last draft, as a refusal of the gate.
func (e *noDraftError) Unwrap() error {
	r := &loop.Rejection{}
	for _, line := range e.why {
		r.Faults = append(r.Faults, loop.Fault{Kind: loop.ValidationFailed, Detail: line})
	}
	return r
}

// modelReplan takes the next version of a plan from the model.
type modelReplan struct {
	*app
	now  *plan.Plan
	opts store.ReplanOptions
}

func (c *modelReplan) run(ctx context.Context) error {
	model, ok, err := c.model(ctx)
	if err != nil {
		return err
	}
	if !ok {
		return &usageError{"from what? give --from and a folder, such as that of a thread made by `git plan checkout`, or a file; or let a model draft it: name its command with `git config plan.llm.command`"}
	}
	if err := c.mayReplan(ctx); err != nil {
		return err
	}
	next, err := c.question(ctx)
	if err != nil {
		return err
	}
	out, err := c.draft(ctx, model, next)
	switch {
	case err != nil:
		return err
	case !out.OK && out.Failed != nil:
		return out.Failed
	case !out.OK:
		return &noDraftError{c.now.ID, out.Why}
	}
	if note := noteOf(true, out.Verdict, out.Why, out.Failed); note != "" {
		c.warn("%s", note)
	}
	result, err := c.repo.Commit(ctx, c.repo.Replan(versionOf(c.opts, out.Draft)))
	if err != nil {
		return err
	}
	for _, w := range loop.Tell(result.Plans[0].After, result.Warnings) {
		fmt.Fprintln(c.Stderr, diag.Printable(w))
	}
	return c.tellReplan(ctx, result)
}

// draft runs the rounds of drafts.
func (c *modelReplan) draft(ctx context.Context, model llm.Model, next planner.Next) (planner.Drafted[planner.Version], error) {
	t := &trials{app: c.app, model: model, around: next.Around()}
	d := draftRounds[planner.Version](t, next.Law.Gates)
	d.Read = func(object []byte, _ string) (planner.Version, error) { return planner.ReadNext(object, c.now) }
	d.Question = next.Question
	d.Gate = func(ctx context.Context, v planner.Version) ([]string, bool, error) {
		return t.version(ctx, c.now, c.opts, v)
	}
	return d.Run(ctx)
}

// mayReplan refuses early what no next version could change.
func (c *modelReplan) mayReplan(ctx context.Context) error {
	opts := c.opts
	opts.Files = func(_ context.Context, old *store.Stored, _ string) ([]plan.File, error) {
		return old.Plan.FileList(), nil
	}
	_, err := c.repo.Try(ctx, c.repo.Replan(opts))
	var refused *store.RejectedError
	if errors.As(err, &refused) && !slices.ContainsFunc(refused.Findings, func(d diag.Diagnostic) bool { return d.Rule == "gate-config" }) {
		return nil // the plan as it is need not pass
	}
	return err
}

// question gathers what the model needs to know of a plan.
func (c *modelReplan) question(ctx context.Context) (planner.Next, error) {
	p, opts := c.now, c.opts
	next := planner.Next{
		Goal: strings.Join(append([]string{p.Goal()}, p.Doc.List("goal_detail")...), "\n"), Plan: planner.PlanText(p), Failed: planner.Failures(p),
		Reason: opts.Reason, Constraints: slices.Concat(p.Doc.List("constraints"), opts.Constraints), Discoveries: opts.Discoveries,
	}
	if len(next.Plan) > planner.MaxPlan {
		return next, &store.UnsupportedError{Message: fmt.Sprintf("plan %s is too large to be shown to a model (%d bytes as JSON): replan it with --from", p.ID, len(next.Plan))}
	}
	sources, err := c.sources(ctx)
	if err != nil {
		return next, err
	}
	next.Law.Gate = validate.ParseGate(p.Gates())
	if next.Law.Gates, err = c.gates(ctx); err != nil {
		return next, err
	}
	next.Project = sources.About(p)
	return next, nil
}

// version lets the gate judge a version. One that leaves out what is done is
// refused, too.
func (t *trials) version(ctx context.Context, now *plan.Plan, opts store.ReplanOptions, v planner.Version) ([]string, bool, error) {
	if len(v.Faults) > 0 {
		return v.Faults, false, nil
	}
	made, _ := plan.Read(now.ID, "", v.Files(now))
	found, passes, err := t.gate(ctx, t.app.repo.Replan(versionOf(opts, v)), func(found []diag.Diagnostic) []string {
		return loop.Tell(made, found)
	})
	dropped := planner.Dropped(now, made)
	return append(dropped, found...), passes && len(dropped) == 0, err
}

// versionOf makes a draft the next version.
func versionOf(opts store.ReplanOptions, v planner.Version) store.ReplanOptions {
	opts.Files = func(_ context.Context, old *store.Stored, _ string) ([]plan.File, error) {
		return v.Files(old.Plan), nil
	}
	opts.Told = []string{planner.Reasons("Changes: " + v.Changes), planner.Reasons("Reasoning: " + v.Reasoning)}
	return opts
}
