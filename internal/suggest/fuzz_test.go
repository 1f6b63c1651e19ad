package suggest_test

import (
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/suggest"
)

// FuzzMarks reads anything as marks that git found in code: each suggestion has
// a title of one line.
func FuzzMarks(f *testing.F) {
	f.Add("a.go\x0012\x00// TODO(ada): mend this\nb.md\x003\x00- FIXME later\n")
	f.Add("a.go\x00x\x00XXX\x1b[31m\n\x00\x00\x00")
	f.Fuzz(func(t *testing.T, printed string) {
		found, whole := suggest.Marks(strings.NewReader(printed))
		if !whole {
			t.Fatal("not read to its end")
		}
		for _, s := range found {
			if strings.TrimSpace(s.Title) == "" || strings.ContainsAny(s.Title, "\n\r") {
				t.Fatalf("%+v of %q", s, printed)
			}
		}
	})
}
