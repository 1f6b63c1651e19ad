package draft

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// FuzzState reads anything as what a worktree remembers: it is refused by name,
// or it is written and read alike.
func FuzzState(f *testing.F) {
	for _, s := range []string{`{}`, `{"threads":[{"id":"thread-1","dir":".plans/thread-1"}],"current":"thread-1"}`, `{"threads":[{"dir":"/x"}]}`, `{"threads":[{"dir":"../../x"},{"id":"\u0000"}],"current":7}`, `[`, "null", ""} {
		f.Add(s)
	}
	_, d := open(f, gittest.New(f))
	if err := os.MkdirAll(filepath.Dir(d.state.path), 0o755); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(d.state.path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := d.State()
		var state *StateError
		if err != nil {
			if !errors.As(err, &state) || state.Path == "" {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if got := s.ordered(); len(got) != len(s.Drafts) {
			t.Fatalf("%d threads of %d", len(got), len(s.Drafts))
		}
		for _, th := range s.Drafts {
			if !filepath.IsAbs(th.Dir) {
				t.Fatalf("a thread in %q", th.Dir)
			}
		}
		_ = s.draft(s.Current)
		if err := d.state.save(s); err != nil {
			t.Fatal(err)
		}
	})
}
