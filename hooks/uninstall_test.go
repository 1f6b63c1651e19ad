package hooks

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

const preCommitFile = ".git/hooks/pre-commit"

// What was changed in a chained hook meanwhile stays.
func TestUninstallKeepsChanges(t *testing.T) {
	s := newSite(t, gittest.New(t))
	s.file(preCommitFile, theirs, 0o755)
	s.install(true)
	s.file(preCommitFile+chainedSuffix, theirs+"# more\n", 0o700)
	want(t, s.uninstall(), PreCommit, Removed)
	info, err := os.Stat(filepath.Join(s.Dir, preCommitFile))
	must(t, err)
	if s.Read(preCommitFile) != theirs+"# more\n" || info.Mode().Perm() != 0o700 {
		t.Errorf("it is %s, %v", s.Read(preCommitFile), info.Mode())
	}
}

// A shim that somebody edited is left, and the others go.
func TestUninstallLeavesEdits(t *testing.T) {
	s := newSite(t, gittest.New(t))
	s.file(preCommitFile, theirs, 0o755)
	s.install(true)
	edited := s.Read(preCommitFile) + "# mine\n"
	s.file(preCommitFile, edited, 0o755)
	report := s.uninstall()
	want(t, report, PreCommit, Edited)
	want(t, report, PrePush, Removed)
	if h := report.Idle(); len(h) != 1 || !strings.Contains(h[0].Message, "rename pre-commit.git-plan-chained back to pre-commit") {
		t.Errorf("left: %+v", h)
	}
	if s.Read(preCommitFile) != edited || s.Read(preCommitFile+chainedSuffix) != theirs {
		t.Error("something of it was touched")
	}
	want(t, s.install(true), PreCommit, Edited)
}

// A hook that took the shim's place, beside one that is chained, is a matter
// for a person.
func TestShimReplaced(t *testing.T) {
	s := newSite(t, gittest.New(t))
	s.file(preCommitFile, theirs, 0o755)
	s.install(true)
	s.file(preCommitFile, "#!/bin/sh\n", 0o755)
	want(t, s.install(true), PreCommit, InTheWay)
	want(t, s.uninstall(), PreCommit, InTheWay)
	if s.Read(preCommitFile) != "#!/bin/sh\n" || s.Read(preCommitFile+chainedSuffix) != theirs {
		t.Error("something of it was touched")
	}
}

// An install that was cut short between its two steps is finished by another,
// or undone, and so is one whose shim somebody removed.
func TestInstallCutShort(t *testing.T) {
	for i := range 4 {
		finish, removed := i%2 == 0, i < 2
		s := newSite(t, gittest.New(t))
		s.file(preCommitFile+chainedSuffix, theirs, 0o755)
		if !removed {
			must(t, os.Link(filepath.Join(s.Dir, preCommitFile+chainedSuffix), filepath.Join(s.Dir, preCommitFile)))
		}
		if finish {
			want(t, s.install(!removed), PreCommit, Installed)
			s.Git("commit", "-q", "--allow-empty", "-m", "x")
			if ran := s.noted(); !strings.HasPrefix(ran, "theirs: \nours: hooks run pre-commit") {
				t.Errorf("there ran %q", ran)
			}
		}
		want(t, s.uninstall(), PreCommit, Removed)
		if s.Read(preCommitFile) != theirs {
			t.Error("the hook is not back")
		}
		if _, err := os.Lstat(filepath.Join(s.Dir, preCommitFile+chainedSuffix)); err == nil {
			t.Error("it is there twice")
		}
	}
}

// Hooks are found again after core.hooksPath was set.
func TestUninstallFromBeforeHooksPath(t *testing.T) {
	s := newSite(t, gittest.New(t))
	before := picture(t, s.Dir)
	s.install(false)
	s.Git("config", "core.hooksPath", ".githooks")
	s.install(false)
	want(t, s.uninstall(), PreCommit, Removed)
	s.Git("config", "--unset", "core.hooksPath")
	if after := picture(t, s.Dir); after != before {
		t.Errorf("left over:\n%s", difference(before, after))
	}
}

// A program that was moved is found anew by another install.
func TestInstallFollowsTheProgram(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		s := newSite(t, gittest.New(t))
		s.scripts = scripts
		s.install(false)
		moved := s.program + "-new"
		must(t, os.Rename(s.program, moved))
		s.program = moved
		want(t, s.install(false), PreCommit, Installed)
		want(t, s.status(), PreCommit, Runs)
		s.uninstall()
		if config := s.Read(".git/config"); strings.Contains(config, "git-plan") {
			t.Errorf("left in the configuration: %s", config)
		}
	}
}

// Many installs at once leave what one does.
func TestInstallAtOnce(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		s := newSite(t, gittest.New(t))
		s.scripts = scripts
		var all []*Installer
		for range 8 {
			all = append(all, s.installer())
		}
		done := make(chan error)
		for _, in := range all {
			go func() {
				report, err := in.Install(t.Context(), InstallOptions{})
				if len(report.Idle()) > 0 {
					err = errors.Join(err, fmt.Errorf("left %+v", report.Idle()))
				}
				done <- err
			}()
		}
		for range all {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		want(t, s.status(), PreCommit, Runs)
		if s.install(false).Changed() {
			t.Error("there was something left to install")
		}
	}
}

// In a shared repository whoever may read the hooks may run them.
func TestSharedRepository(t *testing.T) {
	r := gittest.NewBare(t)
	r.Git("init", "-q", "--bare", "--shared=group")
	s := newSite(t, r)
	s.install(false)
	info, err := os.Stat(filepath.Join(s.Dir, "hooks/pre-receive"))
	must(t, err)
	if info.Mode().Perm()&0o070 != 0o070 {
		t.Errorf("its mode is %v", info.Mode())
	}
}

// The line for the pre-commit framework is that of the file it reads.
func TestPreCommitSnippet(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("..", ".pre-commit-hooks.yaml"))
	must(t, err)
	for _, event := range Events() {
		if event == PreReceive || event == ReferenceTransaction {
			continue
		}
		for _, part := range []string{"- id: " + preCommitID(event) + "\n", "- id: " + preCommitID(event) + "-system\n", "  entry: " + preCommitEntry(event) + "\n"} {
			if !strings.Contains(string(file), part) {
				t.Errorf(".pre-commit-hooks.yaml has no line %q", part)
			}
		}
		text := "repos:\n" + preCommitSnippet(event)
		if !namesPreCommitHook(text, event) || !callsUs(text, event) {
			t.Errorf("the snippet is not known again:\n%s", text)
		}
	}
}

// Once its lines are added, a manager's file is left as it is.
func TestManagersAreTold(t *testing.T) {
	for name, make := range map[string]func(s *site){
		"husky":      func(s *site) { s.file(".husky/_/h", "", 0o755); s.Git("config", "core.hooksPath", ".husky/_") },
		"lefthook":   func(s *site) { s.file("lefthook.yml", "\n", 0o644) },
		"pre-commit": func(s *site) { s.file(".pre-commit-config.yaml", "repos:\n", 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, gittest.New(t))
			make(s)
			for _, h := range s.install(true).Hooks {
				if h.State != Managed || h.Snippet == "" {
					t.Fatalf("%+v", h)
				}
				data, err := os.ReadFile(h.Path)
				if err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
				s.file(h.Path, string(data)+h.Snippet, 0o644)
			}
			for _, h := range s.install(false).Hooks {
				if h.State != Unchanged {
					t.Errorf("told, it is %+v", h)
				}
			}
		})
	}
}
