package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

func newShow(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "show [PLAN|PLAN/TASK|DIR]", Short: "show a plan, a task or a draft folder", GroupID: groupEveryday,
		Long: `Show a stored plan with its tasks, or one task in full. A plan may be named as
it was: "auth@v2" is the newest revision of version 2, "auth@{3}" is three
revisions back, "<rev>:auth" is the plan at a revision of the store. A path
shows the plan in that folder.
` + exitHelp,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			return a.runShow(cmd.Context(), name)
		},
	}
	a.formats(cmd, &format, "text", "json")
	return cmd
}

func (a *app) runShow(ctx context.Context, name string) error {
	if looksLikePath(name) {
		return a.showFolder(ctx, name)
	}
	planName, task := name, ""
	if _, isPlan := planrepo.ParseAddress(name); !isPlan {
		if p, t := taskName(name); p != "" {
			planName, task = p, t
		}
	}
	stored, at, err := a.loadPlan(ctx, planName)
	if err != nil {
		return err
	}
	a.warnOfGates(ctx, at)
	a.warnOf(stored.Plan, stored.Found)
	if task == "" {
		return a.showPlan(stored.Plan, at.Commit)
	}
	t, err := findTask(stored.Plan, task)
	if err != nil {
		return err
	}
	if a.json {
		return a.print(render.Tree(t))
	}
	return render.TaskCard(a.Stdout, t)
}

func (a *app) showPlan(p *plan.Plan, commit string) error {
	if a.json {
		return a.print(render.Plan(p, commit))
	}
	return render.Show(a.Stdout, p)
}

// showFolder shows what is drafted in a folder, faults and all.
func (a *app) showFolder(ctx context.Context, name string) error {
	p, err := a.readFolder(ctx, name)
	if err != nil {
		return err
	}
	return a.showPlan(p, "")
}

// readFolder reads the plan in a folder, or in that of one of its files, and
// tells of its faults.
func (a *app) readFolder(ctx context.Context, name string) (*plan.Plan, error) {
	if _, err := a.open(ctx); err != nil {
		return nil, err
	}
	dir := a.abs(name)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = planFolder(dir)
	}
	files, err := draft.ReadFolder(dir, a.repo.FileMode)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &planrepo.NotFoundError{What: "plan in folder", Name: name}
	}
	p, found := plan.Read(filepath.Base(dir), draft.RelativeTo(a.Dir, dir), files)
	a.warnOf(p, found)
	return p, nil
}

// warnOf tells of faults in a plan that is shown all the same.
func (a *app) warnOf(p *plan.Plan, found []diag.Diagnostic) {
	ds := validate.Run(validate.Input{Plan: p, Found: found, Stored: true}, validate.DefaultGates(), validate.Base)
	if errs, _ := diag.Count(ds); errs > 0 {
		a.warn("plan %s does not pass the gate (%s): see `git plan check %s`", p.ID, count(errs, "error"), p.Prefix)
	}
}
