package hooks

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/gittest"
)

// Status tells why a hook would not run, and runs nothing of others.
func TestStatus(t *testing.T) {
	file := func(s *site, path, text string) { s.file(path, text, 0o755) }
	for _, c := range []struct {
		name  string
		make  func(s *site)
		state State
		says  string
	}{
		{"installed", func(s *site) { s.install(false) }, Runs, ""},
		{"nothing", func(*site) {}, NotInstalled, "git plan hooks install"},
		{"chained", func(s *site) { file(s, ".git/hooks/pre-commit", theirs); s.install(true) }, Runs, ""},
		{"another's hook", func(s *site) { file(s, ".git/hooks/pre-commit", theirs) }, InTheWay, "--chain"},
		{"another's hook that calls", func(s *site) {
			file(s, ".git/hooks/pre-commit", theirs+"git plan hooks run pre-commit || exit\n")
		}, Called, "not tested"},
		{"that is not executable", func(s *site) {
			s.file(".git/hooks/pre-commit", "git plan hooks run pre-commit\n", 0o644)
		}, NotExecutable, "make it executable"},
		{"not executable", func(s *site) {
			s.install(false)
			must(s.t, os.Chmod(filepath.Join(s.Dir, ".git/hooks/pre-commit"), 0o644))
		}, NotExecutable, "git plan hooks install"},
		{"edited", func(s *site) {
			s.install(false)
			s.file(".git/hooks/pre-commit", s.Read(".git/hooks/pre-commit")+"echo hello\n", 0o755)
		}, Edited, "not tried"},
		{"shadowed", func(s *site) {
			s.install(false)
			s.Git("config", "core.hooksPath", "elsewhere")
		}, Shadowed, "core.hooksPath sends git to"},
		{"outside", func(s *site) { s.Git("config", "core.hooksPath", "/nowhere/at/all") }, NotInstalled, "not this repository's own"},
		{"husky without install", func(s *site) {
			file(s, ".husky/pre-commit", "git plan hooks run pre-commit \"$@\"\n")
		}, ManagerMissing, "run `husky`"},
		{"husky in a new worktree", func(s *site) {
			file(s, ".husky/pre-commit", "git plan hooks run pre-commit \"$@\"\n")
			s.Git("config", "core.hooksPath", ".husky/_")
		}, ManagerMissing, "in this worktree"},
		{"husky", func(s *site) {
			file(s, ".husky/pre-commit", "git plan hooks run pre-commit \"$@\"\n")
			file(s, ".husky/_/pre-commit", theirs)
			s.Git("config", "core.hooksPath", ".husky/_")
		}, Called, "husky runs it"},
		{"husky, not told", func(s *site) {
			file(s, ".husky/pre-commit", "npm test\n")
			file(s, ".husky/_/pre-commit", theirs)
			s.Git("config", "core.hooksPath", ".husky/_")
		}, NotInstalled, "add the lines"},
		{"lefthook without install", func(s *site) { file(s, "lefthook.yml", "pre-commit:\n  x: git plan hooks run pre-commit\n") }, ManagerMissing, "lefthook install"},
		{"lefthook", func(s *site) {
			file(s, "lefthook.yml", "pre-commit:\n  x: git plan hooks run pre-commit\n")
			file(s, ".git/hooks/pre-commit", "#!/bin/sh\ncall_lefthook run \"pre-commit\" \"$@\"\n")
		}, Called, "lefthook runs it"},
		{"pre-commit without install", func(s *site) { file(s, ".pre-commit-config.yaml", "repos:\n- hooks:\n  - id: git-plan\n") }, ManagerMissing, "pre-commit install --hook-type pre-commit"},
		{"pre-commit", func(s *site) {
			file(s, ".pre-commit-config.yaml", "repos:\n- hooks:\n  - id: git-plan-system # ours\n")
			file(s, ".git/hooks/pre-commit", "#!/bin/sh\n# https://pre-commit.com\n")
		}, Called, "pre-commit runs it"},
		{"the program fails", func(s *site) {
			s.install(false)
			file(s, s.program, "#!/bin/sh\necho broken indeed >&2\nexit 2\n")
		}, Fails, "broken indeed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, gittest.New(t))
			c.make(s)
			h := at(t, s.status(), PreCommit)
			if h.State != c.state || !strings.Contains(h.Message, c.says) {
				t.Errorf("%s: %s, not %s: %s", h.State, h.Message, c.state, c.says)
			}
			if ran := s.noted(); ran != "" {
				t.Errorf("there ran %q", ran)
			}
		})
	}
}

// In git's configuration there are more ways not to run.
func TestStatusOfConfigured(t *testing.T) {
	for _, c := range []struct {
		name   string
		config []string
		state  State
	}{
		{"installed", nil, Runs},
		{"turned off", []string{"hook.git-plan-pre-commit.enabled", "false"}, Disabled},
		{"with the event turned off", []string{"hook.pre-commit.enabled", "false"}, Disabled},
		{"beside another's", []string{"hook.a=b.event", "pre-commit"}, Runs},
		{"replaced", []string{"hook.git-plan-pre-commit.command", "echo mine"}, NotInstalled},
		{"with core.hooksPath", []string{"core.hooksPath", "/nowhere/at/all"}, Runs},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, gittest.New(t))
			s.scripts = false
			in := s.installer()
			if !in.readsConfig() {
				in.version = git.Version{Major: 2, Minor: 54}
				_, err := in.Install(t.Context(), InstallOptions{})
				must(t, err)
				want(t, s.status(), PreCommit, OldGit)
				t.Skip("this git does not ask its configuration for hooks")
			}
			s.file(".git/hooks/pre-commit", theirs, 0o755)
			s.install(false)
			if strings.HasPrefix(c.name, "beside") {
				s.Git("config", "hook.a=b.command", `echo theirs >>"$NOTES"`)
			}
			if c.config != nil {
				s.Git(append([]string{"config"}, c.config...)...)
			}
			want(t, s.status(), PreCommit, c.state)
			if ran := s.noted(); ran != "" {
				t.Errorf("there ran %q", ran)
			}
		})
	}
}

// One mechanism at a time: a script that is there is kept by a git that asks its
// configuration, and an older git takes a hook out of the configuration.
func TestOneWayIsEnough(t *testing.T) {
	s := newSite(t, gittest.New(t))
	s.install(false)
	newer := s.installer()
	newer.version = git.Version{Major: 2, Minor: 54}
	report, err := newer.Install(t.Context(), InstallOptions{})
	must(t, err)
	want(t, report, PreCommit, Unchanged)
	s.uninstall()
	before := s.Read(".git/config")
	newer = s.installer()
	newer.version = git.Version{Major: 2, Minor: 54}
	_, err = newer.Install(t.Context(), InstallOptions{})
	must(t, err)
	want(t, s.install(false), PreCommit, Installed)
	if s.Read(".git/config") != before {
		t.Error("the configuration still has the hooks")
	}
}

// A probe is answered where nothing is judged, and nowhere that a client of a
// server could ask for it.
func TestProbe(t *testing.T) {
	env := func(kv ...string) func(string) string {
		return func(key string) string {
			for _, one := range kv {
				if value, ok := strings.CutPrefix(one, key+"="); ok {
					return value
				}
			}
			return ""
		}
	}
	var out bytes.Buffer
	if answered, err := Probe(PrePush, env("GIT_PLAN_HOOK_PROBE=00ff"), &out); !answered || err != nil || out.String() != "git-plan-probe 00ff pre-push\n" {
		t.Errorf("%v, %v, %q", answered, err, &out)
	}
	out.Reset()
	for _, e := range [][]string{
		{}, {"GIT_PLAN_HOOK_PROBE="}, {"GIT_PLAN_HOOK_PROBE=\x1b[0m"},
		{"GIT_PLAN_HOOK_PROBE=00ff", "GIT_QUARANTINE_PATH=/x"},
		{"GIT_PLAN_HOOK_PROBE=00ff", "SSH_CONNECTION=1"},
		{"GIT_PLAN_HOOK_PROBE=00ff", "GATEWAY_INTERFACE=CGI/1.1"},
	} {
		if answered, _ := Probe(PreReceive, env(e...), &out); answered || out.Len() > 0 {
			t.Errorf("%q was answered: %q", e, &out)
		}
	}
}

// The variable alone turns nothing off, here or on a server, and nothing that is
// chained. An administrator who came by ssh can test all the same.
func TestProbeTurnsNothingOff(t *testing.T) {
	s, bare := newSite(t, gittest.New(t)), newSite(t, gittest.NewBare(t))
	bare.Git("config", "plan.guardRef", "true")
	bare.file("hooks/pre-receive", theirs, 0o755)
	s.install(false)
	bare.install(true)
	probing := s.With("GIT_PLAN_HOOK_PROBE=00ff")
	probing.Git("commit", "-q", "--allow-empty", "-m", "x")
	if ran := s.noted(); !strings.Contains(ran, "hooks run pre-commit") {
		t.Errorf("there ran %q", ran)
	}
	if _, err := probing.With("OURS=1").TryGit("commit", "--allow-empty", "-m", "x"); err == nil {
		t.Error("the commit was made")
	}
	s.uninstall()
	probing.Git("push", "-q", bare.Dir, "main:main")
	ran := s.noted()
	for _, part := range []string{"theirs: \n", "hooks run pre-receive", "hooks run reference-transaction prepared"} {
		if !strings.Contains(ran, part) {
			t.Errorf("on the server there ran %q, not %q", ran, part)
		}
	}
	bare.Repo = bare.With("SSH_CONNECTION=1 2 3 4")
	want(t, bare.status(), PreReceive, Runs)
}
