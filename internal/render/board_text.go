package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// How a board is laid out, in columns of the terminal.
const (
	narrowestLane = 22
	widestLane    = 48
	laneGap       = 2
	// lastDone is how many of the tasks that are done are shown.
	lastDone = 10
)

// Text writes the board on an empty page: lanes beside each other, empty ones
// left out where there is no room for them, or one below the other where the
// page is too narrow. Of what is done it shows the newest only, unless all is
// asked for.
func (b *Board) Text(w io.Writer, all bool, page *term.Page) error {
	d := boardText{page: page, several: len(b.Plans) != 1, all: all}
	d.heading(b)
	lanes := b.Columns
	if d.laneWidth(len(lanes)) < narrowestLane {
		lanes = slices.DeleteFunc(slices.Clone(lanes), func(c BoardColumn) bool { return len(c.Cards) == 0 })
	}
	switch width := d.laneWidth(len(lanes)); {
	case len(lanes) == 0:
		page.Line(term.Say(term.Plain, "No tasks."))
	case width < narrowestLane:
		for i, c := range lanes {
			if i > 0 {
				page.Space()
			}
			d.section(c)
		}
	default:
		d.beside(lanes, width)
	}
	return page.To(w)
}

type boardText struct {
	page *term.Page
	// several says that the cards are of more than one plan, or of none.
	several, all bool
}

// laneWidth is how wide each of so many lanes may be, 0 where nothing limits the
// page: then they do not stand beside each other.
func (d boardText) laneWidth(lanes int) int {
	if d.page.Columns == 0 || lanes == 0 {
		return 0
	}
	return min(widestLane, (d.page.Columns-laneGap*(lanes-1))/lanes)
}

func (d boardText) heading(b *Board) {
	if d.several {
		d.page.Cut(term.Say(term.Title, "═══ "+words.Count(len(b.Plans), "plan")+" ═══"))
	} else {
		p := b.Plans[0]
		d.page.Behind(nil, term.Say(term.Title, "═══ "+p.ID+": "+p.Title+" ═══"))
		share := share(p.Progress.Done, p.Progress.Total)
		d.page.Line(term.Say(term.StatusSlot(string(p.Status)), string(p.Status)), term.Say(term.Plain, ", "+share))
	}
	d.page.Space()
}

// cards gives what is shown of a column, and how many cards are not.
func (d boardText) cards(c BoardColumn) (shown []Card, more int) {
	if c.Status != plan.Done || d.all || len(c.Cards) <= lastDone {
		return c.Cards, 0
	}
	return c.Cards[:lastDone], len(c.Cards) - lastDone
}

func title(c BoardColumn) term.Text {
	return term.Join(term.Say(term.Title, c.name()), term.Say(term.Dim, fmt.Sprintf(" %d", len(c.Cards))))
}

// section shows a column as lines, one a card.
func (d boardText) section(c BoardColumn) {
	d.page.Line(title(c))
	shown, more := d.cards(c)
	wide := 0
	for _, card := range shown {
		wide = max(wide, d.name(card).Width())
	}
	if d.page.Columns > 0 {
		wide = min(wide, d.page.Columns/2)
	}
	for _, card := range shown {
		line := term.Join(term.Say(term.Plain, "  "), mark(card), d.name(card).Cut(wide).Pad(wide), term.Say(term.Plain, "  "))
		note := d.note(card, true)
		if note != nil {
			note = term.Join(term.Say(term.Dim, "  ("), note, term.Say(term.Dim, ")"))
		}
		if title := cardTitle(card); title != nil && d.page.Columns > 0 {
			line = term.Join(line, title.Cut(max(leastTitle, d.page.Columns-line.Width()-note.Width())))
		} else {
			line = term.Join(line, title)
		}
		d.page.Cut(line, note)
	}
	if more > 0 {
		d.page.Line(term.Sayf(term.Dim, "  … and %d more", more))
	}
}

// beside shows columns beside each other.
func (d boardText) beside(columns []BoardColumn, width int) {
	var lanes [][]term.Text
	rows := 0
	for _, c := range columns {
		lane := d.lane(c, width)
		lanes, rows = append(lanes, lane), max(rows, len(lane))
	}
	gap := term.Say(term.Plain, strings.Repeat(" ", laneGap))
	for i := range rows {
		var line term.Text
		for n, lane := range lanes {
			if n > 0 {
				line = term.Join(line, gap)
			}
			if i < len(lane) {
				line = term.Join(line, lane[i])
			}
			line = line.Pad((n+1)*width + n*laneGap)
		}
		d.page.Line(line)
	}
}

// lane gives the lines of a column.
func (d boardText) lane(c BoardColumn, width int) []term.Text {
	lines := []term.Text{title(c), term.Say(term.Dim, strings.Repeat("─", width))}
	shown, more := d.cards(c)
	for _, card := range shown {
		lines = append(lines, d.card(card, width)...)
	}
	if more > 0 {
		lines = append(lines, term.Sayf(term.Dim, "… and %d more", more))
	}
	return lines
}

// mostTitle is how many lines of a title a card shows.
const mostTitle = 2

// card gives the lines of a card: its name, its title unless the task is done,
// and what else there is to know.
func (d boardText) card(c Card, width int) []term.Text {
	lines := []term.Text{term.Join(mark(c), d.name(c)).Cut(width)}
	if c.Status == plan.Done || c.Status == plan.Skipped || c.Status == plan.Cancelled {
		return lines
	}
	add := func(text term.Text, most int) {
		wrapped := text.Wrap(width - len("    "))
		for i, line := range wrapped[:min(most, len(wrapped))] {
			if i == most-1 && len(wrapped) > most {
				line = term.Join(line, term.Say(term.Dim, " …")).Cut(width - len("    "))
			}
			lines = append(lines, term.Join(term.Say(term.Plain, "    "), line))
		}
	}
	if title := cardTitle(c); title != nil {
		add(title, mostTitle)
	}
	if note := d.note(c, false); note != nil {
		add(note, mostTitle)
	}
	return append(lines, nil)
}

// cardTitle is a task's title, or nil where it says what the id says.
func cardTitle(c Card) term.Text {
	if strings.EqualFold(strings.ReplaceAll(c.ID, "-", " "), c.Title) {
		return nil
	}
	return term.Say(term.Plain, c.Title)
}

func mark(c Card) term.Text {
	slot := term.StatusSlot(string(c.Status))
	if c.Ready {
		slot = term.Ready
	}
	return term.Join(term.Say(slot, "["+graph.Mark(c.Status)+"]"), term.Say(term.Plain, " "))
}

func (d boardText) name(c Card) term.Text {
	if d.several {
		return term.Join(term.Say(term.Plain, c.ID), term.Say(term.Dim, " "+c.Plan))
	}
	return term.Join(term.Say(term.Dim, c.Number+" "), term.Say(term.Plain, c.ID))
}

// note tells who works on a task, what it waits for or why it does not go on.
func (d boardText) note(c Card, long bool) term.Text {
	switch {
	case c.Ready:
		return term.Say(term.Ready, "ready")
	case len(c.Needs) > 0:
		most := 2
		if long {
			most = 5
		}
		return term.Say(term.Dim, "needs "+words.Few(c.Needs, most))
	case c.Reason != "":
		return term.Say(term.StatusSlot(string(c.Status)), c.Reason)
	case c.Agent != "" && c.Status != plan.Done:
		return term.Say(term.Dim, c.Agent)
	}
	return nil
}
