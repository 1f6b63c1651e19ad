package gitstore

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A ref that remembers a remote is removed where it is broken, and only there.
func TestForgetRef(t *testing.T) {
	t.Parallel()
	const ref = "refs/remotes/origin/plans"
	for name, text := range map[string]string{"empty": "", "garbage": "no name\n", "nothing": strings.Repeat("1", 40) + "\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			s := open(t, r)
			tip := put(t, s, file("a", "a"))
			if err := s.ForgetRef(t.Context(), ref); !errors.Is(err, ErrNoRef) {
				t.Errorf("where there is none: %v", err)
			}
			r.Git("update-ref", ref, tip)
			if err := s.ForgetRef(t.Context(), ref); err != nil || r.Git("rev-parse", ref) != tip {
				t.Errorf("a sound one: %v", err)
			}
			if err := os.WriteFile(s.repo.refPath(ref), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := s.ForgetRef(t.Context(), ref); err != nil {
				t.Fatal(err)
			}
			if got, err := s.TipOf(t.Context(), ref); !errors.Is(err, ErrNoRef) {
				t.Errorf("it is at %q, %v", got, err)
			}
			if _, err := os.Stat(s.repo.refPath(ref) + ".lock"); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("its lock is left: %v", err)
			}
		})
	}
}
