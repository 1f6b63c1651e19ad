package gitstore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// reftable makes a repository that keeps its refs in tables.
func reftable(t *testing.T) *gittest.Repo {
	t.Helper()
	if _, err := gittest.New(t).TryGit("init", "-q", "--ref-format=reftable", filepath.Join(t.TempDir(), "x")); err != nil {
		t.Skip("this git has no reftable")
	}
	return gittest.New(t, gittest.Init("--ref-format=reftable"))
}

// gone fails the test if there is something at path.
func gone(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); err == nil {
		t.Errorf("%s is there", path)
	}
}

// beginning is a change that begins a store, as init does.
func beginning(Tip) ([]Change, error) { return []Change{{Root: true, Message: "begin"}}, nil }

// refused fails the test unless the ref is broken and nothing is written to it, and
// gives the commit that its reflog names last.
func refused(t *testing.T, s *Store) string {
	t.Helper()
	s = reopen(t, s)
	var broken *BrokenRefError
	if _, err := s.Tip(t.Context()); !errors.As(err, &broken) {
		t.Errorf("Tip: %v", err)
	}
	if _, err := s.Update(t.Context(), "test", beginning); !errors.As(err, &broken) {
		t.Errorf("Update: %v", err)
	}
	return LastLogged(t.Context(), s.repo, s.ref)
}

// A ref that a disk lost is not begun again, which would leave behind what it had.
// One that git removed is.
func TestLostRef(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "a"))
	tip := put(t, s, file("b.md", "b"))
	if err := os.Remove(s.repo.refPath(s.ref)); err != nil {
		t.Fatal(err)
	}
	if got := refused(t, s); got != tip {
		t.Errorf("the reflog names %q, not %s", got, tip)
	}
	r.Git("update-ref", testRef, tip)
	r.Git("update-ref", "-d", testRef)
	if _, err := s.Update(t.Context(), "test", beginning); err != nil {
		t.Error(err)
	}
}

// So it is where an empty folder has the ref's name.
func TestLostRefBehindAFolder(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	tip := put(t, s, file("a.md", "a"))
	path := s.repo.refPath(s.ref)
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o777)); err != nil {
		t.Fatal(err)
	}
	if got := refused(t, s); got != tip {
		t.Errorf("the reflog names %q, not %s", got, tip)
	}
}

// A ref whose file is damaged is no ref that was never there, be it the branch or
// what a symbolic one leads to.
func TestBrokenRef(t *testing.T) {
	t.Parallel()
	const end = "refs/heads/work/plans"
	for name, wreck := range map[string]func(path string) error{
		"lost":    os.Remove,
		"empty":   func(path string) error { return os.Truncate(path, 0) },
		"garbage": func(path string) error { return os.WriteFile(path, []byte("zz\n"), 0o666) },
		"missing": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("1", 40)+"\n"), 0o666) },
	} {
		for _, symbolic := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r := gittest.New(t)
				s := open(t, r)
				tip, at := put(t, s, file("a.md", "a")), testRef
				if symbolic {
					r.Git("branch", "-m", "plans", "work/plans")
					r.Git("symbolic-ref", testRef, end)
					at = end
				}
				if err := wreck(s.repo.refPath(at)); err != nil {
					t.Fatal(err)
				}
				if got := refused(t, s); got != tip {
					t.Errorf("the reflog names %q, not %s", got, tip)
				}
			})
		}
	}
}

// A branch that leads back to itself leads nowhere, and is no branch that was never
// there.
func TestRefThatLeadsToItself(t *testing.T) {
	t.Parallel()
	s := open(t, gittest.New(t))
	tip := put(t, s, file("a.md", "a"))
	if err := os.WriteFile(s.repo.refPath(testRef), []byte("ref: "+testRef+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := refused(t, s); got != tip {
		t.Errorf("the reflog names %q, not %s", got, tip)
	}
}
