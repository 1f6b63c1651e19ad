package draft

import (
	"path/filepath"
	"slices"
	"testing"
)

// A plan in the folder of drafts that is no thread's is told.
func TestForgottenDrafts(t *testing.T) {
	g, _, d := begin(t)
	th := current(t, d)
	write(t, th, "plan.md", planText("Known"))
	write(t, Draft{Dir: filepath.Join(g.Dir, DefaultDir, "thread-9")}, "plan.md", planText("Lost"))
	write(t, Draft{Dir: filepath.Join(g.Dir, DefaultDir, "notes")}, "a.md", "x")
	got, err := d.Forgotten()
	if want := []string{filepath.Join(g.Dir, DefaultDir, "thread-9")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}
