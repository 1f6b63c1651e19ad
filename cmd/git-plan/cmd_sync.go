package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan/diag"
)

type syncOptions struct {
	remote       string
	ours, theirs []string
	rewrite      bool
}

func newSync(a *app) *cobra.Command {
	var opts syncOptions
	cmd := &cobra.Command{
		Use: "sync [REMOTE] [--ours PLAN]... [--theirs PLAN]... [--rewrite]", Short: "bring the plans here and at a remote together", GroupID: groupEveryday,
		Long: `Fetch the plans of a remote, go forward or merge them field by field, and push;
again when the remote moved meanwhile. The gate judges the result. What cannot
be merged is written to a thread for each plan: edit it, and ` + "`git plan commit`" + `
makes the merge; or settle a plan with --ours or --theirs.

With --rewrite, commits that were not pushed yet are made anew on top of the
remote's, each so that it passes the gate: after a rebase by native git, say.
` + exitHelp,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.remote = firstOr(args, "")
			return a.runSync(cmd.Context(), opts)
		},
	}
	cmd.Flags().StringArrayVar(&opts.ours, "ours", nil, "where `plan` conflicts, take what is here")
	cmd.Flags().StringArrayVar(&opts.theirs, "theirs", nil, "where `plan` conflicts, take what is there")
	cmd.Flags().BoolVar(&opts.rewrite, "rewrite", false, "make the commits anew that were not pushed yet")
	return cmd
}

// syncDocument is how a sync ended, for programs.
type syncDocument struct {
	Status    string           `json:"status"`
	Commit    string           `json:"commit"`
	Conflicts []merge.Conflict `json:"conflicts"`
	Details   []string         `json:"details"`
}

func (a *app) runSync(ctx context.Context, opts syncOptions) error {
	prefer, err := preferences(opts.ours, opts.theirs)
	if err != nil {
		return err
	}
	if _, err := a.open(ctx); err != nil {
		return err
	}
	agent, err := a.repo.Agent(ctx)
	if err != nil {
		return err
	}
	got, err := a.repo.Sync(ctx, store.SyncOptions{Remote: opts.remote, Prefer: prefer, Rewrite: opts.rewrite, Agent: agent})
	if err != nil {
		return err
	}
	a.afterChange(ctx, store.Result{Commit: got.Commit, Plans: got.Plans})
	if got.Open != nil {
		got.Details = append(got.Details, withoutThreads(got.Open)...)
	}
	doc := syncDocument{Status: got.Status, Commit: got.Commit, Conflicts: append([]merge.Conflict{}, got.Conflicts...), Details: append([]string{}, got.Details...)}
	if a.json {
		doc.Details = append(doc.Details, told(got)...)
		if err := a.print(doc); err != nil {
			return err
		}
	} else {
		a.tellSync(got)
	}
	if got.Status == store.SyncConflict || got.Status == store.SyncRejected {
		return errNo
	}
	return nil
}

// told is what a person reads beside the rest: what conflicts and is no two
// values, such as a cycle, and what the merge did that nobody asked for.
func told(got store.SyncResult) []string {
	var lines []string
	for _, c := range got.Conflicts {
		if c.Message != "" {
			lines = append(lines, c.String())
		}
	}
	for _, note := range got.Notes {
		lines = append(lines, strings.TrimSpace(note))
	}
	return lines
}

// withoutThreads says how plans are settled where there is no working tree.
func withoutThreads(open *store.MergeError) []string {
	var lines []string
	for _, p := range open.Plans {
		lines = append(lines, fmt.Sprintf("settle %s with --ours %s or --theirs %s, or in a clone that has a working tree", p.ID, p.ID, p.ID))
	}
	return lines
}

// preferences reads which side is taken for which plan.
func preferences(ours, theirs []string) (map[string]merge.Side, error) {
	prefer := map[string]merge.Side{}
	for _, id := range ours {
		prefer[id] = merge.Ours
	}
	for _, id := range theirs {
		if prefer[id] == merge.Ours {
			return nil, &usageError{"plan " + id + " cannot be taken from both sides"}
		}
		prefer[id] = merge.Theirs
	}
	return prefer, nil
}

func (a *app) tellSync(got store.SyncResult) {
	switch got.Status {
	case store.SyncUpToDate:
		a.say("Up to date at %.10s.", got.Commit)
	case store.SyncPushed:
		a.say("Pushed %.10s.", got.Commit)
	case store.SyncPulled:
		a.say("Went forward to %.10s.", got.Commit)
	case store.SyncMerged:
		a.say("Merged, and pushed %.10s.", got.Commit)
	case store.SyncConflict:
		a.say("The plans here and there do not fit together:")
		for _, c := range got.Conflicts {
			a.say("  %s", diag.Printable(c.String()))
		}
		for _, line := range got.Details {
			a.say("%s", diag.Printable(line))
		}
	case store.SyncRejected:
		a.say("Not pushed:")
		for _, line := range got.Details {
			a.say("  %s", diag.Printable(line))
		}
	}
	for _, note := range got.Notes {
		a.say("note: %s", strings.TrimSpace(diag.Printable(note)))
	}
}
