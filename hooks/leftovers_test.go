package hooks

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A shim that never came into place is found once it is old.
func TestShimLeftovers(t *testing.T) {
	s := newSite(t, gittest.New(t))
	for _, name := range []string{".git-plan-0a1b.tmp", ".git-plan-new.tmp", ".mine.tmp", chainedSuffix} {
		s.file(preCommitFile+name, "x", 0o755)
		if name != ".git-plan-new.tmp" {
			at := time.Now().Add(-2 * time.Hour)
			must(t, os.Chtimes(filepath.Join(s.Dir, preCommitFile+name), at, at))
		}
	}
	found := s.installer().Leftovers()
	if len(found) != 1 || filepath.Base(found[0].Path) != "pre-commit.git-plan-0a1b.tmp" {
		t.Fatalf("%+v", found)
	}
	must(t, found[0].Remove())
	if _, err := os.Lstat(found[0].Path); err == nil {
		t.Error("it is still there")
	}
}
