package term

import (
	"strings"
	"testing"
)

func lines(all []Text) string {
	var out []string
	for _, t := range all {
		out = append(out, t.String())
	}
	return strings.Join(out, "|")
}

// painted is a page of one line.
func painted(p Palette, parts ...Text) string {
	page := Page{Palette: p}
	page.Line(parts...)
	return page.String()
}

func TestPaint(t *testing.T) {
	line := Join(Say(Done, "[x]"), Say(Plain, " a title  "))
	if got, want := painted(Palette{}, line), "[x] a title\n"; got != want {
		t.Errorf("without colours: %q, want %q", got, want)
	}
	if got, want := painted(NewPalette(nil), line), "\x1b[32m[x]\x1b[m a title\n"; got != want {
		t.Errorf("with colours: %q, want %q", got, want)
	}
	own := NewPalette(map[Slot]string{Done: "\x1b[7m", Failed: ""})
	if got, want := painted(own, Say(Done, "[x]"), Say(Failed, "!")), "\x1b[7m[x]\x1b[m!\n"; got != want {
		t.Errorf("with colours of one's own: %q, want %q", got, want)
	}
}

// What a text says cannot reach the terminal as anything but text.
func TestHarmless(t *testing.T) {
	p := Page{Palette: NewPalette(nil)}
	bad := "a\x1b[31mb\u202Ec\u200Bd\te\nf\x9b1m\r\x07"
	p.Line(Say(Title, bad))
	p.Behind(Say(Dim, bad), Say(Plain, bad))
	p.Block(2, Plain, bad)
	got := strings.NewReplacer("\x1b[1m", "", "\x1b[2m", "", "\x1b[m", "").Replace(p.String())
	if i := strings.IndexFunc(got, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x202E || r == 0x200B || r == 0xFFFD }); i >= 0 {
		t.Errorf("%q holds %q", got, got[i:i+1])
	}
	if n := strings.Count(got, "\n"); n != 4 { // only a block has lines of its own
		t.Errorf("%d lines: %q", n, got)
	}
}

func TestWrapKeepsPieces(t *testing.T) {
	text := Join(Say(Done, "one two"), Say(Plain, " three "), Say(Dim, "(four five)"))
	if got, want := lines(text.Wrap(10)), "one two|three|(four|five)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p := Page{Columns: 26, Palette: NewPalette(nil)}
	p.Behind(Say(Plain, "lead: "), text)
	if got, want := p.String(), "lead: \x1b[32mone two\x1b[m three \x1b[2m(four\x1b[m\n      \x1b[2mfive)\x1b[m\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCutKeepsPieces(t *testing.T) {
	text := Join(Say(Done, "計画"), Say(Plain, "計画"), Say(Dim, " more"))
	for columns, want := range map[int]string{0: "計画計画 more", 13: "計画計画 more", 12: "計画計画 mo…", 6: "計画…", 2: "…", -1: "計画計画 more"} {
		if got := text.Cut(columns).String(); got != want {
			t.Errorf("cut to %d: %q, want %q", columns, got, want)
		}
	}
	if got, want := painted(NewPalette(nil), text.Cut(4)), "\x1b[32m計…\x1b[m\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPad(t *testing.T) {
	if got := Say(Plain, "計").Pad(4).String(); got != "計  " {
		t.Errorf("%q", got)
	}
	if got := Say(Plain, "long").Pad(2).String(); got != "long" {
		t.Errorf("%q", got)
	}
}

func TestSlots(t *testing.T) {
	for _, s := range Slots() {
		if s == Plain || strings.ToLower(string(s)) != string(s) {
			t.Errorf("%q cannot be named in a configuration", s)
		}
	}
}
