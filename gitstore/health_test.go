package gitstore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A commit that is gone from the middle of the history is seen, where a commit-graph
// still knows of it too.
func TestHistoryFault(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"sha1": nil, "sha256": {"--object-format=sha256"}} {
		r := gittest.New(t, gittest.Init(args...))
		s := open(t, r)
		put(t, s, file("a.md", "1"))
		middle := put(t, s, file("a.md", "2"))
		put(t, s, file("a.md", "3"))
		r.Git("commit-graph", "write", "--reachable")
		if fault, err := s.HistoryFault(t.Context()); fault != "" || err != nil {
			t.Errorf("%s: whole: %q, %v", name, fault, err)
		}
		if err := os.Remove(loosePath(s, middle)); err != nil {
			t.Fatal(err)
		}
		if fault, err := s.HistoryFault(t.Context()); !strings.Contains(fault, middle) || err != nil {
			t.Errorf("%s: got %q, %v", name, fault, err)
		}
	}
}

func TestCutPacks(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"sha1": nil, "sha256": {"--object-format=sha256"}} {
		r := gittest.New(t, gittest.Init(args...))
		s := open(t, r)
		if cut, err := s.CutPacks(); len(cut) > 0 || err != nil {
			t.Errorf("%s: none: %q, %v", name, cut, err)
		}
		put(t, s, file("a.md", "1"))
		r.Git("gc", "-q")
		if cut, err := s.CutPacks(); len(cut) > 0 || err != nil {
			t.Errorf("%s: whole: %q, %v", name, cut, err)
		}
		packs, err := filepath.Glob(filepath.Join(r.Dir, ".git/objects/pack/*.pack"))
		if err != nil || len(packs) != 1 {
			t.Fatal(packs, err)
		}
		info, err := os.Stat(packs[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int64{info.Size() - 1, info.Size() - 60, 12, 3, 0} {
			if err := os.Chmod(packs[0], 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(packs[0], size); err != nil {
				t.Fatal(err)
			}
			if cut, err := s.CutPacks(); len(cut) != 1 || cut[0] != packs[0] || err != nil {
				t.Errorf("%s: %d bytes: %q, %v", name, size, cut, err)
			}
		}
	}
}
