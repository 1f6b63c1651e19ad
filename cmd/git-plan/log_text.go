package main

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/term"
)

// tellRevision puts a revision on a page: what its message says, what it did to
// each plan, by whom, and why.
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

func shortCommit(name string) term.Text { return term.Say(term.Commit, name[:min(10, len(name))]) }

// whatHappened tells a plan's part of a revision in a line.
func whatHappened(o planrepo.Outcome) term.Text {
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

func occurrences(o planrepo.Outcome) term.Text {
	var parts []term.Text
	for _, t := range o.Renewed() {
		parts = append(parts, term.Say(term.Plain, "lease renewed on "+t.ID))
	}
	for _, c := range o.Occurrences {
		parts = append(parts, term.Say(eventSlot(string(c.Event)), strings.TrimSpace(string(c.Event)+" "+cmp.Or(c.Signal, c.Task))))
	}
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
func eventSlot(event string) term.Slot {
	switch event {
	case "started":
		return term.Active
	case "completed", "check-passed", "signal-cleared":
		return term.Done
	case "failed":
		return term.Failed
	case "blocked", "signal-opened":
		return term.Blocked
	case "skipped", "cancelled", "abandoned", "removed", "archived":
		return term.Skipped
	}
	return term.Plain
}

// runLogGraph draws the history of a plan, or of all.
func (a *app) runLogGraph(ctx context.Context, s *planrepo.Snapshot, id string, opts logOptions) error {
	limit := opts.limit
	if opts.versions {
		limit = 0
	}
	lines, err := s.Graph(ctx, id, limit)
	if err != nil {
		return err
	}
	if len(lines) == 0 && id != "" {
		if _, err := s.Load(ctx, id); err != nil {
			return err
		}
	}
	g := logGraph{page: a.newPage(), id: id, now: a.Now()}
	if opts.versions {
		g.versions(lines, opts.limit)
	} else {
		g.revisions(lines)
	}
	return g.page.To(a.Stdout)
}

// logGraph puts a drawing of history on a page.
type logGraph struct {
	page *term.Page
	id   string // of the plan that it is the history of, or empty
	now  time.Time
}

func (g logGraph) revisions(lines []planrepo.GraphLine) {
	for _, l := range lines {
		before, after, ok := strings.Cut(l.Art, "*")
		art := term.Say(term.Dim, l.Art)
		if ok {
			art = term.Join(term.Say(term.Dim, before), term.Say(term.Commit, "*"), term.Say(term.Dim, after))
		}
		if l.Revision == nil {
			g.page.Cut(art)
			continue
		}
		g.page.Cut(art, g.line(*l.Revision, l.Joins))
	}
}

// line tells a revision in a line, what matters most first.
func (g logGraph) line(r planrepo.Revision, joins bool) term.Text {
	out := term.Join(shortCommit(r.Commit.Name), term.Say(term.Plain, " "))
	if joins {
		out = term.Join(out, term.Say(term.Moved, "merge "))
	}
	if len(r.Changes) == 0 {
		out = term.Join(out, term.Say(term.Plain, r.Subject()))
	}
	for i, o := range r.Changes {
		if i > 0 {
			out = term.Join(out, term.Say(term.Plain, "; "))
		}
		out = term.Join(out, g.part(o))
	}
	out = term.Join(out, term.Say(term.Dim, "  "+r.Agent()+", "+render.Age(g.now.Sub(r.At()))))
	if reason, _, _ := strings.Cut(r.Reason(), "\n"); reason != "" {
		out = term.Join(out, term.Say(term.Dim, "  "+reason))
	}
	return out
}

// part tells what a revision did to a plan: its version where that is new.
func (g logGraph) part(o planrepo.Outcome) term.Text {
	var out term.Text
	if g.id == "" {
		out = term.Say(term.Plain, o.ID+": ")
	}
	if beginsVersion(o) {
		out = term.Join(out, term.Sayf(term.Version, "(version %d) ", o.Version))
	}
	return term.Join(out, occurrences(o))
}

// versions draws only where versions begin, and how many revisions each had.
func (g logGraph) versions(lines []planrepo.GraphLine, limit int) {
	since, told := 0, 0
	for _, l := range lines {
		if l.Revision == nil || len(l.Revision.Changes) == 0 {
			continue
		}
		kept := onlyVersions([]planrepo.Revision{*l.Revision}, 0)
		if len(kept) == 0 {
			since++
			continue
		}
		if since > 0 {
			g.page.Line(term.Say(term.Dim, "|  "+count(since, "revision")))
		}
		if since = 0; limit > 0 && told == limit {
			return
		}
		g.page.Cut(term.Say(term.Version, "*"), term.Say(term.Plain, " "), g.line(kept[0], l.Joins))
		told++
	}
}
