package hooks

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A hook that an install which was killed moved away is found and put back,
// unless something has come in its place.
func TestCutShort(t *testing.T) {
	s := newSite(t, gittest.New(t))
	s.file(preCommitFile+chainedSuffix, theirs, 0o755)
	s.file(".git/hooks/pre-push", theirs, 0o755)
	found, err := s.installer().CutShort()
	if err != nil || len(found) != 1 || found[0].Event != PreCommit {
		t.Fatalf("%+v, %v", found, err)
	}
	s.file(preCommitFile, "#!/bin/sh\n", 0o755)
	if s.installer().PutBack(found[0]) == nil || s.Read(preCommitFile) != "#!/bin/sh\n" {
		t.Error("what came in its place was written over")
	}
	must(t, os.Remove(filepath.Join(s.Dir, preCommitFile)))
	must(t, s.installer().PutBack(found[0]))
	if s.Read(preCommitFile) != theirs {
		t.Errorf("it is %q", s.Read(preCommitFile))
	}
	if found, err := s.installer().CutShort(); len(found) != 0 || err != nil {
		t.Errorf("%+v, %v", found, err)
	}
	s.install(true)
	if found, err := s.installer().CutShort(); len(found) != 0 || err != nil {
		t.Errorf("chained: %+v, %v", found, err)
	}
}

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
