package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

type logOptions struct {
	format   string
	limit    int
	versions bool
}

func newLog(a *app) *cobra.Command {
	var opts logOptions
	cmd := &cobra.Command{
		Use: "log [PLAN] [-n NUMBER] [--versions]", Short: "show what happened to a plan, newest first", GroupID: groupLook,
		Long: `Show the revisions of a plan, or of all plans: what happened, to which task,
by whom and why. What happened is told by comparing the files before and
after, so it is right for commits made by hand too.
` + exitHelp,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			id := a.plan
			if len(args) == 1 {
				id = args[0]
			}
			return a.runLog(cmd.Context(), id, opts)
		},
	}
	cmd.Flags().IntVarP(&opts.limit, "max-count", "n", 0, "show at most this `number` of revisions")
	cmd.Flags().BoolVar(&opts.versions, "versions", false, "show only where a version of the plan begins")
	a.formats(cmd, &opts.format, "text", "json")
	return cmd
}

// revisionDocument is a revision as programs see it. Event, task and version
// are those of the first plan; plans lists all that changed.
type revisionDocument struct {
	Commit   string     `json:"commit"`
	Version  int        `json:"version"`
	Revision int        `json:"revision"`
	Event    plan.Event `json:"event"`
	Plans    []string   `json:"plans"`
	Task     string     `json:"task"`
	Agent    string     `json:"agent"`
	Reason   string     `json:"reason"`
	Author   string     `json:"author"`
	At       string     `json:"at"`

	changes []planrepo.Outcome
	subject string
}

func (a *app) runLog(ctx context.Context, id string, opts logOptions) error {
	s, err := a.snapshot(ctx)
	if err != nil {
		return err
	}
	a.warnOfGates(ctx, s)
	limit := opts.limit
	if opts.versions {
		limit = 0
	}
	history, err := a.historyOf(ctx, s, id, limit)
	if err != nil {
		return err
	}
	if opts.versions {
		history = onlyVersions(history, opts.limit)
	}
	docs := logDocuments(history)
	if a.json {
		return a.print(map[string]any{"revisions": docs})
	}
	for i, d := range docs {
		if i > 0 {
			a.say("")
		}
		a.tellRevision(d)
	}
	return nil
}

// historyOf gives the revisions of a plan, newest first, up to the version that
// its name may carry; without a name those of all plans.
func (a *app) historyOf(ctx context.Context, s *planrepo.Snapshot, id string, limit int) ([]planrepo.Revision, error) {
	address, ok := planrepo.ParseAddress(id)
	if ok && address.String() != address.Plan {
		var err error
		if s, err = s.Resolve(ctx, address); err != nil {
			return nil, err
		}
		id = address.Plan
	}
	history, err := s.History(ctx, id, limit)
	if err != nil || len(history) > 0 || id == "" {
		return history, err
	}
	_, err = s.Load(ctx, id)
	return nil, err
}

func logDocuments(history []planrepo.Revision) []revisionDocument {
	docs := []revisionDocument{}
	for _, r := range history {
		first := r.Changes[0]
		d := revisionDocument{
			Commit: r.Commit.Name, Version: first.Version, Revision: r.Number, Event: first.Event, Plans: []string{},
			Agent: r.Agent(), Reason: r.Reason(), At: plan.FormatTime(r.At()), changes: r.Changes, subject: r.Subject(),
			Author: r.Commit.Author.Name + " <" + r.Commit.Author.Email + ">",
		}
		for _, c := range r.Changes {
			d.Plans = append(d.Plans, c.ID)
		}
		for _, o := range first.Occurrences {
			if o.Event == first.Event && d.Task == "" {
				d.Task = o.Task
			}
		}
		docs = append(docs, d)
	}
	return docs
}

// onlyVersions keeps the revisions that begin a version of a plan, and of these
// what they did to such plans.
func onlyVersions(history []planrepo.Revision, limit int) []planrepo.Revision {
	kept := []planrepo.Revision{}
	for _, r := range history {
		r.Changes = slices.DeleteFunc(slices.Clone(r.Changes), func(o planrepo.Outcome) bool { return !beginsVersion(o) })
		if len(r.Changes) > 0 {
			kept = append(kept, r)
		}
	}
	if limit > 0 && len(kept) > limit {
		kept = kept[:limit]
	}
	return kept
}

// beginsVersion reports whether a plan has a version after a revision that it
// did not have before, whatever else the revision did.
func beginsVersion(o planrepo.Outcome) bool {
	return o.After != nil && (o.Before == nil || o.Before.Version() != o.After.Version())
}

func (a *app) tellRevision(d revisionDocument) {
	a.say("%s %s", d.Commit[:min(10, len(d.Commit))], diag.Printable(d.subject))
	for _, o := range d.changes {
		a.say("    %s: %s", o.ID, whatHappened(o))
	}
	a.say("    %s, %s", diag.Printable(d.Agent), d.At)
	if d.Reason != "" {
		a.say("")
		for line := range strings.Lines(d.Reason) {
			a.say("%s", strings.TrimRight("    "+diag.Printable(strings.TrimRight(line, "\n")), " "))
		}
	}
}

// whatHappened tells a plan's part of a revision in a line.
func whatHappened(o planrepo.Outcome) string {
	var words []string
	for _, t := range o.Renewed() {
		words = append(words, "lease renewed on "+t.ID)
	}
	for _, c := range o.Occurrences {
		words = append(words, strings.TrimSpace(string(c.Event)+" "+cmp.Or(c.Signal, c.Task)))
	}
	if o.Removed {
		return strings.Join(words, "; ")
	}
	text := fmt.Sprintf("%s, version %d", strings.Join(words, "; "), o.Version)
	if o.Judged != "" {
		text += ", " + o.Judged + " by the judge"
	}
	return text
}
