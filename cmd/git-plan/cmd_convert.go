package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/formats"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

type convertCommand struct {
	exportCommand
	from, goal string
}

func newConvert(a *app, cmd *cobra.Command) runner {
	c := &convertCommand{exportCommand: exportCommand{app: a}}
	cmd.Long = strings.Replace(cmd.Long, "FORMS", strings.Join(formats.Names(), ", "), 1)
	formatFlag(cmd, &c.from, "f", "from", "the `form` the file is in, found out where it is left out: ")
	formatFlag(cmd, &c.format, "t", "to", "the `form` to write: ")
	cmd.Flags().StringVarP(&c.out, "output", "o", "", "the `path` of the file or folder to write")
	goalFlag(cmd, &c.goal)
	foldFlag(cmd, &c.fold)
	return c.run
}

// formError is the reason why a plan cannot be written in a form.
type formError struct{ err error }

func (e *formError) Error() string {
	return "the plan cannot be written in this form: " + e.err.Error()
}

func (c *convertCommand) run(ctx context.Context, args []string) error {
	to, err := c.form()
	if err != nil {
		return err
	}
	from, err := c.readForeign(ctx, firstOr(args, "-"), c.from)
	if err != nil {
		return err
	}
	if err := from.goal(c.goal); err != nil {
		return err
	}
	if from.Spec != nil && to.WriteSpec != nil {
		return c.writeSpec(from, to)
	}
	p, err := c.convertible(ctx, from)
	if err != nil {
		return err
	}
	return c.writeForm(ctx, formats.Writing{Plan: p, Updated: c.Now()}, to)
}

// writeSpec goes from one form of PlanSpecs to another. Nothing has to fit into a
// plan of ours.
func (c *convertCommand) writeSpec(from *foreign, to formats.Format) error {
	if from.Spec.Plan.Get("goal") == "" && to.Name != from.format {
		return from.checked() // which says that
	}
	if _, err := c.asFolder(to); err != nil {
		return err
	}
	w := formats.Writing{JSON: c.json && c.out == "" || strings.HasSuffix(c.out, ".json"), Fold: c.fold}
	text, losses, err := to.WriteSpec(from.Spec, w)
	if err != nil {
		return &formError{err}
	}
	c.lost("not kept: ", from.Dropped)
	c.lost(to.Name+" has no place for ", losses)
	return c.writeText(text)
}

// convertible makes a plan of ours of what was read, and has the gate judge it.
func (c *convertCommand) convertible(ctx context.Context, from *foreign) (*plan.Plan, error) {
	if err := from.checked(); err != nil {
		return nil, err
	}
	if from.ID == "" {
		from.ID = plan.NewID(from.Title(), "plan", func(string) bool { return false })
	}
	told := false
	p, found := plan.Read(from.ID, from.name, from.files(&c.output, nil, &told))
	found, err := store.Inspect(ctx, store.Subject{Plan: p, Found: found, Version: p.Version()}, store.Policy{Gates: validate.DefaultGates()}, store.World{})
	if err != nil {
		return nil, err
	}
	err = from.placed(&store.RejectedError{Findings: found})
	if errs, _ := diag.Count(found); errs > 0 {
		return nil, err
	}
	c.tellFindings(from.place(found))
	return p, nil
}
