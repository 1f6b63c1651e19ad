package gitstore

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A push runs no hook of the project, wherever that has them, and those of the
// user.
func TestPushRunsNoHookOfTheProject(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		set  func(r *gittest.Repo, hooks string)
		runs bool
	}{
		"in the git directory": {func(r *gittest.Repo, _ string) { refuseAll(t, filepath.Join(r.Dir, ".git", "hooks")) }, false},
		"configured here":      {func(r *gittest.Repo, hooks string) { r.Git("config", "core.hooksPath", hooks) }, false},
		"configured, relative": {func(r *gittest.Repo, _ string) {
			refuseAll(t, filepath.Join(r.Dir, ".husky"))
			r.Git("config", "core.hooksPath", ".husky")
		}, false},
		"of the worktree": {func(r *gittest.Repo, hooks string) {
			r.Git("config", "extensions.worktreeConfig", "true")
			r.Git("config", "--worktree", "core.hooksPath", hooks)
		}, false},
		"included here": {func(r *gittest.Repo, hooks string) {
			r.Write("more", "[core]\n\thooksPath = "+filepath.ToSlash(hooks)+"\n")
			r.Git("config", "include.path", "../more")
		}, false},
		"of the user": {func(r *gittest.Repo, hooks string) { r.Git("config", "--global", "core.hooksPath", hooks) }, true},
		"of the user, hidden": {func(r *gittest.Repo, hooks string) {
			r.Git("config", "--global", "core.hooksPath", hooks)
			r.Git("config", "core.hooksPath", "nowhere")
		}, true},
		"of the user, at home": {func(r *gittest.Repo, _ string) {
			refuseAll(t, filepath.Join(filepath.Dir(r.Dir), "home", "h"))
			r.Git("config", "--global", "core.hooksPath", "~/h")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bare, r := gittest.NewBare(t), gittest.New(t)
			hooks := filepath.Join(t.TempDir(), "hooks")
			refuseAll(t, hooks)
			tt.set(r, hooks)
			s := open(t, r)
			err := s.Push(t.Context(), tracked(bare.Dir), put(t, s, file("a", "a")))
			if refused := err != nil; refused != tt.runs {
				t.Errorf("a hook that refuses everything: %v", err)
			}
		})
	}
}

// refuseAll puts a pre-push hook that refuses everything into a folder.
func refuseAll(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	gittest.Script(t, filepath.Join(dir, "pre-push"), "#!/bin/sh\nexit 1\n")
}

// Of hooks that the configuration names, those of the project are switched off.
func TestWithoutConfiguredHooks(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Git("config", "hook.suite.event", "pre-push")
	r.Git("config", "hook.suite.command", "false")
	r.Git("config", "--global", "hook.mine.event", "pre-push")
	got, err := open(t, r).repo.withoutProjectHooks(t.Context())
	if want := []string{"-c", "core.hooksPath=/dev/null", "-c", "hook.suite.enabled=false"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}
