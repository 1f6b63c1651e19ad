package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

type listCommand struct {
	*app
	status          string
	archived, ready bool
	format          string
}

func newList(a *app, cmd *cobra.Command) runner {
	c := &listCommand{app: a}
	cmd.Flags().StringVar(&c.status, "status", "", "only plans of this `status`")
	cmd.Flags().BoolVar(&c.archived, "archived", false, "archived plans too")
	cmd.Flags().BoolVar(&c.ready, "ready", false, "only plans with a task that is ready")
	a.formats(cmd, &c.format, "text", "json")
	return func(ctx context.Context, _ []string) error { return c.run(ctx) }
}

// listDocument is the answer of `list`.
type listDocument struct {
	Plans  []render.Summary `json:"plans"`
	Parked []parkedDocument `json:"parked"`
	// Remote is there where the plans have one.
	Remote *remoteDocument `json:"remote,omitempty"`
}

func (c *listCommand) run(ctx context.Context) error {
	if c.status != "" && !slices.Contains(plan.PlanStatuses(), plan.PlanStatus(c.status)) {
		return noSuch("status", c.status, stringsOf(plan.PlanStatuses()...))
	}
	s, err := c.look(ctx)
	if err != nil {
		return err
	}
	rows, summaries, err := c.rows(ctx, s)
	if err != nil {
		return err
	}
	c.warnOfPlans(summaries)
	parked, err := c.repo.Publisher().ParkedSeen(ctx)
	if err != nil {
		return err
	}
	remote, err := c.remoteView(ctx, s)
	if err != nil {
		return err
	}
	if c.json {
		return c.print(listDocument{rows, parkedDocuments(parked), remote})
	}
	if !s.Exists() {
		c.sayNoStore()
		return nil
	}
	if len(rows) == 0 {
		c.say("No plans.")
	}
	if err := render.List(c.Stdout, rows, c.Now(), c.newPage()); err != nil {
		return err
	}
	c.tellParked(parked)
	if news := remote.news(c.Now()); news != "" {
		c.say("%s", news)
	}
	return nil
}

// rows gives the rows asked for, and the summaries of all plans.
func (c *listCommand) rows(ctx context.Context, s *store.Snapshot) (rows []render.Summary, summaries []store.Summary, err error) {
	where := s.Locations()
	if c.archived {
		archived, err := s.Archive(ctx)
		if err != nil {
			return nil, nil, err
		}
		where = append(where, archived...)
	}
	if summaries, err = s.Summaries(ctx, where); err != nil {
		return nil, nil, err
	}
	rows = []render.Summary{}
	for _, sum := range summaries {
		row := render.Row(sum)
		if (c.status == "" || row.Status == plan.PlanStatus(c.status)) && (!c.ready || row.Ready > 0) {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(x, y render.Summary) int {
		return cmp.Or(cmp.Compare(number(x.Archived || x.Status.Finished()), number(y.Archived || y.Status.Finished())), y.Updated.Compare(x.Updated), cmp.Compare(x.ID, y.ID))
	})
	return rows, summaries, nil
}

// number is 1 for true.
func number(is bool) int {
	if is {
		return 1
	}
	return 0
}
