package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

type listOptions struct {
	status          string
	archived, ready bool
	format          string
}

func newList(a *app) *cobra.Command {
	var opts listOptions
	cmd := &cobra.Command{
		Use: "list [--status STATUS] [--archived] [--ready]", Short: "list the plans with their progress", GroupID: groupEveryday,
		Long: "List the stored plans, unfinished ones first, then by age: id, status, what is\ndone, how many tasks are ready, when it last changed, title.\n" + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runList(cmd.Context(), opts) },
	}
	cmd.Flags().StringVar(&opts.status, "status", "", "only plans of this `status`")
	cmd.Flags().BoolVar(&opts.archived, "archived", false, "archived plans too")
	cmd.Flags().BoolVar(&opts.ready, "ready", false, "only plans with a task that is ready")
	a.formats(cmd, &opts.format, "text", "json")
	return cmd
}

func (a *app) runList(ctx context.Context, opts listOptions) error {
	if opts.status != "" && !slices.Contains(plan.PlanStatuses(), plan.PlanStatus(opts.status)) {
		return noSuch("status", opts.status, strings.Split(planStatusWords(), ", "))
	}
	s, err := a.snapshot(ctx)
	if err != nil {
		return err
	}
	a.warnOfGates(ctx, s)
	rows, summaries, err := listRows(ctx, s, opts)
	if err != nil {
		return err
	}
	a.warnOfPlans(summaries)
	if a.json {
		return a.print(map[string]any{"plans": rows})
	}
	if !s.Exists() {
		a.sayNoStore()
		return nil
	}
	if len(rows) == 0 {
		a.say("No plans.")
	}
	return render.List(a.Stdout, rows, a.Now(), a.newPage())
}

func planStatusWords() string {
	var words []string
	for _, s := range plan.PlanStatuses() {
		words = append(words, string(s))
	}
	return strings.Join(words, ", ")
}

// listRows gives the rows asked for, and the summaries of all plans.
func listRows(ctx context.Context, s *store.Snapshot, opts listOptions) (rows []render.Summary, summaries []store.Summary, err error) {
	where := s.Locations()
	if opts.archived {
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
		if (opts.status == "" || row.Status == plan.PlanStatus(opts.status)) && (!opts.ready || row.Ready > 0) {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(x, y render.Summary) int {
		return cmp.Or(cmp.Compare(finished(x), finished(y)), y.Updated.Compare(x.Updated), cmp.Compare(x.ID, y.ID))
	})
	return rows, summaries, nil
}

func finished(r render.Summary) int {
	if r.Archived || r.Status.Finished() {
		return 1
	}
	return 0
}
