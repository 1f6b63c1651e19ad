package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/brief"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/form/rawko"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// arbiter is the one that picks an agent for the next step.
const arbiter = "arbiter"

type briefCommand struct {
	*app
	name, reader         string
	task, status, result string
	interactive          bool
}

func newBrief(a *app, cmd *cobra.Command) runner {
	c := &briefCommand{app: a}
	flags := cmd.Flags()
	flags.StringVar(&c.reader, "for", arbiter, "what it is `for`: "+strings.Join(briefReaders(), ", "))
	flags.StringVar(&c.task, "task", "", "the `task` that it is about, named by id or number")
	flags.StringVar(&c.status, "status", "", "how the task ended, a `word`: "+strings.Join(brief.Outcomes(), ", "))
	flags.StringVar(&c.result, "result", "", "what was reported, as `text` (default: what the task says)")
	flags.BoolVar(&c.interactive, "interactive", false, "a person can be asked")
	return c.run
}

// briefDocument is the answer of `brief`.
type briefDocument struct {
	Status string `json:"status"`
	For    string `json:"for"`
	Plan   string `json:"plan"`
	Brief  string `json:"brief"`
	Commit string `json:"commit"`
}

func (c *briefCommand) run(ctx context.Context, args []string) error {
	c.name = firstOr(args, "")
	if err := c.check(); err != nil {
		return err
	}
	stored, at, err := c.loadPlan(ctx, c.name)
	if err != nil {
		if topic := c.topicInstead(ctx, err); topic != "" {
			doc := briefDocument{"success", c.reader, "", brief.Arbiter(topic, nil), ""}
			return c.tell(doc, doc)
		}
		return err
	}
	c.warnOf(stored, c.name)
	doc := briefDocument{"success", c.reader, stored.ID, "", at.Commit}
	if c.reader != arbiter {
		return c.ofSpec(stored.Plan, doc)
	}
	steps, _ := rawko.FromPlan(stored.Plan, c.repo.Now())
	doc.Brief = brief.Arbiter(rawko.Task(stored.Plan), steps)
	return c.tell(doc, doc)
}

// tell prints the brief, or with --json the entire document.
func (c *briefCommand) tell(doc briefDocument, all any) error {
	if c.json {
		return c.print(all)
	}
	_, err := fmt.Fprint(c.Stdout, diag.PrintableText(doc.Brief))
	return err
}

// topicInstead gives the session's topic to an arbiter where no plan was named or
// meant.
func (c *briefCommand) topicInstead(ctx context.Context, err error) string {
	var ambiguous *store.AmbiguousPlanError
	var missing *store.NotFoundError
	none := errors.As(err, &ambiguous) && len(ambiguous.Candidates) == 0 || errors.As(err, &missing) && missing.What == "store"
	if c.reader != arbiter || c.name != "" || c.plan != "" || !none || c.repo == nil || c.repo.WorkTree == "" {
		return ""
	}
	_, state, err := c.threads(ctx)
	if err != nil || plan.CheckText(state.Topic) != nil {
		return ""
	}
	return state.Topic
}

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
func (c *briefCommand) ofSpec(p *plan.Plan, doc briefDocument) error {
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
	spec, folds := planspec.Of(p), planspec.Folds{about: planspec.Expanded}
	for _, step := range spec.All() { // what went wrong says more than what came out before
		if why := strings.Join(strings.Fields(step.Task.Doc.Text("error")), " "); step.Task.Status == plan.Failed && why != "" {
			step.Say("result", why)
		}
	}
	return planspec.SerializeFolded(spec, folds)
}
