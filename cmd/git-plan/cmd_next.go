package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/plan"
)

func newNext(a *app) *cobra.Command {
	var exitCode bool
	cmd := &cobra.Command{
		Use: "next [PLAN] [--exit-code]", Short: "show the task to work on now", GroupID: groupEveryday,
		Long: `Show the task that is ready: pending, with everything it waits for settled and
no blocker open. The highest priority goes first, then the order of files.
` + exitHelp,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			return a.runNext(cmd.Context(), name, exitCode)
		},
	}
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "exit with 1 where no task is ready")
	return cmd
}

// taskDocument is the answer of `next` and `task`.
type taskDocument struct {
	Status     string          `json:"status"`
	Plan       string          `json:"plan"`
	PlanStatus plan.PlanStatus `json:"plan_status"`
	Task       any             `json:"task"`
	Commit     string          `json:"commit"`
}

func (a *app) runNext(ctx context.Context, name string, exitCode bool) error {
	stored, at, err := a.loadPlan(ctx, name)
	if err != nil {
		return err
	}
	a.warnOfGates(ctx, at)
	a.warnOf(stored.Plan, stored.Found)
	p := stored.Plan
	var task *plan.Task
	if ready := p.Ready(); len(ready) > 0 {
		task = ready[0]
	}
	if err := a.tellNext(p, task, at); err != nil {
		return err
	}
	if task == nil && exitCode {
		return errNo
	}
	return nil
}

func (a *app) tellNext(p *plan.Plan, task *plan.Task, at *planrepo.Snapshot) error {
	if a.json {
		doc := taskDocument{"none", p.ID, p.Status(), nil, at.Commit}
		if task != nil {
			doc.Status, doc.Task = "success", render.Task(task)
		}
		return a.print(doc)
	}
	if task != nil {
		return render.TaskCard(a.Stdout, task)
	}
	a.say("No task of plan %s is ready: %s.", p.ID, whyNone(p))
	return nil
}

// whyNone says what keeps a plan from having a ready task.
func whyNone(p *plan.Plan) string {
	c := p.Progress()
	switch {
	case p.Status().Finished():
		return "the plan is " + string(p.Status())
	case c.Total == 0:
		return "it has no tasks"
	case len(p.Blockers(nil)) > 0:
		return "the blocker `" + p.Blockers(nil)[0].ID + "` is open"
	case c.Failed > 0:
		return "a task failed; see `git plan show " + p.ID + "` and `git plan replan`"
	case c.Active > 0:
		return "tasks in progress must be done first"
	}
	return "every pending task waits for another; see `git plan show " + p.ID + "`"
}
