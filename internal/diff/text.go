package diff

import (
	"io"
	"strings"

	"github.com/git-plan/git-plan/internal/term"
)

// Text writes the differences for a terminal, on an empty page: what changed in
// a line, then the store's own files, then plan by plan and task by task. Words
// that went stand in [-…-], words that came in {+…+}; with colours they are told
// apart by those alone.
func Text(w io.Writer, r *Result, page *term.Page) error {
	p := painter{page}
	p.lines(say(plain, -1, "%s (%s to %s)", r.Summary(), short(r.From), short(r.To)))
	part := newPart(r)
	for _, f := range part.Files {
		page.Space()
		p.block(f)
	}
	for _, s := range part.Plans {
		page.Space()
		p.block(block{s.Head, s.Lines})
		for _, t := range s.Tasks {
			p.block(t)
		}
		p.lines(s.Last...)
	}
	return page.To(w)
}

// short cuts the name of a commit.
func short(name string) string {
	if len(name) >= 40 && strings.Trim(name, "0123456789abcdef") == "" {
		return name[:10]
	}
	return name
}

// painter writes lines on a page.
type painter struct{ page *term.Page }

func (p painter) block(b block) { p.lines(append([]line{b.Head}, b.Lines...)...) }

func (p painter) lines(all ...line) {
	for _, l := range all {
		p.line(l)
	}
}

func (p painter) line(l line) {
	var lead, text term.Text
	if l.depth >= 0 {
		mark := term.Say(markSlot(l.mark), string(l.mark))
		lead = term.Join(term.Say(term.Plain, strings.Repeat("  ", l.depth)), mark, term.Say(term.Plain, " "))
	}
	bare := l.mark == plus || l.mark == minus // the mark says it
	for _, s := range l.Spans {
		text = append(text, p.span(s, bare)...)
	}
	if l.depth == 0 {
		text = term.Recolor(text, term.Title)
	}
	p.page.Behind(lead, text)
}

func (p painter) span(s Span, bare bool) term.Text {
	open, shut, slot := "", "", term.Plain
	switch s.Op {
	case Deleted:
		open, shut, slot = "[-", "-]", term.Removed
	case Inserted:
		open, shut, slot = "{+", "+}", term.Added
	}
	if bare || p.page.Palette.On() {
		open, shut = "", ""
	}
	return term.Say(slot, open+s.Text+shut)
}

func markSlot(mark rune) term.Slot {
	switch mark {
	case plus:
		return term.Added
	case minus:
		return term.Removed
	case edited:
		return term.Changed
	case shifted:
		return term.Moved
	}
	return term.Plain
}
