package gitstore

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Commits that are made in memory are read like all others, by this process alone
// until they are written.
func TestPending(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	first := put(t, s, file("a", "1"), file("sub/b", "b"))
	p := s.Pending(t.Context())
	defer p.Close()
	tip, files := first, loose(t, r)
	var made []string
	for _, text := range []string{"2", "3"} {
		var err error
		if tip, err = p.Make(Change{Parents: []string{tip}, Base: tip, Files: []FileChange{file("a", text)}, Message: text}); err != nil {
			t.Fatal(err)
		}
		made = append(made, tip)
	}
	if got := content(t, s, made[0], "a") + content(t, s, made[1], "a") + content(t, s, made[1], "sub/b"); got != "23b" {
		t.Errorf("read %s", got)
	}
	all, err := s.Differences(t.Context(), []Step{{made[0], first}, {made[1], made[0]}})
	if err != nil || len(all) != 2 || len(all[1]) != 1 || all[1][0].Path != "a" {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := s.Blob(t.Context(), tip, 0); err == nil {
		t.Error("a commit was read as a blob")
	}
	if _, err := r.TryGit("cat-file", "-e", tip); err == nil || loose(t, r) != files {
		t.Error("git has what was not written")
	}
	if err := p.Write(); err != nil {
		t.Fatal(err)
	}
	p.Close()
	if got := r.Git("log", "--format=%s", first+".."+tip); got != "3\n2" || content(t, s, tip, "a") != "3" {
		t.Errorf("git has %s", got)
	}
	r.Git("fsck", "--strict")
}

// What is dropped is nowhere, and what was never there is not built upon.
func TestPendingDropped(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	s := open(t, r)
	first := put(t, s, file("a", "1"))
	p := s.Pending(t.Context())
	commit, err := p.Make(Change{Parents: []string{first}, Base: first, Files: []FileChange{file("a", "2")}, Message: "x"})
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	if _, err := s.Commit(t.Context(), commit); err == nil {
		t.Error("a commit that was dropped is there")
	}
	p = s.Pending(t.Context())
	defer p.Close()
	none := strings.Repeat("1", 40)
	if _, err := p.Make(Change{Parents: []string{first}, Base: first, Files: []FileChange{{Path: "b", Object: none}}, Message: "x"}); err != nil {
		t.Fatal(err)
	}
	if err := p.Write(); err == nil {
		t.Error("a commit names an object that is not there")
	}
}

// loose counts the files of objects.
func loose(t *testing.T, r *gittest.Repo) int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(r.Dir, ".git", "objects", "??", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}
