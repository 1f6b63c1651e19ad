package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

type syncOptions struct {
	remote       string
	ours, theirs []string
	acceptRewind bool
	manual       bool
	behind       bool
}

func newSync(a *app, cmd *cobra.Command) runner {
	var opts syncOptions
	cmd.Flags().StringArrayVar(&opts.ours, "ours", nil, "where `plan` conflicts, take what is here")
	cmd.Flags().StringArrayVar(&opts.theirs, "theirs", nil, "where `plan` conflicts, take what is there")
	cmd.Flags().BoolVar(&opts.acceptRewind, "accept-rewind", false, "drop here the commits that the remote has dropped")
	cmd.Flags().BoolVar(&opts.manual, "manual", false, "do not set the policy that each change is published")
	cmd.Flags().BoolVar(&opts.behind, "behind", false, "fetch alone, and ask nobody: what a read starts")
	_ = cmd.Flags().MarkHidden("behind")
	return func(ctx context.Context, args []string) error {
		opts.remote = firstOr(args, "")
		return a.runSync(ctx, opts)
	}
}

// syncDocument is how a sync ended, for programs.
type syncDocument struct {
	Status    string           `json:"status"`
	Commit    string           `json:"commit"`
	Conflicts []merge.Conflict `json:"conflicts"`
	Details   []string         `json:"details"`
	Parked    []parkedDocument `json:"parked"`
}

func (a *app) runSync(ctx context.Context, opts syncOptions) error {
	prefer, err := preferences(opts.ours, opts.theirs)
	if err != nil {
		return err
	}
	a.unattended = opts.behind
	if _, err := a.open(ctx); err != nil {
		return err
	}
	if opts.behind {
		return a.repo.Publisher().FetchAlone(ctx)
	}
	got, err := a.repo.Publisher().Sync(ctx, store.SyncOptions{Remote: opts.remote, Prefer: prefer, AcceptRewind: opts.acceptRewind, Auto: !opts.manual})
	if err != nil {
		return err
	}
	if err := a.draftsAfterSync(ctx, &got, slices.Sorted(maps.Keys(prefer))); err != nil {
		a.warn("drafts were not brought up to date: %v", err)
	}
	doc := syncDocument{
		Status: got.Status, Commit: got.Commit, Conflicts: append([]merge.Conflict{}, got.Conflicts...),
		Details: append([]string{}, got.Details...), Parked: parkedDocuments(got.Parked),
	}
	if a.json {
		for _, note := range got.Notes {
			doc.Details = append(doc.Details, strings.TrimSpace(note))
		}
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

// draftsAfterSync brings drafts up to date, and puts what was parked into them.
func (a *app) draftsAfterSync(ctx context.Context, got *store.SyncResult, decided []string) error {
	if a.repo.WorkTree == "" || got.Commit == "" {
		return nil
	}
	d, err := a.drafts(ctx)
	if err != nil {
		return err
	}
	if err := d.Decided(ctx, got.Commit, decided); err != nil {
		return err
	}
	files, err := d.Resolve(ctx, got.Parked)
	if err != nil {
		return err
	}
	for _, file := range files {
		got.Details = append(got.Details, "CONFLICT (content): Merge conflict in "+file)
	}
	return d.Refresh(ctx, got.Commit)
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
	case store.SyncConflict:
		a.say("CONFLICT: commits could not be replayed; all others went on, to %.10s:", got.Commit)
		for _, c := range got.Conflicts {
			a.say("  %s", diag.Printable(c.String()))
		}
		for _, line := range got.Details {
			a.say("  %s", diag.Printable(line))
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
	for _, p := range got.Parked {
		a.explainParked(p, got.Status != store.SyncConflict)
	}
}

// explainParked tells a person of a commit that could not be replayed.
func (a *app) explainParked(p store.Parked, why bool) {
	a.say("parked: %s, by %s, %s", diag.Printable(p.Subject), diag.Printable(p.Agent), plan.FormatTime(p.At))
	if p.Waits != "" {
		a.say("  %s", diag.Printable(p.Why()))
		return
	}
	for _, c := range p.Conflicts {
		if why {
			a.say("  %s", diag.Printable(c.String()))
		}
	}
	for _, line := range diag.Lines(p.Findings) {
		if why {
			a.say("  %s", diag.Printable(line))
		}
	}
	for _, id := range p.Plans {
		if id == "" {
			a.say("  hint: git merge %.12[1]s in a worktree of the branch, then git update-ref -d %[2]s", p.Commit, p.Ref)
			continue
		}
		a.say("  hint: git plan edit %[1]s, or git plan sync --ours %[1]s, or --theirs %[1]s", id)
	}
}
