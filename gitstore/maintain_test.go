package gitstore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// counting makes a git that notes each maintenance instead of doing it.
func counting(t *testing.T, s *Store) (count func() int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the script that stands before git needs a shell")
	}
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\ncase \" $* \" in *\" maintenance \"*) echo x >>%s/ran; exit;; esac\nexec %s \"$@\"\n", dir, real)
	gittest.Script(t, filepath.Join(dir, "git"), script)
	s.repo.Git = s.repo.Git.WithEnv("PATH=" + dir + ":" + s.repo.Git.Getenv("PATH"))
	return func() int {
		data, _ := os.ReadFile(filepath.Join(dir, "ran"))
		return strings.Count(string(data), "x")
	}
}

// tidied is a store in a repository where git may tidy, as it may not in those
// of other tests.
func tidied(t *testing.T, settings ...string) *Store {
	t.Helper()
	r := gittest.New(t)
	for _, setting := range append([]string{"maintenance.auto=true"}, settings...) {
		key, value, _ := strings.Cut(setting, "=")
		r.Git("config", key, value)
	}
	return open(t, r)
}

// One commit in many has git tidy, unless git's own tidying is off.
func TestMaintainNowAndThen(t *testing.T) {
	t.Parallel()
	due, not := strings.Repeat("0", 40), "f"+strings.Repeat("0", 39)
	for setting, commits := range map[string][]string{"": {due, not}, "gc.auto=0": {due}, "gc.auto=-1": {due}, "maintenance.auto=false": {due}} {
		var settings []string
		if setting != "" {
			settings = append(settings, setting)
		}
		s := tidied(t, settings...)
		count := counting(t, s)
		for _, commit := range commits {
			if err := s.MaintainNowAndThen(t.Context(), commit); err != nil {
				t.Fatal(err)
			}
		}
		if setting == "" {
			gittest.Until(t, "the start of git", func() bool { return count() > 0 })
		}
		if n := count(); n > 1 || n == 1 && setting != "" {
			t.Errorf("%q: git was started %d times", setting, n)
		}
	}
}
