package diff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan/diag"
)

// Op says what became of a piece of text.
type Op int

// The operations.
const (
	Same Op = iota
	Deleted
	Inserted
)

// Span is a piece of text and what became of it.
type Span struct {
	Op   Op
	Text string
}

// Shown is the text made harmless.
func (s Span) Shown() string { return diag.Printable(s.Text) }

// work bounds what comparing the prose of one rendering may cost, in steps of
// the comparison; beyond it changed lines are shown whole.
const work = 40_000_000

// maxTokens bounds what one comparison looks at.
const maxTokens = 6_000

// prose compares texts, and makes lines of changes, until its work is done.
type prose struct{ left int }

func newProse() *prose { return &prose{work} }

// tokens cuts text into what is compared: words, runs of blanks, and single
// characters of all else. Scripts that do not write blanks between words are
// cut into characters.
func tokens(s string) []string {
	var out []string
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		if kind := tokenKind(r); kind != 0 {
			for n < len(s) {
				next, size := utf8.DecodeRuneInString(s[n:])
				if tokenKind(next) != kind {
					break
				}
				n += size
			}
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

// tokenKind gives 1 for what words are made of, 2 for blanks, 0 for what is a
// token by itself.
func tokenKind(r rune) int {
	switch {
	case r == ' ' || r == '\t':
		return 2
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return 0
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return 1
	}
	return 0
}

// similarity is the share of two texts' words that they have in common, in
// whatever order, from 0 to 1.
func similarity(a, b []string) float64 {
	count := map[string]int{}
	total, common := 0, 0
	for _, t := range a {
		if strings.TrimSpace(t) != "" {
			count[t]++
			total++
		}
	}
	for _, t := range b {
		if strings.TrimSpace(t) == "" {
			continue
		}
		total++
		if count[t] > 0 {
			count[t]--
			common += 2
		}
	}
	if total == 0 {
		return 1
	}
	return float64(common) / float64(total)
}

// align compares two sequences. Where that would cost too much it gives the
// old one and then the new.
func (p *prose) align(a, b []string) []Span {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	out := spansOf(Same, a[:head])
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	n, from := len(x)+len(y), [2]int{}
	if len(x) == 0 || len(y) == 0 || n > maxTokens || n*n > p.left {
		out = append(append(out, spansOf(Deleted, x)...), spansOf(Inserted, y)...)
	} else {
		p.left -= n * n
		for _, same := range append(merge.Common(x, y), [2]int{len(x), len(y)}) {
			out = append(out, spansOf(Deleted, x[from[0]:same[0]])...)
			out = append(out, spansOf(Inserted, y[from[1]:same[1]])...)
			out = append(out, spansOf(Same, x[same[0]:min(same[0]+1, len(x))])...)
			from = [2]int{same[0] + 1, same[1] + 1}
		}
	}
	return append(out, spansOf(Same, a[len(a)-tail:])...)
}

// spansOf gives each of the texts its own span.
func spansOf(op Op, texts []string) []Span {
	var out []Span
	for _, t := range texts {
		out = append(out, Span{op, t})
	}
	return out
}

// words compares two texts word by word. Blanks alone do not hold apart what
// changed on both sides of them.
func (p *prose) words(a, b []string) []Span {
	spans := p.align(a, b)
	var out []Span
	for i, s := range spans {
		if s.Op == Same && i > 0 && i+1 < len(spans) && tokenKind(rune(s.Text[0])) == 2 && spans[i-1].Op != Same && spans[i+1].Op != Same {
			out = append(out, Span{Deleted, s.Text}, Span{Inserted, s.Text})
		} else {
			out = append(out, s)
		}
	}
	return joined(out)
}

// joined joins neighbours of one kind, and between two pieces that stay puts
// what went before what came.
func joined(spans []Span) []Span {
	var out []Span
	var texts [3]strings.Builder
	flush := func() {
		for op := range texts {
			if texts[op].Len() > 0 {
				out = append(out, Span{Op(op), texts[op].String()})
				texts[op].Reset()
			}
		}
	}
	for _, s := range spans {
		same := s.Op == Same
		if same == (texts[Same].Len() == 0) {
			flush()
		}
		texts[s.Op].WriteString(s.Text)
	}
	flush()
	return out
}

// hunk is a run of lines that changed, or of lines that did not.
type hunk struct {
	same     bool
	old, now []string
}

// hunks compares two texts line by line.
func (p *prose) hunks(a, b string) []hunk {
	var out []hunk
	for _, s := range p.align(lines(a), lines(b)) {
		same := s.Op == Same
		if len(out) == 0 || out[len(out)-1].same != same {
			out = append(out, hunk{same: same})
		}
		h := &out[len(out)-1]
		if s.Op != Inserted {
			h.old = append(h.old, s.Text)
		}
		if s.Op != Deleted {
			h.now = append(h.now, s.Text)
		}
	}
	return out
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// worded compares two texts by word, if they have enough in common for that to
// be read with ease.
func (p *prose) worded(old, now string) ([]Span, bool) {
	a, b := tokens(old), tokens(now)
	if len(a) == 0 || len(b) == 0 || similarity(a, b) < 0.4 {
		return nil, false
	}
	spans := p.words(a, b)
	kept := slices.ContainsFunc(spans, func(s Span) bool { return s.Op == Same && strings.TrimSpace(s.Text) != "" })
	return spans, kept
}
