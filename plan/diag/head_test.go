package diag

import "testing"

func TestHead(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 3, ""},
		{"one", 3, "one"},
		{"計画計", 3, "計画計"},
		{"計画計画", 3, "計画計…"},
		{"one two", 4, "one…"},
		{"one", 0, "…"},
		{"a\xffbcd", 3, "a\xffb…"},
	} {
		if got := Head(c.text, c.most); got != c.want {
			t.Errorf("Head(%q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
	if got, want := OneLine(" a\n\n b\tc ", 3), "a b…"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
