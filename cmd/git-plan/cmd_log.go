package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

type logCommand struct {
	*app
	format          string
	limit           int
	versions, graph bool
	// none: a limit of 0 was asked for; without a limit, all is shown.
	none bool
}

func newLog(a *app, cmd *cobra.Command) runner {
	c := &logCommand{app: a}
	cmd.Flags().IntVarP(&c.limit, "max-count", "n", 0, "show at most this `number` of revisions")
	cmd.Flags().BoolVar(&c.versions, "versions", false, "show only where a version of the plan begins")
	cmd.Flags().BoolVar(&c.graph, "graph", false, "draw how the revisions follow upon each other, a line each")
	a.formats(cmd, &c.format, "text", "json")
	return func(ctx context.Context, args []string) error {
		c.none = cmd.Flags().Changed("max-count") && c.limit == 0
		return c.run(ctx, firstOr(args, a.plan))
	}
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

	changes []store.Outcome
	subject string
}

func (c *logCommand) run(ctx context.Context, id string) error {
	if c.graph && c.json {
		return &usageError{"--graph draws for people: leave out --graph, or --json"}
	}
	s, err := c.snapshot(ctx)
	if err != nil {
		return err
	}
	if !s.Exists() && id == "" && !c.json {
		c.sayNoStore()
		return nil
	}
	c.warnOfGates(ctx, s)
	if s, id, err = upTo(ctx, s, id); err != nil {
		return err
	}
	switch {
	case c.json || c.none:
		return c.printHistory(ctx, s, id)
	case c.graph:
		return c.drawGraph(ctx, s, id)
	}
	return c.tellHistory(ctx, s, id)
}

// toRead is how many revisions have to be read, 0 for all.
func (c *logCommand) toRead() int {
	switch {
	case c.none:
		return 1 // the plan must be one, or have been one
	case c.versions:
		return 0
	}
	return c.limit
}

// printHistory prints revisions as a document.
func (c *logCommand) printHistory(ctx context.Context, s *store.Snapshot, id string) error {
	history, err := historyOf(ctx, s, id, c.toRead())
	if err != nil || !c.json {
		return err
	}
	switch {
	case c.none:
		history = nil
	case c.versions:
		history = onlyVersions(history, c.limit)
	}
	return c.print(map[string]any{"revisions": logDocuments(history)})
}

// upTo gives the state of the store that a plan's name carries, as in "auth@v2",
// and the plan's bare name.
func upTo(ctx context.Context, s *store.Snapshot, id string) (*store.Snapshot, string, error) {
	address, ok := store.ParseAddress(id)
	if !ok || address.String() == address.Plan {
		return s, id, nil
	}
	s, err := s.Resolve(ctx, address)
	return s, address.Plan, err
}

// historyOf gives the revisions of a plan, newest first, which must be or have
// been one; without a name those of all plans.
func historyOf(ctx context.Context, s *store.Snapshot, id string, limit int) ([]store.Revision, error) {
	history, err := s.History(ctx, id, limit)
	if err != nil {
		return nil, err
	}
	return history, isPlan(ctx, s, id, len(history) > 0)
}

// isPlan refuses a name that has no history and is no plan.
func isPlan(ctx context.Context, s *store.Snapshot, id string, found bool) error {
	if found || id == "" {
		return nil
	}
	_, err := s.Load(ctx, id)
	return err
}

func logDocuments(history []store.Revision) []revisionDocument {
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
func onlyVersions(history []store.Revision, limit int) []store.Revision {
	kept := []store.Revision{}
	for _, r := range history {
		r.Changes = slices.DeleteFunc(slices.Clone(r.Changes), func(o store.Outcome) bool { return !beginsVersion(o) })
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
func beginsVersion(o store.Outcome) bool {
	return o.After != nil && (o.Before == nil || o.Before.Version() != o.After.Version())
}
