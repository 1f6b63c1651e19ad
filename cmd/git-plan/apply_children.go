package main

import (
	"context"
	"errors"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/plancmd"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// putChildren puts the steps of a PlanSpec below a task.
func (c *applyCommand) putChildren(ctx context.Context, name string, data []byte) error {
	steps, err := c.readSteps(name, data)
	if err != nil {
		return c.refuse(err, nil)
	}
	var under string
	_, result, err := c.edit(ctx, c.name, func(p *plan.Plan, by plan.Move) (store.Message, error) {
		t, err := findTask(p, c.children)
		if err != nil {
			return store.Message{}, err
		}
		under = t.ID
		return store.Message{Agent: by.Agent, Subject: "put " + count(len(steps), "step") + " below " + t.ID},
			plancmd.ReplaceChildren(p, t, steps, by)
	})
	var step *planspec.StepError
	if errors.As(err, &step) {
		return c.refuse(&store.RejectedError{Findings: []diag.Diagnostic{{
			Path: name, Pos: stepPos(steps, step.ID), Severity: diag.Error, Rule: planspec.RuleSyntax, Message: step.Reason,
		}}}, nil)
	}
	if err != nil {
		return c.refuse(err, nil)
	}
	c.afterChange(ctx, result)
	return c.tellChildren(c.name, under, len(steps), result)
}

// stepPos gives the place of a step in its text.
func stepPos(steps []*form.Item, id string) diag.Pos {
	if s := (&form.Outline{Items: steps}).Find(id); s != nil {
		return s.Pos
	}
	return diag.Pos{Line: 1, Column: 1}
}

// readSteps reads the steps of a PlanSpec, which needs no goal here.
func (c *applyCommand) readSteps(name string, data []byte) ([]*form.Item, error) {
	p, found := planspec.Parse(string(data))
	if p.Plan.Get("goal") == "" {
		p.Plan.Say("goal", "children")
	}
	if len(data) <= planspec.MaxText {
		found = append(found, planspec.Validate(p)...)
	}
	for i := range found {
		found[i].Path = name
	}
	diag.Sort(found)
	if errs, _ := diag.Count(found); errs > 0 {
		return nil, &store.RejectedError{Findings: found}
	}
	return p.Items, c.tellFindings(found)
}

func (c *applyCommand) tellChildren(id, under string, steps int, result store.Result) error {
	if c.json {
		return c.print(applyDocument{refusal{Status: statusOf(result.Changed())}, []appliedCommand{}, landed(result), nil})
	}
	c.sayLanded(result, id+"/"+under, ": "+count(steps, "step")+" below it")
	return nil
}
