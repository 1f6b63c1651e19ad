package plan

import (
	"strings"
	"testing"
)

// A name that no file system takes could not be checked out by anybody.
func TestLongNames(t *testing.T) {
	for n, want := range map[int]int{MaxName: 0, MaxName + 1: 1} {
		name := "tasks/01-" + strings.Repeat("a", n-len("01-.md")) + ".md"
		_, found := Read("auth", "", []File{{Path: name, Data: []byte("---\nid: a\n---\n\nDo it.\n")}})
		got := 0
		for _, d := range found {
			if d.Rule == RuleLimits && d.Path == "auth/"+name {
				got++
			}
		}
		if got != want {
			t.Errorf("a name of %d bytes: %v", n, found)
		}
	}
}
