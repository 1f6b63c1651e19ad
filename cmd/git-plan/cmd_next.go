package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

type nextCommand struct {
	*app
	name                     string
	claim, another, exitCode bool
}

func newNext(a *app, cmd *cobra.Command) runner {
	c := &nextCommand{app: a}
	flags := cmd.Flags()
	flags.BoolVar(&c.claim, "claim", false, "start the task for this agent")
	flags.BoolVar(&c.another, "another", false, "claim a task beside those that this agent has in progress")
	flags.BoolVar(&c.exitCode, "exit-code", false, "exit with 1 where there is no task")
	return c.run
}

// nextDocument is the answer of `next` without --claim.
type nextDocument struct {
	Status     string          `json:"status"`
	Plan       string          `json:"plan"`
	PlanStatus plan.PlanStatus `json:"plan_status"`
	Task       any             `json:"task"`
	Commit     string          `json:"commit"`
	// Remote is there where the plans have one.
	Remote *remoteDocument `json:"remote,omitempty"`
}

// taskDocument is the answer of `task` and `next --claim`.
type taskDocument struct {
	Status     string          `json:"status"`
	Plan       string          `json:"plan"`
	PlanStatus plan.PlanStatus `json:"plan_status"`
	Task       any             `json:"task"`
	landing
}

func (c *nextCommand) run(ctx context.Context, args []string) error {
	c.name = firstOr(args, "")
	switch {
	case c.claim:
		return c.claimTask(ctx)
	case c.another:
		return &usageError{"--another goes with --claim"}
	}
	stored, at, err := c.loadToShow(ctx, c.name)
	if err != nil {
		return err
	}
	p := stored.Plan
	agent := ""
	if p.Progress().Active > 0 { // else it does not matter who asks
		if agent, err = c.repo.Agent(ctx); err != nil {
			return err
		}
	}
	task, why := p.NextFor(agent, true, c.repo.Now()), ""
	switch {
	case stored.Archived():
		task, why = nil, "it is archived; `git plan restore "+p.ID+"` brings it back"
	case task == nil:
		why = whyNone(p, agent, c.repo.Now())
	}
	remote, err := c.remoteView(ctx, at)
	if err != nil {
		return err
	}
	if err := c.tell(p, task, why, at.Commit, remote); err != nil {
		return err
	}
	if task == nil && c.exitCode {
		return errNo
	}
	return nil
}

// tell prints a task, or why there is none.
func (c *nextCommand) tell(p *plan.Plan, task *plan.Task, why, commit string, remote *remoteDocument) error {
	if c.json {
		doc := nextDocument{"none", p.ID, p.Status(), nil, commit, remote}
		if task != nil {
			doc.Status, doc.Task = "success", render.Task(task)
		}
		return c.print(doc)
	}
	if news := remote.news(c.Now()); news != "" {
		c.say("%s\n", news)
	}
	if task == nil {
		c.say("No task of plan %s is ready: %s.", p.ID, why)
		return nil
	}
	if claim, ok := task.Claim(); ok {
		c.say("%s: take it over with `git plan next %s --claim`.\n", lapsed(task, claim), p.ID)
	}
	return render.TaskCard(c.Stdout, task, c.newPage())
}

// lapsed is the reason why a task in progress is offered.
func lapsed(t *plan.Task, c plan.Claim) string {
	switch {
	case c.Agent == "":
		return t.ID + " is in progress, and nobody is named for it"
	case c.Until.IsZero():
		return fmt.Sprintf("%s has %s in progress without a lease", diag.Printable(c.Agent), t.ID)
	}
	return fmt.Sprintf("the lease of %s on %s ended at %s", diag.Printable(c.Agent), t.ID, plan.FormatTime(c.Until))
}

// whyNone is the reason why a plan has no task for an agent.
func whyNone(p *plan.Plan, agent string, now time.Time) string {
	left := slices.DeleteFunc(slices.Clone(p.All()), func(t *plan.Task) bool { return len(t.Children) > 0 || t.Status.Settled() })
	stopped := func(t *plan.Task) bool { return len(p.Blockers(t)) > 0 }
	mine := p.ClaimsOf(agent)
	switch {
	case p.Status().Finished():
		return "the plan is " + string(p.Status())
	case len(p.All()) == 0:
		return "it has no tasks"
	case len(p.Blockers(nil)) > 0:
		return "the blocker `" + p.Blockers(nil)[0].ID + "` is open; see `git plan alert list`"
	case len(mine) > 0:
		return "you have " + words.Few(idsOf(mine), 5) + " in progress; report what came of it with `git plan task`"
	case slices.ContainsFunc(left, stopped):
		b := p.Blockers(left[slices.IndexFunc(left, stopped)])[0]
		return fmt.Sprintf("the blocker `%s` is open on %s; see `git plan alert list`", b.ID, b.Task)
	case len(p.Failed()) > 0:
		return "a task failed; see `git plan show " + p.ID + "` and `git plan replan`"
	case slices.ContainsFunc(left, hasStatus(plan.InProgress)):
		for _, t := range p.All() {
			if c, ok := t.Claim(); ok && c.Live(now) {
				return fmt.Sprintf("tasks in progress must be done first; %s has %s until %s, or longer", diag.Printable(c.Agent), t.ID, plan.FormatTime(c.Until))
			}
		}
		return "tasks in progress must be done first"
	case !slices.ContainsFunc(left, hasStatus(plan.Pending)):
		return "what is left is blocked; see `git plan show " + p.ID + "`"
	}
	if t, chosen := p.PassedOver(); t != nil {
		return fmt.Sprintf("%s was reopened, but its decision chose %s; reopen %[2]s as well with `git plan task`, or skip %[1]s", t.ID, chosen.ID)
	}
	return "every pending task waits for another; see `git plan show " + p.ID + "`"
}

func hasStatus(s plan.Status) func(*plan.Task) bool {
	return func(t *plan.Task) bool { return t.Status == s }
}

func idsOf(tasks []*plan.Task) []string {
	return namesOf(tasks, func(t *plan.Task) string { return t.ID })
}
