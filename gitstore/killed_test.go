package gitstore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// standIn puts a script of the shell before git, as the store sees it. What it
// does not exit from goes on to git, whose path is in $git; $dir is a folder of
// its own, which is returned.
func standIn(t *testing.T, s *Store, script string) (dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the script that stands before git needs a shell")
	}
	real, err := exec.LookPath("git")
	if other := os.Getenv("GIT_PLAN_TEST_GIT"); other != "" {
		real, err = other, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	script = fmt.Sprintf("#!/bin/sh\ngit='%s' dir='%s'\n%s\nexec $git \"$@\"\n", real, dir, script)
	gittest.Script(t, filepath.Join(dir, "git"), script)
	s.repo.Git = s.repo.Git.WithEnv("PATH=" + dir + ":" + s.repo.Git.Getenv("PATH"))
	return dir
}

// mortal makes a git that is killed, its lock on the index left behind, at each
// command that a pattern of the shell matches, as long as the file it gives is
// there.
func mortal(t *testing.T, s *Store, pattern string) (armed string) {
	t.Helper()
	dir := standIn(t, s, "if test -e $dir/armed; then\n\tcase \" $* \" in\n\t"+pattern+") >\"$GIT_INDEX_FILE.lock\"; kill -9 $$ ;;\n\tesac\nfi")
	armed = filepath.Join(dir, "armed")
	if err := os.WriteFile(armed, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return armed
}

// A git that is killed while it tries leaves nothing in the way of the next.
func TestTrialIsKilled(t *testing.T) {
	t.Parallel()
	_, tree, s := checkedOut(t)
	armed := mortal(t, s, `*" read-tree -n "*`)
	before := state(tree)
	if _, err := s.Update(t.Context(), "x", adding("x", file("a.md", "a2"))); !wasKilled(err) {
		t.Errorf("err = %v", err)
	}
	if state(tree) != before {
		t.Error("something changed")
	}
	quiet(t, s)
	lives(t, tree, s, armed)
}

// One that is killed at the move, and at the attempt to mend it, leaves the
// index locked, so that no commit there undoes what has landed.
func TestMoveIsKilled(t *testing.T) {
	t.Parallel()
	for name, pattern := range map[string]string{
		"both": `*" read-tree -u "*|*" read-tree -i "*`, "files": `*" read-tree -u "*|*" checkout-index "*`,
	} {
		t.Run(name, func(t *testing.T) {
			_, tree, s := checkedOut(t)
			armed := mortal(t, s, pattern)
			result, err := s.Update(t.Context(), "x", adding("x", file("a.md", "a2")))
			if err != nil || len(result.Commits) != 1 || len(result.Warnings) != 1 {
				t.Fatalf("%+v, %v", result, err)
			}
			contains(t, result.Warnings[0], tree.Dir, "doctor --fix")
			if _, err := tree.TryGit("commit", "-a", "--allow-empty", "-m", "x"); err == nil {
				t.Error("a commit was possible")
			}
			if done, err := s.Recover(t.Context()); err != nil || len(done) != 1 {
				t.Errorf("Recover, killed again = %q, %v", done, err)
			}
			lives(t, tree, s, armed)
		})
	}
}

// lives lets git live again: the next change arrives everywhere.
func lives(t *testing.T, tree *gittest.Repo, s *Store, armed string) {
	t.Helper()
	if err := os.Remove(armed); err != nil {
		t.Fatal(err)
	}
	put(t, s, file("b.md", "b2"))
	if got := tree.Git("status", "--porcelain"); got != "" || tree.Read("b.md") != "b2" {
		t.Errorf("status:\n%s", got)
	}
	quiet(t, s)
}
