package gitstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

const testRef = "refs/heads/plans"

// open discovers r and opens the store, closed at the end of the test.
func open(t testing.TB, r *gittest.Repo) *Store {
	t.Helper()
	repo, err := Discover(context.Background(), r.G(), "")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = repo.Config(context.Background()) // asked for by now: a test may put another git in place
	s := Open(repo, testRef)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close the store: %v", err)
		}
	})
	return s
}

// file is a change that sets one file.
func file(path, data string) FileChange { return FileChange{Path: path, Data: []byte(data)} }

// put commits files on the tip and returns the new commit.
func put(t testing.TB, s *Store, files ...FileChange) string {
	t.Helper()
	result, err := s.Update(context.Background(), "test", adding("change", files...))
	if err != nil {
		t.Fatalf("update: %v", err)
	}
	if len(result.Commits) == 0 {
		t.Fatal("nothing was committed")
	}
	return result.Commits[len(result.Commits)-1]
}

// adding is a mutation that applies files to the tip.
func adding(message string, files ...FileChange) func(Tip) ([]Change, error) {
	return func(tip Tip) ([]Change, error) {
		c := Change{Base: tip.Commit, Root: tip.Commit == "", Files: files, Message: message}
		if tip.Commit != "" {
			c.Parents = []string{tip.Commit}
		}
		return []Change{c}, nil
	}
}

// content reads a file at a commit; "-" if it is not there.
func content(t testing.TB, s *Store, commit, path string) string {
	t.Helper()
	entry, ok, err := s.Lookup(t.Context(), commit, path)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return "-"
	}
	data, err := s.Blob(t.Context(), entry.Object, 0)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// hurry makes a store give up soon.
func hurry(s *Store) *Store {
	s.patience = patience{flock: 50 * time.Millisecond, refLock: 50 * time.Millisecond, stale: time.Hour, attempts: 3}
	return s
}

// fsck fails the test if git finds a fault.
func fsck(t testing.TB, r *gittest.Repo) {
	t.Helper()
	if out, err := r.TryGit("fsck", "--strict", "--no-dangling"); err != nil {
		t.Errorf("fsck: %v\n%s", err, out)
	}
}

// files lists what git has at a commit, as "mode path" lines.
func files(r *gittest.Repo, commit string) string {
	var lines []string
	for line := range strings.Lines(r.Git("ls-tree", "-r", commit)) { // git 2.34 knows no --format here
		meta, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		mode, _, _ := strings.Cut(meta, " ")
		lines = append(lines, mode+" "+path)
	}
	return strings.Join(lines, "\n")
}

func contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not mention %q", text, part)
		}
	}
}

// isA is errors.As for use in conditions.
func isA[E error](err error, target *E) bool { return errors.As(err, target) }

// reopen gives the same store as a process that begins now would see it.
func reopen(t testing.TB, s *Store) *Store {
	t.Helper()
	repo, err := Discover(context.Background(), s.repo.Git, "")
	if err != nil {
		t.Fatal(err)
	}
	fresh := Open(repo, s.ref)
	t.Cleanup(func() { _ = fresh.Close() })
	return fresh
}

// write writes a file, with the folders above it.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
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
