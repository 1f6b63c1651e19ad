package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/planner"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

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
	d.Question = func(before *planner.Refused) string { q, _ := next.Question(before); return q }
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
