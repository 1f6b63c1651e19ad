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

type importOptions struct{ file, format, id, goal string }

func newImport(a *app) *cobra.Command {
	var opts importOptions
	cmd := &cobra.Command{
		Use: "import [-f FORM] [--id ID] [--goal TEXT] [FILE|DIR|-]", Short: "store a plan that is in another form", GroupID: groupDraft,
		Long: `Store the plan in a file, on standard input or in a folder, that is in one of the
forms ` + strings.Join(formats.Names(), ", ") + `. It keeps the id it brings, which
for a folder is its name, and how far it has come. A plan that brings none, such
as a PlanSpec, is the stored plan of its title, if its title makes that plan's
id, else a new one. Every fault is told with its place in the file, and nothing
is written.

A plan that is stored already is brought to what the file says: progress, or a
later version as a replan. Steps are known by their title, and what the other
form has no place for stays. What is not kept is told on standard error.
` + exitHelp,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.file = argumentOr(args, "-")
			return a.runImport(cmd.Context(), opts)
		},
	}
	formatFlag(cmd, &opts.format, "f", "from", "the `form` the file is in, found out where it is left out: ")
	cmd.Flags().StringVar(&opts.id, "id", "", "the plan's `id`, instead of the one it brings")
	goalFlag(cmd, &opts.goal)
	return cmd
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

func (a *app) runImport(ctx context.Context, opts importOptions) error {
	if _, err := a.open(ctx); err != nil {
		return err
	}
	from, err := a.readForeign(ctx, opts.file, opts.format)
	if err != nil {
		return err
	}
	if err := from.goal(opts.goal); err != nil {
		return err
	}
	if err := a.goalOfStored(ctx, from, opts.id); err != nil {
		return err
	}
	if err := from.checked(); err != nil {
		return err
	}
	id, err := from.id(opts.id)
	if err != nil {
		return err
	}
	from.ID = id
	agent, err := a.repo.Agent(ctx)
	if err != nil {
		return err
	}
	told := false
	result, err := a.repo.Commit(ctx, a.repo.Import(store.ImportOptions{
		ID: id, Title: from.Title(), Named: func(made string) { id = made }, Agent: agent, Prefix: from.name, Body: []string{"Imported from " + from.format + "."},
		Files: func(onto *plan.Plan) []plan.File { return from.files(&a.output, onto, &told) },
	}))
	if err != nil {
		return from.placed(err)
	}
	a.tellFindings(from.place(result.Warnings))
	a.afterChange(ctx, result)
	return a.tellImport(id, result)
}

// goalOfStored gives a plan without a goal that of the stored plan that it is
// imported onto, if there is one of that id.
func (a *app) goalOfStored(ctx context.Context, from *foreign, id string) error {
	if from.Spec == nil || from.Spec.Goal != "" || !plan.IsKebab(id) {
		return nil
	}
	stored, _, err := a.loadPlan(ctx, id)
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

func (a *app) tellImport(id string, result store.Result) error {
	var committed []draft.Committed
	for _, o := range result.Plans {
		committed = append(committed, draft.Committed{Outcome: o})
	}
	if a.json {
		return a.print(importDocument{newCommitDocument(a.repo, result, committed), id})
	}
	if len(committed) == 0 {
		a.say("Nothing to import: plan %s is stored like this.", id)
		return nil
	}
	a.tellCommit(result, committed, false)
	return nil
}
