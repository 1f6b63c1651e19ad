package store

import (
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/validate"
)

// TestIsRoot begins a store in either format of objects.
func TestIsRoot(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		g := gittest.New(t, gittest.ObjectFormat(format))
		if _, err := open(t, g).Init(t.Context(), validate.Base); err != nil {
			t.Fatal(err)
		}
		root := g.Git("rev-list", "--max-parents=0", "plans")
		if !isRoot(root) || isRoot(g.Git("rev-parse", "plans")) {
			t.Errorf("%s: a store begins with %s", format, root)
		}
	}
}
