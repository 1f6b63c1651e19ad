package gitstore

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

func reflogFault(t *testing.T, s *Store) string {
	t.Helper()
	fault, err := s.ReflogFault(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return fault
}

// A reflog that is gone begins anew, and what brings a damaged branch back is
// there again.
func TestLostReflog(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	if got := reflogFault(t, s); got != "" {
		t.Errorf("without a ref: %q", got)
	}
	put(t, s, file("a.md", "1"))
	if got := reflogFault(t, s); got != "" {
		t.Errorf("whole: %q", got)
	}
	tip := r.Git("rev-parse", testRef)
	if err := os.RemoveAll(filepath.Join(r.Dir, ".git/logs/refs")); err != nil {
		t.Fatal(err)
	}
	if got := reflogFault(t, s); got != "it is missing" {
		t.Errorf("gone: %q", got)
	}
	for range 2 { // the second has nothing to do
		if err := s.MendReflog(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.Git("reflog", "--format=%H %gs", testRef); got != tip+" git plan doctor: the reflog was lost" {
		t.Errorf("mended: %q", got)
	}
	gone(t, filepath.Join(r.Dir, ".git", testRef+".lock"))
	if good, lost, err := s.NewestWhole(t.Context()); good != tip || len(lost) != 0 || err != nil {
		t.Errorf("%s, %v, %v", good, lost, err)
	}
}

// Folders that are made anew in a shared repository are for all who share it, or
// nobody else could commit any more.
func TestMendReflogOfASharedRepository(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	r := gittest.New(t, gittest.Init("--shared=group"))
	repo := open(t, r).repo
	s := Open(repo, "refs/heads/team/plans")
	r.Git("update-ref", s.ref, "HEAD")
	r.Git("pack-refs", "--all", "--prune")
	common := filepath.Join(r.Dir, ".git")
	for _, path := range []string{"logs", "refs/heads/team"} {
		if err := os.RemoveAll(filepath.Join(common, path)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.MendReflog(t.Context()); err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(common)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"logs", "logs/refs", "logs/refs/heads", "logs/refs/heads/team", "refs/heads/team"} {
		if info, err := os.Stat(filepath.Join(common, path)); err != nil || info.Mode() != want.Mode() {
			t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
		}
	}
}

// One whose last line was cut off would take the next with it.
func TestReflogCutOff(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "1"))
	path := filepath.Join(r.Dir, ".git/logs", testRef)
	whole := r.Read(".git/logs/" + testRef)
	r.Write(".git/logs/"+testRef, whole+strings.Repeat("\x00", 40))
	if got := reflogFault(t, s); got != "its last entry was cut off" {
		t.Errorf("%q", got)
	}
	if err := s.MendReflog(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, s, file("a.md", "2"))
	if got := strings.Fields(r.Git("reflog", "--format=%H", testRef)); len(got) < 2 || got[0] != r.Git("rev-parse", testRef) {
		t.Errorf("%s\n%s", got, r.Read(".git/logs/"+testRef))
	}
	if data, _ := os.ReadFile(path); !strings.HasPrefix(string(data), whole) {
		t.Error("what it held is gone")
	}
}

// Where git keeps none, or somebody moves the ref now, there is nothing to mend.
func TestReflogNotKept(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	put(t, s, file("a.md", "1"))
	if err := os.RemoveAll(filepath.Join(r.Dir, ".git/logs/refs")); err != nil {
		t.Fatal(err)
	}
	r.Write(".git/"+testRef+".lock", "")
	if err := s.MendReflog(t.Context()); err == nil {
		t.Error("it was mended while the ref was locked")
	}
	for value, want := range map[string]string{"false": "", "true": "it is missing", "always": "it is missing"} {
		r.Git("config", "core.logAllRefUpdates", value)
		if got := reflogFault(t, open(t, r)); got != want {
			t.Errorf("%s: %q", value, got)
		}
	}
}
