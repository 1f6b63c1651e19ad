package words

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 errors", 1: "1 error", 2: "2 errors"} {
		if got := Count(n, "error"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestFew(t *testing.T) {
	names := []string{"a", "b", "c"}
	for shown, want := range map[int]string{4: "a, b, c", 3: "a, b, c", 2: "a, b and 1 more", 1: "a and 2 more"} {
		if got := Few(names, shown); got != want {
			t.Errorf("Few(%d) = %q, want %q", shown, got, want)
		}
	}
	if got := Few(nil, 3); got != "" {
		t.Errorf("Few of nothing = %q", got)
	}
}
