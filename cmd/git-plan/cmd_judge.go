package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

func newJudge(a *app, cmd *cobra.Command) runner {
	return a.runJudge
}

// judgeDocument is the verdict of a judge.
type judgeDocument struct {
	Approved bool   `json:"is_approved"`
	Feedback string `json:"feedback"`
}

func (a *app) runJudge(ctx context.Context, args []string) error {
	model, ok, err := a.model(ctx)
	if err != nil {
		return err
	}
	if !ok {
		return &usageError{"git plan judge needs a model: name a command that reads a prompt and prints an answer, with `git config plan.llm.command 'claude -p'`, say"}
	}
	p, found, err := a.toJudge(ctx, firstOr(args, ""))
	if err != nil {
		return err
	}
	refused := slices.DeleteFunc(store.Faults(p, found, false), func(d diag.Diagnostic) bool {
		r, _ := validate.Find(d.Rule)
		return !r.Fixed() // what a gate forgives a model may still be shown
	})
	if len(refused) > 0 {
		return &store.RejectedError{Findings: refused}
	}
	opinion, err := a.opinion(ctx, model, p)
	if err != nil {
		return err
	}
	verdict := "not approved"
	if opinion.Approved {
		verdict = "approved"
	}
	err = a.reply(judgeDocument{opinion.Approved, opinion.Feedback}, "%s: %s\n\n%s", p.ID, verdict, diag.PrintableText(opinion.Feedback))
	if err == nil && !opinion.Approved {
		return errNo
	}
	return err
}

// toJudge reads the plan that an argument names, or the one meant without.
func (a *app) toJudge(ctx context.Context, name string) (*plan.Plan, []diag.Diagnostic, error) {
	id := ""
	if name == "" && a.plan == "" && a.Getenv("GIT_PLAN") == "" && a.repo.WorkTree != "" {
		var err error
		if name, id, err = a.currentFolder(ctx); err != nil {
			return nil, nil, err
		}
	}
	if looksLikePath(name) {
		return a.folderPlan(ctx, name, id)
	}
	stored, _, err := a.loadPlan(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	return stored.Plan, stored.Found, nil
}

// currentFolder gives the folder of the current draft and the id of its plan,
// or nothing where no plan is in it.
func (a *app) currentFolder(ctx context.Context) (dir, id string, err error) {
	d, state, err := a.threads(ctx)
	if err != nil {
		return "", "", err
	}
	for _, t := range state.Drafts {
		if t.ID == state.Current && exists(filepath.Join(t.Dir, "plan.md")) {
			id, err = d.PlanIn(t.Dir)
			return t.Dir, id, err
		}
	}
	return "", "", nil
}
