package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/judge"
	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/planner"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/plan"
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

// errNoModel is the error of a command that needs a model.
func errNoModel(what string) error {
	return &usageError{what + " needs a model: name a command that reads a prompt and prints an answer, with `git config plan.llm.command 'claude -p'`, say"}
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
