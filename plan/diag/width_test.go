package diag

import (
	"strings"
	"testing"
)

// wrap breaks a text of one line into lines of at most that many columns, at
// spaces where it has them, else between characters. It gives at least one
// line. A limit below 2 breaks nothing.
func wrap(s string, columns int) []string {
	var out []string
	for columns >= 2 {
		end, next := Break(s, columns)
		if end == len(s) {
			break
		}
		out = append(out, s[:end])
		s = s[next:]
	}
	return append(out, s)
}

func TestWrap(t *testing.T) {
	cases := []struct {
		text    string
		columns int
		want    string
	}{
		{"", 10, ""},
		{"short", 10, "short"},
		{"two words here", 9, "two words|here"},
		{"two words here", 8, "two|words|here"},
		{"unbreakable", 4, "unbr|eaka|ble"},
		{"計画計画計画", 4, "計画|計画|計画"},
		{"計画 計画計画", 5, "計画|計画|計画"},
		{"a  b", 2, "a|b"},
		{"anything at all", 0, "anything at all"},
		{"計", 1, "計"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301e\u0301|e\u0301"},
		{"🇩🇪🇫🇷", 3, "🇩🇪|🇫🇷"},
	}
	for _, c := range cases {
		if got := strings.Join(wrap(c.text, c.columns), "|"); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}

// Nothing but spaces at breaks is lost, no line is too wide, and it ends.
func FuzzWrap(f *testing.F) {
	f.Add("some words 計画 and more", 7)
	f.Add("   ", 2)
	f.Fuzz(func(t *testing.T, s string, columns int) {
		lines := wrap(s, columns)
		if got, want := strings.ReplaceAll(strings.Join(lines, ""), " ", ""), strings.ReplaceAll(s, " ", ""); got != want {
			t.Fatalf("%q became %q", want, got)
		}
		for _, line := range lines {
			if columns >= 2 && Width(line) > columns {
				t.Fatalf("%q has %d columns of %d", line, Width(line), columns)
			}
		}
	})
}

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "plain": 5, "計画": 4, "한국어": 6, "🎉": 2, "✓": 1, "e\u0301": 1, "ｱ": 1, "Ａ": 2, "\u1112\u1161\u11ab": 2, "שלום": 4,
	} {
		if got := Width(text); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	cases := []struct {
		text    string
		columns int
		want    string
	}{
		{"short", 5, "short"},
		{"longer", 5, "long…"},
		{"two words", 5, "two…"},
		{"計画計画", 8, "計画計画"},
		{"計画計画", 6, "計画…"},
		{"計画計画", 5, "計画…"},
		{"caf\u0065\u0301 au lait", 5, "cafe\u0301…"},
		{"👍🏽👍🏽", 4, "…"},
		{"any", 1, "…"},
		{"any", 0, ""},
	}
	for _, c := range cases {
		if got := Cut(c.text, c.columns); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}
