package render

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/term"
)

// How a list is laid out, in columns.
const (
	// spacious is from where on there is room for a bar beside a title.
	spacious = 100
	// leastTitle is how much room titles have in most lines. An id that reaches
	// into it is shown all the same, since it is what a person types, and the title
	// that is cut for it says much the same.
	leastTitle = 18
	leastID    = 16
	// screenful is how many lines are written at once, so that a person sees the
	// first of many soon.
	screenful = 200
)

// List prints a line a plan, cut where the page ends: id, status, a bar of what
// is done where there is room for one, how many tasks are ready, age and title.
func List(w io.Writer, rows []Summary, now time.Time, page *term.Page) error {
	l := newListing(rows, now, page.Columns)
	for i, r := range rows {
		l.put(page, r)
		if i%screenful == screenful-1 {
			if err := page.To(w); err != nil {
				return err
			}
		}
	}
	return page.To(w)
}

// listing is what the lines of a list have in common: how wide their columns
// are, 0 for one that is left out.
type listing struct {
	now             time.Time
	id, status, bar int
	// stacked says that each id stands above its line.
	stacked bool
}

func newListing(rows []Summary, now time.Time, columns int) listing {
	l := listing{now: now, status: len("complete"), bar: 10}
	for _, r := range rows {
		l.id, l.status = max(l.id, len(r.ID)), max(l.status, len(r.Status))
	}
	if columns > 0 && columns < spacious {
		l.bar = 0
	}
	if columns > 0 {
		rest := columns - l.line(Summary{}).Width() + l.id - leastTitle
		l.stacked = rest < min(l.id, leastID)
		l.id = min(l.id, max(leastID, rest))
	}
	if l.stacked {
		l.id = 0
	}
	return l
}

// put adds the line of a plan. An id that leaves no room for what else stands
// there has a line of its own, and on a narrow terminal each has.
func (l listing) put(page *term.Page, r Summary) {
	untitled := r
	untitled.Title = ""
	if l.stacked || page.Columns > 0 && l.line(untitled).Width() > page.Columns {
		page.Line(term.Say(term.Plain, r.ID))
		r.ID = ""
	}
	page.Cut(l.line(r))
}

func (l listing) line(r Summary) term.Text {
	status := string(r.Status)
	if r.Archived {
		status = "archived"
	}
	age := "-"
	if !r.Updated.IsZero() {
		age = Age(l.now.Sub(r.Updated))
	}
	ready := term.Plain
	if r.Ready > 0 {
		ready = term.Ready
	}
	gap := term.Say(term.Plain, "  ")
	parts := []term.Text{
		term.Say(term.Plain, r.ID).Pad(l.id), gap,
		term.Say(term.StatusSlot(status), status).Pad(l.status), gap,
	}
	if l.bar > 0 {
		full, empty := bar(r.Progress.Done, r.Progress.Total, l.bar)
		parts = append(parts, term.Say(term.Dim, "["), term.Say(term.Done, full), term.Say(term.Dim, empty+"] "))
	}
	return term.Join(append(parts,
		term.Sayf(term.Plain, "%3d/%-3d", r.Progress.Done, r.Progress.Total), gap,
		term.Sayf(ready, "%2d ready", r.Ready), gap, term.Sayf(term.Dim, "%4s", age), gap, term.Say(term.Plain, r.Title))...)
}

func bar(n, of, width int) (full, empty string) {
	done := 0
	if of > 0 {
		done = n * width / of
	}
	return strings.Repeat("#", done), strings.Repeat(".", width-done)
}

// Age writes a duration in its largest unit, such as 5m, 3h or 12d.
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	case d < 10000*time.Hour:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	}
	return fmt.Sprintf("%dy", int(d.Hours()/24/365))
}
