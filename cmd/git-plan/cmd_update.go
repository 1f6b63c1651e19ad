package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

type updateCommand struct{ *app }

func newUpdate(a *app, cmd *cobra.Command) runner {
	return updateCommand{a}.run
}

// updateDocument is the answer of `update`.
type updateDocument struct {
	Status   string       `json:"status"`
	Message  string       `json:"message"`
	Added    []loop.Brief `json:"added_tasks"`
	Warnings []string     `json:"warnings"`
	landing
}

func (c updateCommand) run(ctx context.Context, args []string) error {
	data, err := []byte(args[0]), error(nil)
	if args[0] == "-" {
		data, err = c.readStdin(ctx, "the payload", loop.MaxPayload)
	}
	if err != nil {
		return err
	}
	if _, err := c.open(ctx); err != nil {
		return err
	}
	payload, err := loop.ParsePayload(data)
	if err != nil {
		return err
	}
	if payload.Request != "" {
		c.repo.Request = payload.Request
	}
	agent, err := c.repo.Agent(ctx)
	if err != nil {
		return err
	}
	u := &loop.Update{Repo: c.repo, Payload: payload, Which: c.onePlan, Agent: agent}
	carryOut := c.repo.Commit
	if payload.Hopeless() {
		carryOut = c.repo.Try
	}
	result, err := carryOut(ctx, u.Mutate)
	if err != nil {
		return u.Explain(err)
	}
	var claims []string
	for _, t := range u.Applied.Moved {
		if t.Status == plan.InProgress && len(t.Children) == 0 {
			claims = append(claims, u.Applied.Plan.ID+"/"+t.ID)
		}
	}
	c.afterChange(ctx, result, claims...)
	return c.tell(u, result)
}

func (c updateCommand) tell(u *loop.Update, result store.Result) error {
	doc := updateDocument{statusOf(result.Changed()), "State updated successfully.", []loop.Brief{}, u.Warnings(result.Warnings), landed(result)}
	if !result.Changed() {
		doc.Message = "There was nothing to change."
	}
	for _, t := range u.Applied.Added {
		doc.Added = append(doc.Added, loop.Fold(t))
	}
	if c.json {
		return c.print(doc)
	}
	p := u.Applied.Plan
	c.say("%s", doc.Message)
	for _, t := range u.Applied.Added {
		c.say("%s: added as task %s", diag.Printable(p.ID+"/"+t.ID), t.Number())
	}
	for _, t := range u.Applied.Moved {
		c.say("%s is %s", diag.Printable(p.ID+"/"+t.ID), p.Task(t.ID).Status)
	}
	n := p.Progress()
	c.say("plan %s, %d/%d done", p.Status(), n.Done, n.Total)
	for _, w := range doc.Warnings {
		c.warn("%s", w)
	}
	return nil
}
