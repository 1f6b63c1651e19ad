package main

import (
	"context"
	"time"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// claiming is one `next --claim`: the agent, and the task it got in the end.
type claiming struct {
	next  *nextCommand
	agent string

	plan *plan.Plan
	task *plan.Task // nil where there is none
	from plan.Claim // whose lapsed claim it was
}

// claimTask gives this agent a task and starts it, in one commit. An agent with a
// fresh claim gets the same task again, without a write.
func (c *nextCommand) claimTask(ctx context.Context) error {
	if address, ok := store.ParseAddress(c.name); ok && address != (store.Address{Plan: c.name}) {
		return &usageError{"a task is claimed in the plan as it is now: name it by its id alone"}
	}
	agent, err := c.openAs(ctx)
	if err != nil {
		return err
	}
	claim := &claiming{next: c, agent: agent}
	result, settled, err := claim.look(ctx)
	if err == nil && !settled {
		result, err = c.repo.Publisher().CommitNewest(ctx, claim.mutate)
	}
	if err != nil {
		return err
	}
	var claims []string
	if claim.task != nil {
		claims = []string{claim.plan.ID + "/" + claim.task.ID}
	}
	c.afterChange(ctx, result, claims...)
	if err := claim.tell(result); err != nil {
		return err
	}
	if claim.task == nil && c.exitCode {
		return errNo
	}
	return nil
}

// look answers from a read where nothing has to be written, without a lock. What
// is published is known only by the remote.
func (c *claiming) look(ctx context.Context) (result store.Result, settled bool, err error) {
	on, err := c.next.repo.Publisher().Publishes(ctx)
	if err != nil || on || c.next.repo.Request != "" {
		return result, false, err
	}
	s, err := c.next.repo.Snapshot(ctx)
	if err != nil {
		return result, false, err
	}
	_, changed, err := c.claim(ctx, s)
	if changed {
		c.next.repo.Recall(s)
	}
	result.Commit = s.Commit
	result.Published = c.next.repo.Publisher().IsPublished(ctx, result)
	return result, !changed, err
}

func (c *claiming) mutate(ctx context.Context, s *store.Snapshot) (store.Candidate, error) {
	proposal, _, err := c.claim(ctx, s)
	return proposal, err
}

// claim chooses the task on a state of the store and says what to write for it.
func (c *claiming) claim(ctx context.Context, s *store.Snapshot) (proposal store.Candidate, changed bool, err error) {
	id := c.next.name
	if id == "" {
		if id, err = c.next.onePlan(ctx, s); err != nil {
			return proposal, false, err
		}
	}
	lease, err := s.Lease(ctx)
	if err != nil {
		return proposal, false, err
	}
	stored, err := s.Load(ctx, id)
	if err == nil {
		stored, err = s.WithClaims(ctx, stored)
	}
	if err != nil {
		return proposal, false, err
	}
	proposal, err = store.Edit(id, func(p *plan.Plan) (store.Message, error) {
		changed, err = c.take(p, stored.Plan, lease)
		return store.Message{Agent: c.agent}, err
	})(ctx, s)
	return proposal, changed, err
}

// take chooses the task in a plan as it is shown, and starts it in the one that is
// stored.
func (c *claiming) take(p, shown *plan.Plan, lease time.Duration) (changed bool, err error) {
	now := c.next.repo.Now()
	c.plan, c.task, c.from = shown, shown.NextFor(c.agent, c.next.another, now), plan.Claim{}
	if c.task == nil {
		return false, nil
	}
	c.plan, c.task = p, p.Task(c.task.ID)
	if had, ok := c.task.Claim(); ok && had.Agent != c.agent {
		c.from = had
	}
	files, err := p.Transition(c.task, plan.Move{To: plan.InProgress, At: now, Agent: c.agent, Lease: lease})
	return len(files) > 0, err
}

func (c *claiming) tell(result store.Result) error {
	if c.next.json {
		doc := taskDocument{statusOf(result.Changed()), c.plan.ID, c.plan.Status(), nil, landed(result)}
		if c.task == nil {
			doc.Status = "none"
		} else {
			doc.Task = render.Task(c.task)
		}
		return c.next.print(doc)
	}
	if c.task == nil {
		c.next.say("No task of plan %s is to be had: %s.", c.plan.ID, whyNone(c.plan, c.agent, c.next.repo.Now()))
		return nil
	}
	if c.from.Agent != "" {
		c.next.say("Taken over from %s, whose lease has run out: look for work of it that is left.\n", diag.Printable(c.from.Agent))
	}
	return render.TaskCard(c.next.Stdout, c.task, c.next.newPage())
}
