package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/judge"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

func newJudge(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "judge [PLAN|DIR]", Short: "ask your model whether a plan may begin",
		Long: `Ask the model that plan.llm.command names whether work on a plan may begin: a
stored one, or the one in a folder; without an argument the current thread's,
else the current plan. Nothing is written. It is given the prompt of
` + "`git plan prompt judge`" + `, the plan and the names of the project's files. What a
program can check is checked first, and a plan with such errors is not judged.

A store whose gates.yaml says judge: advisory, or required, has each plan judged
that ` + "`git plan commit`" + ` makes or edits.

Exit status: 0 yes, approved; 1 not approved, or an invalid plan; 128 fatal, as
where the model fails; 129 usage, as where none is set up.`,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runJudge(cmd.Context(), strings.Join(args, ""))
		},
	}
}

// judgeDocument is the verdict of a judge.
type judgeDocument struct {
	Approved bool   `json:"is_approved"`
	Feedback string `json:"feedback"`
}

func (a *app) runJudge(ctx context.Context, name string) error {
	model, ok, err := a.model(ctx)
	if err != nil {
		return err
	}
	if !ok {
		return errNoModel("git plan judge")
	}
	p, found, err := a.toJudge(ctx, name)
	if err != nil {
		return err
	}
	if refused := structural(p, found); len(refused) > 0 {
		return &store.RejectedError{Findings: refused}
	}
	opinion, err := a.opinion(ctx, model, p)
	if err != nil {
		return err
	}
	if a.json {
		err = a.print(judgeDocument{opinion.Approved, opinion.Feedback})
	} else {
		verdict := "not approved"
		if opinion.Approved {
			verdict = "approved"
		}
		a.say("%s: %s\n\n%s", p.ID, verdict, diag.PrintableText(opinion.Feedback))
	}
	if err == nil && !opinion.Approved {
		return errNo
	}
	return err
}

// toJudge reads the plan that an argument names, or the one meant without.
func (a *app) toJudge(ctx context.Context, name string) (*plan.Plan, []diag.Diagnostic, error) {
	if name == "" && a.plan == "" && a.Getenv("GIT_PLAN") == "" {
		dir, id, err := a.currentFolder()
		if err != nil {
			return nil, nil, err
		}
		if dir != "" {
			return a.folderPlan(dir, id)
		}
	}
	info, missing := os.Stat(a.abs(name))
	_, address := store.ParseAddress(name)
	if name == "" || address && !looksLikePath(name) {
		stored, _, err := a.loadPlan(ctx, name)
		if err == nil {
			return stored.Plan, stored.Found, nil
		}
		if name == "" || !isNotFound(err) || missing != nil {
			return nil, nil, err
		}
	}
	if missing != nil {
		return nil, nil, &store.NotFoundError{What: "plan or path", Name: name, Hint: "see `git plan list`"}
	}
	dir := a.abs(name)
	if !info.IsDir() {
		dir = planFolder(dir)
	}
	return a.folderPlan(dir, filepath.Base(dir))
}

// currentFolder gives the folder of the current thread and the id of its plan,
// or nothing where no plan is in it.
func (a *app) currentFolder() (dir, id string, err error) {
	if a.repo.WorkTree == "" {
		return "", "", nil
	}
	d, err := draft.Open(a.repo, a.Dir)
	if err != nil {
		return "", "", err
	}
	state, err := d.State()
	if err != nil {
		return "", "", err
	}
	i := slices.IndexFunc(state.Drafts, func(t draft.Draft) bool { return t.ID == state.Current })
	if i < 0 || !exists(filepath.Join(state.Drafts[i].Dir, "plan.md")) {
		return "", "", nil
	}
	id, err = d.PlanIn(state.Drafts[i].Dir)
	return state.Drafts[i].Dir, id, err
}

func (a *app) folderPlan(dir, id string) (*plan.Plan, []diag.Diagnostic, error) {
	files, err := a.readPlanFiles(dir)
	if err != nil {
		return nil, nil, err
	}
	if len(files) == 0 {
		return nil, nil, &store.NotFoundError{What: "plan in folder", Name: draft.RelativeTo(a.Dir, dir)}
	}
	p, found := a.repo.ReadPlan(id, draft.RelativeTo(a.Dir, dir), files)
	return p, found, nil
}

// structural gives the errors that no gate forgives: files with such make no
// plan that a model could be shown.
func structural(p *plan.Plan, found []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(store.Faults(p, found, false), func(d diag.Diagnostic) bool {
		r, _ := validate.Find(d.Rule)
		return !r.Fixed()
	})
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

// approver is how commits ask the judge about a plan; nil where no model is set
// up.
func (w *workspace) approver(repo *store.Repo) func(context.Context, *plan.Plan) (validate.Opinion, error) {
	if command, _ := repo.Config.Get(modelCommand); strings.TrimSpace(command) == "" {
		return nil
	}
	return func(ctx context.Context, p *plan.Plan) (validate.Opinion, error) {
		model, _, err := w.model(ctx)
		if err != nil {
			return validate.Opinion{}, err
		}
		return w.opinion(ctx, model, p)
	}
}
