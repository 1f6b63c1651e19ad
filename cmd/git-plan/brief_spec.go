package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/brief"
	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/internal/specmap"
	"github.com/git-plan/git-plan/plan"
)

// The readers of briefs beside the arbiter.
const (
	forExecution  = "execution"
	forReflection = "reflection"
	forReplan     = "replan"
)

func briefReaders() []string { return []string{arbiter, forExecution, forReflection, forReplan} }

// check refuses options that exclude each other.
func (c *briefCommand) check() error {
	switch {
	case !slices.Contains(briefReaders(), c.reader):
		return &usageError{fmt.Sprintf("there is no brief for %q; there is one for: %s", c.reader, strings.Join(briefReaders(), ", "))}
	case c.task == "" && (c.reader == forExecution || c.reader == forReflection):
		return &usageError{"a brief for " + c.reader + " is about one task: name it with --task"}
	case c.task != "" && c.reader != forExecution && c.reader != forReflection:
		return &usageError{"--task is for a brief for execution or reflection"}
	case c.reader != forReflection && (c.status != "" || c.result != "" || c.interactive):
		return &usageError{"--status, --result and --interactive are for a brief for reflection"}
	case c.reader == forReflection && !slices.Contains(brief.Outcomes(), c.status):
		return &usageError{fmt.Sprintf("how did the step end? --status is one of %s", strings.Join(brief.Outcomes(), ", "))}
	}
	return plan.CheckText(c.result)
}

// The documents of the briefs: what any has, and what is of this one.
type (
	executionBrief struct {
		briefDocument
		*brief.Execution
	}
	reflectionBrief struct {
		briefDocument
		*brief.Reflection
	}
	replanBrief struct {
		briefDocument
		*brief.Replan
	}
)

// ofSpec prints what a model that works by a PlanSpec needs to know of a plan.
func (c *briefCommand) ofSpec(ctx context.Context) error {
	stored, at, err := c.loadPlan(ctx, c.name)
	if err != nil {
		return err
	}
	p := stored.Plan
	c.warnOf(stored, c.name)
	doc := briefDocument{"success", c.reader, p.ID, "", at.Commit}
	if c.reader == forReplan {
		state, err := foldedState(p, "")
		if err != nil {
			return err
		}
		b := brief.NewReplan(p, state)
		doc.Brief = b.Text()
		return c.tell(doc, replanBrief{doc, b})
	}
	t, err := findTask(p, c.task)
	if err != nil {
		return err
	}
	if c.reader == forExecution {
		b := brief.NewExecution(p, t)
		doc.Brief = b.Text()
		return c.tell(doc, executionBrief{doc, b})
	}
	state, err := foldedState(p, t.Number())
	if err != nil {
		return err
	}
	b := brief.NewReflection(t, c.status, c.result, c.interactive, state)
	doc.Brief = b.Text()
	return c.tell(doc, reflectionBrief{doc, b})
}

// foldedState writes a plan for a model: folded by status, except for the step
// that it is about.
func foldedState(p *plan.Plan, about string) (string, error) {
	spec := specmap.Spec(p)
	for _, t := range p.Failed() { // what went wrong says more than what came out before
		if why := strings.Join(strings.Fields(t.Doc.Text("error")), " "); why != "" {
			spec.Find(t.Number()).Result = why
		}
	}
	if s := spec.Find(about); s != nil {
		s.Fold = planspec.Expanded
	}
	return planspec.SerializeFolded(spec)
}
