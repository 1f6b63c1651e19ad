package diff

import (
	"fmt"
	"strings"
	"testing"

	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/term"
)

// marked writes spans as a terminal shows them.
func marked(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(map[Op]string{Deleted: "[-", Inserted: "{+"}[s.Op] + s.Text + map[Op]string{Deleted: "-]", Inserted: "+}"}[s.Op])
	}
	return b.String()
}

func TestWords(t *testing.T) {
	cases := []struct{ name, old, now, want string }{
		{"the same", "a b", "a b", "a b"},
		{"a word", "the red fox", "the brown fox", "the [-red-]{+brown+} fox"},
		{"two words beside each other", "the big red fox", "the small brown fox", "the [-big red-]{+small brown+} fox"},
		{"at the ends", "one two three", "two three four", "[-one -]two three{+ four+}"},
		{"punctuation", "Stop, now.", "Stop now!", "Stop[-,-] now[-.-]{+!+}"},
		{"a part of a word is no word", "authentic", "authentication", "[-authentic-]{+authentication+}"},
		{"by character without blanks", "私は東京に住む", "私は京都に住む", "私は[-東-]京{+都+}に住む"},
		{"accents stay with their letter", "cafe\u0301 noir", "cafe noir", "[-cafe\u0301-]{+cafe+} noir"},
		{"line feeds", "a\nb", "a\nc", "a\n[-b-]{+c+}"},
		{"all", "", "x", "{+x+}"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			spans := newProse().words(tokens(c.old), tokens(c.now))
			equal(t, "words", marked(spans), c.want)
			holds(t, spans, c.old, c.now)
		})
	}
}

// holds checks that spans are the old text and the new one.
func holds(t *testing.T, spans []Span, old, now string) {
	t.Helper()
	var a, b strings.Builder
	for _, s := range spans {
		if s.Op != Inserted {
			a.WriteString(s.Text)
		}
		if s.Op != Deleted {
			b.WriteString(s.Text)
		}
	}
	equal(t, "the old text", a.String(), old)
	equal(t, "the new text", b.String(), now)
}

// Texts with nothing in common, or of many thousand lines, cost little.
func TestLongTexts(t *testing.T) {
	var a, b strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&a, "%d\n", i*7%9973)
		fmt.Fprintf(&b, "%d\n", i*13%9967)
	}
	took := gittest.Spent(func() {
		v := newProse()
		for range 16 {
			v.text(0, a.String(), b.String())
		}
	})
	if took > time.Minute {
		t.Errorf("16 comparisons took %v", took)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("the red fox", "the brown fox")
	f.Add("私は\n\x00東京", "\xff a\tb")
	f.Fuzz(func(t *testing.T, old, now string) {
		holds(t, newProse().words(tokens(old), tokens(now)), old, now)
		var a, b []string
		for _, h := range newProse().hunks(old, now) {
			a, b = append(a, h.old...), append(b, h.now...)
		}
		equal(t, "the old lines", strings.Join(a, "\n"), old)
		equal(t, "the new lines", strings.Join(b, "\n"), now)
	})
}

// An item of a checklist is ticked or not, with or without a box.
func TestBoxes(t *testing.T) {
	before := files("01-a", "id: a\nsubtasks: [one, '[ ] two', '[x] three', four]")
	after := files("01-a", "id: a\nsubtasks: ['[ ] one', '[x] two', '[X] three', '[x] four', five]")
	var out strings.Builder
	if err := Text(&out, compare(before, after), &term.Page{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"~ written differently: [ ] one\n", "~ ticked: two\n", "~ written differently: [X] three\n", "~ ticked: four\n", "+ five\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "no longer") {
		t.Error(out.String())
	}
}
