package render

import (
	"io"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/term"
)

// Text writes the sheet on an empty page: heading, status, goal and constraints,
// the tree of steps, and how many there are.
func (s *Sheet) Text(w io.Writer, page *term.Page) error {
	page.Behind(nil, term.Say(term.Title, "═══ "+s.Heading+" ═══"))
	page.Space()
	s.head(page)
	if s.Body != "" {
		page.Space()
		page.Block(4, term.Plain, s.Body)
	}
	page.Space()
	page.Line(term.Say(term.Plain, "Progress: "+s.progress()))
	if len(s.Steps) > 0 {
		page.Space()
		s.tree(page)
	}
	s.foot(page)
	page.Space()
	page.Line(term.Say(term.Dim, "───"))
	for _, line := range s.counts() {
		page.Behind(nil, term.Say(term.Plain, line))
	}
	return page.To(w)
}

func (s *Sheet) head(page *term.Page) {
	if s.Status != "" {
		slot := term.Plain
		if s.plan != nil {
			slot = term.StatusSlot(string(s.plan.Status()))
		}
		page.Behind(nil, term.Join(term.Say(term.Plain, "Status: "), term.Say(slot, s.Status)))
	}
	if s.Goal != "" {
		page.Behind(term.Say(term.Plain, "Goal: "), term.Say(term.Plain, s.Goal))
	}
	for _, line := range s.GoalDetail {
		page.Behind(term.Say(term.Dim, "  > "), term.Say(term.Plain, line))
	}
	if len(s.Constraints) > 0 {
		page.Space()
		page.Line(term.Say(term.Plain, "Constraints:"))
	}
	for _, text := range s.Constraints {
		page.Behind(term.Say(term.Plain, "  - "), term.Say(term.Plain, text))
	}
}

func (s *Sheet) foot(page *term.Page) {
	for i, text := range s.Signals {
		if i == 0 {
			page.Space()
		}
		page.Behind(term.Say(term.Warning, "signal: "), term.Say(term.Plain, text))
	}
	if s.Summary != "" {
		page.Space()
		page.Block(0, term.Plain, "summary: "+s.Summary)
	}
}

// slot says how a step stands, in more detail than its mark.
func (s *Sheet) slot(step *form.Item) term.Slot {
	t := step.Task
	switch {
	case t == nil:
		return term.StatusSlot(step.Get("status"))
	case s.ready[t]:
		return term.Ready
	}
	return term.StatusSlot(string(t.Status))
}

// noteText is the note of a step in pieces: its id, and how it stands.
func (s *Sheet) noteText(step *form.Item) term.Text {
	note := term.Say(term.Dim, step.Get("step_name"))
	t := step.Task
	if t == nil {
		return note
	}
	slot := s.slot(step)
	if slot == term.Plain {
		slot = term.Dim
	}
	for _, part := range s.state(t) {
		if note.Width() > 0 {
			note = term.Join(note, term.Say(term.Dim, "; "))
		}
		note = term.Join(note, term.Say(slot, part))
	}
	return note
}
