package main

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/term"
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

// printHistory prints revisions as a document.
func (c *logCommand) printHistory(ctx context.Context, s *store.Snapshot, id string) error {
	docs := []revisionDocument{}
	for rev, err := range c.revisions(ctx, s, id) {
		if err != nil {
			return err
		}
		docs = append(docs, newRevisionDocument(rev))
	}
	return c.document(map[string]any{"revisions": docs})
}

// revisions visits those that are asked for, newest first. An error ends it.
func (c *logCommand) revisions(ctx context.Context, s *store.Snapshot, id string) iter.Seq2[store.Revision, error] {
	return func(yield func(store.Revision, error) bool) {
		history, err := s.Revisions(ctx, id)
		if err != nil {
			yield(store.Revision{}, err)
			return
		}
		found, told := false, 0
		for rev, err := range history.All(ctx) {
			found = true
			kept := []store.Revision{rev}
			if c.versions && err == nil {
				kept = onlyVersions(kept)
			}
			if c.none || len(kept) > 0 && !yield(kept[0], err) {
				return
			}
			if told += len(kept); told > 0 && told == c.limit {
				return
			}
		}
		if err := isPlan(ctx, s, id, found); err != nil {
			yield(store.Revision{}, err)
		}
	}
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
func historyOf(ctx context.Context, s *store.Snapshot, id string) ([]store.Revision, error) {
	history, err := s.History(ctx, id, 0)
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

func outcomeID(o store.Outcome) string { return o.ID }

func newRevisionDocument(r store.Revision) revisionDocument {
	first := r.Changes[0]
	d := revisionDocument{
		Commit: r.Commit.Name, Version: first.Version, Revision: r.Number, Event: first.Event,
		Agent: r.Agent(), Reason: r.Reason(), At: plan.FormatTime(r.At()), changes: r.Changes, subject: r.Subject(),
		Author: r.Commit.Author.Name + " <" + r.Commit.Author.Email + ">", Plans: namesOf(r.Changes, outcomeID),
	}
	if i := slices.IndexFunc(first.Occurrences, func(o plan.Occurrence) bool { return o.Event == first.Event && o.Task != "" }); i >= 0 {
		d.Task = first.Occurrences[i].Task
	}
	return d
}

// onlyVersions keeps the revisions that begin a version of a plan, and of these
// what they did to such plans.
func onlyVersions(history []store.Revision) []store.Revision {
	kept := []store.Revision{}
	for _, r := range history {
		r.Changes = slices.DeleteFunc(slices.Clone(r.Changes), func(o store.Outcome) bool { return !beginsVersion(o) })
		if len(r.Changes) > 0 {
			kept = append(kept, r)
		}
	}
	return kept
}

// beginsVersion reports whether a plan has a version after a revision that it
// did not have before, whatever else the revision did.
func beginsVersion(o store.Outcome) bool {
	return o.After != nil && (o.Before == nil || o.Before.Version() != o.After.Version())
}

// logPortion is how many revisions are printed at once: a history can be long,
// and a person reads the newest.
const logPortion = 25

// tellHistory prints revisions for a person as they are found.
func (c *logCommand) tellHistory(ctx context.Context, s *store.Snapshot, id string) error {
	page, told := c.newPage(), 0
	for rev, err := range c.revisions(ctx, s, id) {
		if err != nil {
			return err
		}
		if told > 0 {
			page.Space()
		}
		tellRevision(page, newRevisionDocument(rev))
		if told++; told%logPortion == 0 {
			if err := page.To(c.Stdout); err != nil {
				return err
			}
		}
	}
	return page.To(c.Stdout)
}

// tellRevision puts a revision on a page: subject, plans, agent and reason.
func tellRevision(page *term.Page, d revisionDocument) {
	page.Behind(term.Join(shortCommit(d.Commit), term.Say(term.Plain, " ")), term.Say(term.Title, d.subject))
	for _, o := range d.changes {
		page.Behind(term.Say(term.Plain, "    "), term.Join(term.Say(term.Plain, o.ID+": "), whatHappened(o)))
	}
	page.Line(term.Sayf(term.Dim, "    %s, %s", d.Agent, d.At))
	if d.Reason != "" {
		page.Space()
		page.Block(4, term.Plain, d.Reason)
	}
}

func shortCommit(name string) term.Text { return term.Sayf(term.Commit, "%.10s", name) }

// whatHappened is a plan's part of a revision, in a line.
func whatHappened(o store.Outcome) term.Text {
	out := occurrences(o)
	if o.Removed {
		return out
	}
	slot := term.Plain
	if beginsVersion(o) {
		slot = term.Version
	}
	out = term.Join(out, term.Say(term.Plain, ", "), term.Sayf(slot, "version %d", o.Version))
	if o.Judged != "" {
		out = term.Join(out, term.Say(term.Plain, ", "+o.Judged+" by the judge"))
	}
	return out
}

func occurrences(o store.Outcome) term.Text {
	var parts []term.Text
	for _, t := range o.Renewed() {
		parts = append(parts, term.Say(term.Plain, "lease renewed on "+t.ID))
	}
	for _, c := range o.Occurrences {
		parts = append(parts, term.Say(eventSlot(c.Event), strings.TrimSpace(string(c.Event)+" "+cmp.Or(c.Signal, c.Task))))
	}
	return listed(parts)
}

// listed puts parts into one line, with semicolons between them.
func listed(parts []term.Text) term.Text {
	var out term.Text
	for i, p := range parts {
		if i > 0 {
			out = term.Join(out, term.Say(term.Plain, "; "))
		}
		out = term.Join(out, p)
	}
	return out
}

// eventSlot gives what happened to a task the colour of the status it led to.
func eventSlot(event plan.Event) term.Slot {
	return map[plan.Event]term.Slot{
		plan.Started: term.Active, plan.Completed: term.Done, plan.CheckPassed: term.Done, plan.SignalCleared: term.Done, plan.TaskFailed: term.Failed,
		plan.TaskBlocked: term.Blocked, plan.SignalOpened: term.Blocked, plan.TaskSkipped: term.Skipped, plan.TaskCancelled: term.Skipped,
		plan.GivenUp: term.Skipped, plan.Removed: term.Skipped, plan.Archived: term.Skipped,
	}[event]
}

// drawGraph draws the history of a plan, or of all.
func (c *logCommand) drawGraph(ctx context.Context, s *store.Snapshot, id string) error {
	g := logGraph{page: c.newPage(), id: id, now: c.Now(), limit: c.limit}
	add := g.revision
	if c.versions {
		add = g.version
	}
	drawn, most := 0, c.limit
	if c.versions {
		most = 0
	}
	for line, err := range s.Graph(ctx, id, most) {
		if err != nil {
			return err
		}
		if drawn++; !add(line) {
			break
		}
		if drawn%logPortion == 0 {
			if err := g.page.To(c.Stdout); err != nil {
				return err
			}
		}
	}
	if err := isPlan(ctx, s, id, drawn > 0); err != nil {
		return err
	}
	return g.page.To(c.Stdout)
}

// logGraph puts a drawing of history on a page.
type logGraph struct {
	page *term.Page
	id   string // of the plan that it is the history of, or empty
	now  time.Time
	// limit is how many versions are drawn at most, 0 for all.
	limit int
	// since counts the revisions since the last version drawn, told the versions drawn.
	since, told int
}

// revision draws a line. It reports whether there is room for more.
func (g *logGraph) revision(l store.GraphLine) bool {
	before, after, ok := strings.Cut(l.Art, "*")
	art := term.Say(term.Dim, l.Art)
	if ok {
		art = term.Join(term.Say(term.Dim, before), term.Say(term.Commit, "*"), term.Say(term.Dim, after))
	}
	if l.Revision != nil {
		art = term.Join(art, g.line(*l.Revision, l.Joins))
	}
	g.page.Cut(art)
	return true
}

// line is a revision in a line, what matters most first.
func (g *logGraph) line(r store.Revision, joins bool) term.Text {
	out := term.Join(shortCommit(r.Commit.Name), term.Say(term.Plain, " "))
	if joins {
		out = term.Join(out, term.Say(term.Moved, "merge "))
	}
	if len(r.Changes) == 0 {
		out = term.Join(out, term.Say(term.Plain, r.Subject()))
	}
	out = term.Join(out, listed(namesOf(r.Changes, g.part)), term.Say(term.Dim, "  "+r.Agent()+", "+render.Age(g.now.Sub(r.At()))))
	if reason, _, _ := strings.Cut(r.Reason(), "\n"); reason != "" {
		out = term.Join(out, term.Say(term.Dim, "  "+reason))
	}
	return out
}

// part is what a revision did to a plan, with its version where that is new.
func (g *logGraph) part(o store.Outcome) term.Text {
	var out term.Text
	if g.id == "" {
		out = term.Say(term.Plain, o.ID+": ")
	}
	if beginsVersion(o) {
		out = term.Join(out, term.Sayf(term.Version, "(version %d) ", o.Version))
	}
	return term.Join(out, occurrences(o))
}

// version draws a line where a version begins, and how many revisions are between
// two. It reports whether there is room for more.
func (g *logGraph) version(l store.GraphLine) bool {
	if l.Revision == nil || len(l.Revision.Changes) == 0 {
		return true
	}
	kept := onlyVersions([]store.Revision{*l.Revision})
	if len(kept) == 0 {
		g.since++
		return true
	}
	if g.since > 0 {
		g.page.Line(term.Say(term.Dim, "|  "+count(g.since, "revision")))
	}
	if g.since = 0; g.limit > 0 && g.told == g.limit {
		return false
	}
	g.page.Cut(term.Say(term.Version, "*"), term.Say(term.Plain, " "), g.line(kept[0], l.Joins))
	g.told++
	return true
}
