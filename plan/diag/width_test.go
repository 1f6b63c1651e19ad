package diag

import (
	"strings"
	"testing"
)

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
	}
	for _, c := range cases {
		if got := strings.Join(Wrap(c.text, c.columns), "|"); got != c.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}

// Nothing but spaces at breaks is lost, no line is too wide, and it ends.
func FuzzWrap(f *testing.F) {
	f.Add("some words 計画 and more", 7)
	f.Add("   ", 2)
	f.Fuzz(func(t *testing.T, s string, columns int) {
		lines := Wrap(s, columns)
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
