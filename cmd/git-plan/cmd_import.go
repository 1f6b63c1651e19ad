package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/formats"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

type importCommand struct {
	*app
	format, id, goal string
}

func newImport(a *app, cmd *cobra.Command) runner {
	c := &importCommand{app: a}
	cmd.Long = strings.Replace(cmd.Long, "FORMS", strings.Join(formats.Names(), ", "), 1)
	formatFlag(cmd, &c.format, "f", "from", "the `form` the file is in, found out where it is left out: ")
	cmd.Flags().StringVar(&c.id, "id", "", "the plan's `id`, instead of the one it brings")
	goalFlag(cmd, &c.goal)
	return c.run
}

// formatFlag adds the flag that names a form.
func formatFlag(cmd *cobra.Command, to *string, short, long, usage string) {
	cmd.Flags().StringVarP(to, long, short, "", usage+strings.Join(formats.Names(), ", "))
}

// importDocument is the answer of `import`.
type importDocument struct {
	commitDocument
	Plan string `json:"plan"`
}

func (c *importCommand) run(ctx context.Context, args []string) error {
	if _, err := c.open(ctx); err != nil {
		return err
	}
	from, err := c.readForeign(ctx, firstOr(args, "-"), c.format)
	if err != nil {
		return err
	}
	if err := from.goal(c.goal); err != nil {
		return err
	}
	if err := c.goalOfStored(ctx, from, c.id); err != nil {
		return err
	}
	if err := from.checked(); err != nil {
		return err
	}
	id, err := from.id(c.id)
	if err != nil {
		return err
	}
	from.ID = id
	if err := c.repo.Publisher().LookUpID(ctx, id); err != nil {
		return err
	}
	agent, err := c.repo.Agent(ctx)
	if err != nil {
		return err
	}
	told := false
	result, err := c.repo.Commit(ctx, c.repo.Import(store.ImportOptions{
		ID: id, Title: from.Title(), Named: func(made string) { id = made }, Agent: agent, Prefix: from.name, Body: []string{"Imported from " + from.format + "."},
		Files: func(onto *plan.Plan) []plan.File { return from.files(&c.output, onto, &told) },
	}))
	if err != nil {
		return from.placed(err)
	}
	c.tellFindings(from.place(result.Warnings))
	c.afterChange(ctx, result)
	return c.tell(id, result)
}

// goalOfStored gives a plan without a goal that of the stored plan that it is
// imported onto, if there is one of that id.
func (c *importCommand) goalOfStored(ctx context.Context, from *foreign, id string) error {
	if from.Spec == nil || from.Spec.Plan.Get("goal") != "" || !plan.IsKebab(id) {
		return nil
	}
	stored, _, err := c.loadPlan(ctx, id)
	var missing *store.NotFoundError
	switch {
	case errors.As(err, &missing):
		return nil
	case err != nil:
		return err
	}
	from.goalOf(stored.Plan)
	return nil
}

func (c *importCommand) tell(id string, result store.Result) error {
	var committed []draft.Committed
	for _, o := range result.Plans {
		committed = append(committed, draft.Committed{Outcome: o})
	}
	if c.json {
		return c.print(importDocument{newCommitDocument(c.repo, result, committed), id})
	}
	if len(committed) == 0 {
		c.say("Nothing to import: plan %s is stored like this.", id)
		return nil
	}
	c.tellCommit(result, committed, false)
	return nil
}
