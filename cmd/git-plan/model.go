package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/judge"
	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/planner"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// modelCommand is the setting that names the model's command.
const modelCommand = "plan.llm.command"

// model is the command that the user configured to answer prompts, if there is
// one. Only git's configuration names it: no file of the store or the project can.
func (w *workspace) model(ctx context.Context) (m llm.Model, ok bool, err error) {
	repo, err := w.open(ctx)
	if err != nil {
		return m, false, err
	}
	command, _ := repo.Config.Get(modelCommand)
	if strings.TrimSpace(command) == "" {
		return m, false, nil
	}
	m = llm.Model{Command: command, Timeout: llm.DefaultTimeout, Dir: w.Dir, Env: w.Environ}
	if repo.WorkTree != "" {
		m.Dir = repo.WorkTree
	}
	if value, set := repo.Config.Get("plan.llm.timeout"); set {
		if m.Timeout, err = llm.ParseTimeout(value); err != nil {
			return m, false, &usageError{err.Error()}
		}
	}
	return m, true, nil
}

// sources are the project's files, without the folder of threads.
func (w *workspace) sources(ctx context.Context) (*planner.Sources, error) {
	return planner.Look(ctx, w.repo, planner.Options{LeaveOut: w.draftFolder()})
}

// gates are those of the store, by which drafts are judged.
func (w *workspace) gates(ctx context.Context) (validate.Gates, error) {
	s, err := w.repo.Snapshot(ctx)
	if err != nil {
		return validate.Gates{}, err
	}
	gates, _, err := s.Gates(ctx) // a trial has reported their errors
	return gates, err
}

// opinion asks a model about a plan, which it is shown beside the names of the
// project's files. Where git cannot tell these the model does without.
func (w *workspace) opinion(ctx context.Context, model judge.Asker, p *plan.Plan) (validate.Opinion, error) {
	var around []prompt.Part
	if sources, err := w.sources(ctx); err == nil {
		around = sources.About(p).Around()
	}
	w.progress(fmt.Sprintf("asking the model to judge %s…", p.ID))
	return judge.Ask(ctx, model, p, around...)
}

// draftStart lets the model draft the tasks of a new plan, where one is configured.
// The note is about a draft that could not be taken.
func (c *startCommand) draftStart(ctx context.Context, s *loop.Starter) (note string, err error) {
	model, ok, err := c.model(ctx)
	if err != nil || !ok {
		return "", err
	}
	// A plan that cannot be made is no question for a model.
	if _, err := c.repo.Try(ctx, s.Mutate); err != nil {
		return "", err
	}
	goal, err := c.goalFor(ctx)
	var none *planner.NoFileError
	switch {
	case errors.As(err, &none): // which an agent may be able to read
		return "the model was not asked, since it cannot be shown --spec, so the first task is to make the plan: " + oneLine(none.Error()), nil
	case err != nil:
		return "", err
	}
	out, err := c.draftTasks(ctx, model, goal, s)
	s.Draft = nil
	if err != nil {
		return "", err
	}
	if out.OK {
		s.Draft = &out.Draft
	}
	return noteOf(out.OK, out.Verdict, out.Why, out.Failed), nil
}

// draftTasks runs the rounds of drafts.
func (c *startCommand) draftTasks(ctx context.Context, model llm.Model, goal planner.Goal, s *loop.Starter) (planner.Drafted[loop.Draft], error) {
	_, cuts := goal.Question(nil)
	for _, cut := range cuts {
		c.warn("the model is not shown all: %s", cut)
	}
	t := &trials{app: c.app, model: model, around: goal.Around()}
	d := draftRounds[loop.Draft](t, goal.Law.Gates)
	d.Read = readDraft
	d.Question = func(before *planner.Refused) string { q, _ := goal.Question(before); return q }
	d.Gate = func(ctx context.Context, d loop.Draft) ([]string, bool, error) {
		s.Draft = &d
		return t.gate(ctx, s.Mutate, s.Tell)
	}
	return d.Run(ctx)
}

// draftRounds is what the rounds of drafts of any kind have in common.
func draftRounds[T any](t *trials, gates validate.Gates) planner.Drafting[T] {
	d := planner.Drafting[T]{Ask: t.model.Ask, Progress: t.app.progress, Required: gates.Judge == validate.Required}
	if gates.Judge != validate.LevelOff {
		d.Judge = func(ctx context.Context, _ T) (validate.Opinion, error) { return t.judge(ctx) }
	}
	return d
}

// readDraft reads an answer. The text around it gives the reasons where the answer
// does not.
func readDraft(object []byte, prose string) (loop.Draft, error) {
	d, err := loop.ParseDraft(object)
	var refused *loop.Rejection
	if errors.As(err, &refused) {
		return d, errors.New(strings.Join(bound(refused.Details()), "\n"))
	}
	if strings.TrimSpace(d.Reasoning) == "" {
		d.Reasoning = prose
	}
	d.Reasoning = planner.Reasons(d.Reasoning)
	return d, err
}

// trials are drafts as they would be stored.
type trials struct {
	app   *app
	model llm.Model
	// around is what the judge reads with the plan.
	around []prompt.Part

	last *plan.Plan // the last that passed the gate
}

// gate lets the gate judge what a mutation would store.
func (t *trials) gate(ctx context.Context, mutate store.Mutation, tell func([]diag.Diagnostic) []string) (found []string, passes bool, err error) {
	result, err := t.app.repo.Try(ctx, mutate)
	var rejected *store.RejectedError
	var refused *loop.Rejection
	switch {
	case errors.As(err, &rejected):
		return bound(tell(rejected.Findings)), false, nil
	case errors.As(err, &refused):
		return bound(refused.Details()), false, nil
	case err != nil:
		return nil, false, err
	}
	t.last = result.Plans[0].After
	return bound(tell(result.Warnings)), true, nil
}

// judge asks for the verdict on the last draft, which its commit then carries.
func (t *trials) judge(ctx context.Context) (validate.Opinion, error) {
	opinion, err := judge.Ask(ctx, t.model, t.last, t.around...)
	var failed *llm.Error
	switch {
	case err == nil:
		t.app.repo.Opine(t.last, opinion)
	case errors.As(err, &failed): // so that the commit does not ask once more
		t.app.repo.Opine(t.last, validate.Opinion{Missing: "the judge gave no verdict: " + oneLine(err.Error()), Remedy: "see `git plan judge`"})
	}
	return opinion, err
}

// bound cuts a list of faults to a useful length.
func bound(lines []string) []string {
	const most = 60
	if len(lines) > most {
		return append(lines[:most:most], fmt.Sprintf("and %d more", len(lines)-most))
	}
	return lines
}

// noteOf is what became of the drafts, in one line; "" for a plain success.
func noteOf(taken bool, verdict *validate.Opinion, why []string, failed error) string {
	var out []string
	switch {
	case !taken && failed != nil:
		out = append(out, "the model gave no plan, so the first task is to make it: "+oneLine(failed.Error()))
	case !taken:
		out = append(out, fmt.Sprintf("none of the model's %d drafts could be taken, so the first task is to make the plan: %s", planner.MaxDrafts, few(why)))
	case verdict != nil && !verdict.Approved:
		out = append(out, "the judge did not approve the plan: "+oneLine(verdict.Feedback))
	case verdict == nil && failed != nil:
		out = append(out, "the plan was not judged: "+oneLine(failed.Error()))
		failed = nil
	}
	if taken && failed != nil {
		out = append(out, "the model gave no better draft: "+oneLine(failed.Error()))
	}
	return strings.Join(out, "; ")
}

// few puts the first faults into one line.
func few(lines []string) string {
	const most = 3
	rest := ""
	if len(lines) > most {
		rest = fmt.Sprintf(" … and %d more", len(lines)-most)
		lines = lines[:most]
	}
	return oneLine(strings.Join(lines, " ")) + rest
}

// oneLine makes one short line of what a model or its command printed, without a
// full stop.
func oneLine(text string) string {
	return strings.TrimRight(diag.OneLine(diag.Printable(strings.ReplaceAll(text, "\n", " ")), 500), ".")
}

// goalFor gathers what the model needs to know of a goal. A specification that
// cannot be shown is a *[planner.NoFileError].
func (c *startCommand) goalFor(ctx context.Context) (planner.Goal, error) {
	goal := c.goal
	out := planner.Goal{Text: goal.Text, Constraints: goal.Constraints, Memories: goal.Memories, Spec: goal.Spec}
	sources, err := c.sources(ctx)
	if err != nil {
		return out, err
	}
	out.Law.Gate = validate.Strict
	if out.Law.Gates, err = c.gates(ctx); err != nil {
		return out, err
	}
	if goal.Spec != "" {
		if out.SpecText, err = sources.Text(ctx, goal.Spec); err != nil {
			return out, err
		}
	}
	var notes []string
	out.Project, notes, err = sources.Project(ctx, goal.Code)
	for _, n := range notes {
		c.warn("the model is not shown all of --code: %s", n)
	}
	return out, err
}
