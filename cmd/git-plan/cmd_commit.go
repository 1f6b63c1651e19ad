package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

func newCommit(a *app, cmd *cobra.Command) runner {
	var opts draft.CommitOptions
	cmd.Flags().StringVarP(&opts.Message, "message", "m", "", "the commit `message`'s subject and body")
	cmd.Flags().StringVar(&opts.ID, "id", "", "the `id` of the new plan, instead of one made from its title")
	cmd.Flags().BoolVar(&opts.DryRun, "dry-run", false, "do all but write")
	return func(ctx context.Context, plans []string) error {
		opts.Plans = plans
		return a.runCommit(ctx, opts)
	}
}

// commitDocument is what a commit of threads did.
type commitDocument struct {
	Status string `json:"status"`
	landing
	Ref   string          `json:"ref"`
	Plans []committedPlan `json:"plans"`
	// DryRun says that nothing was written; Commit is empty then.
	DryRun bool `json:"dry_run,omitempty"`
}

type committedPlan struct {
	Thread  string     `json:"thread_id,omitempty"`
	ID      string     `json:"plan_id"`
	Event   plan.Event `json:"event"`
	Version int        `json:"version"`
	Tasks   int        `json:"tasks"`
}

// canNamePlan reports whether an id may be given to a new plan.
func canNamePlan(id string) bool {
	return plan.IsKebab(id) && id != store.Archive && !plan.IsDevice(id)
}

// checkID refuses an --id that cannot name a new plan.
func checkID(id string) error {
	switch {
	case id == "" || canNamePlan(id):
		return nil
	case plan.IsDevice(id):
		return &usageError{fmt.Sprintf("--id cannot be %q: Windows keeps that name for a device, and could not check the plan out; choose another", id)}
	}
	return &usageError{fmt.Sprintf("--id cannot be %q: ids are lower-case letters, digits and single hyphens, and `archive` is taken", id)}
}

func (a *app) runCommit(ctx context.Context, opts draft.CommitOptions) error {
	if err := checkID(opts.ID); err != nil {
		return err
	}
	d, err := a.drafts(ctx)
	if err != nil {
		return err
	}
	if opts.Agent, err = a.repo.Agent(ctx); err != nil {
		return err
	}
	if err := a.repo.Publisher().CanPublish(); err != nil && !opts.DryRun {
		return err
	}
	result, repeated, err := a.repo.Answered(ctx)
	if err != nil {
		return err
	}
	var committed []draft.Committed
	for _, o := range result.Plans {
		committed = append(committed, draft.Committed{Outcome: o})
	}
	if !repeated {
		result, committed, err = d.Commit(ctx, opts)
	}
	if err == nil && !opts.DryRun {
		result, err = a.repo.Publisher().PublishResult(ctx, result)
	}
	if err != nil {
		return err
	}
	a.tellResult(result)
	a.tellFindings(result.Warnings)
	doc := newCommitDocument(a.repo, result, committed)
	if opts.DryRun {
		doc.DryRun, doc.Commit = true, ""
	}
	a.tellCommit(result, committed, opts.DryRun)
	return a.document(doc)
}

func newCommitDocument(repo *store.Repo, result store.Result, committed []draft.Committed) commitDocument {
	doc := commitDocument{Status: "unchanged", landing: landed(result), Ref: repo.Ref, Plans: []committedPlan{}}
	for _, c := range committed {
		doc.Status = "committed"
		doc.Plans = append(doc.Plans, committedPlan{c.Draft, c.ID, c.Event, c.Version, c.Tasks})
	}
	return doc
}

func (a *app) tellCommit(result store.Result, committed []draft.Committed, dry bool) {
	where := fmt.Sprintf("%s %.10s", a.repo.Branch(), result.Commit)
	if dry {
		where = "dry run"
	}
	if len(committed) == 0 {
		a.say("Nothing to commit: no draft differs from what is stored.")
	}
	for _, c := range committed {
		what := fmt.Sprintf("%s, version %d, %s", leading(c.Outcome), c.Version, words.Count(c.Tasks, "task"))
		if c.Removed {
			what = string(c.Event)
		}
		if c.Removed && c.Event == plan.Merged {
			what = "merged, and removed by that"
		}
		a.say("[%s] %s: %s", where, c.ID, what)
	}
}

// leading says in a word what happened to a plan above all.
func leading(o store.Outcome) string { return cmp.Or(string(o.Event), "lease renewed") }
