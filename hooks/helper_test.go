package hooks

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/gittest"
)

// standIn takes the place of git-plan: it answers a probe as the program does,
// else it notes its arguments and its input, and ends with the status asked for.
const standIn = `#!/bin/sh
if [ -n "$GIT_PLAN_HOOK_PROBE" ]; then echo "git-plan-probe $GIT_PLAN_HOOK_PROBE $3"; exit 0; fi
{ echo "ours: $*"; cat; } >>"$NOTES"
exit ${OURS:-0}
`

// theirs is a hook of somebody else.
const theirs = `#!/bin/sh
{ echo "theirs: $*"; cat; } >>"$NOTES"
exit ${THEIRS:-0}
`

// site is a repository with a program to install hooks of.
type site struct {
	*gittest.Repo
	t       *testing.T
	program string
	notes   string
	// scripts: as if git did not ask its configuration for hooks.
	scripts bool
}

// newSite gives a repository below a folder whose name needs quoting.
func newSite(t *testing.T, r *gittest.Repo) *site {
	t.Helper()
	bin := filepath.Join(filepath.Dir(r.Dir), `it's "bin"`)
	s := &site{t: t, program: filepath.Join(bin, "git-plan"), notes: filepath.Join(bin, "notes"), scripts: true}
	s.Repo = r.With("NOTES=" + s.notes)
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	s.file(s.program, standIn, 0o755)
	return s
}

func (s *site) discover() *gitstore.Repo {
	s.t.Helper()
	repo, err := gitstore.Discover(s.t.Context(), s.G(), "")
	if err != nil {
		s.t.Fatal(err)
	}
	return repo
}

func (s *site) installer() *Installer {
	s.t.Helper()
	in, err := NewInstaller(s.t.Context(), s.discover(), s.program)
	if err != nil {
		s.t.Fatal(err)
	}
	if s.scripts && in.readsConfig() {
		in.version = git.Version{Major: 2, Minor: 53}
	}
	return in
}

func (s *site) install(chain bool) Report {
	s.t.Helper()
	report, err := s.installer().Install(s.t.Context(), InstallOptions{Chain: chain})
	if err != nil {
		s.t.Fatal(err)
	}
	return report
}

func (s *site) uninstall() Report {
	s.t.Helper()
	report, err := s.installer().Uninstall(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return report
}

func (s *site) status() Report {
	s.t.Helper()
	report, err := s.installer().Status(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return report
}

// at gives a report's row for an event.
func at(t *testing.T, r Report, event Event) Hook {
	t.Helper()
	for _, h := range r.Hooks {
		if h.Event == event {
			return h
		}
	}
	t.Fatalf("no row for %s in %+v", event, r)
	return Hook{}
}

// want checks the state of an event's row.
func want(t *testing.T, r Report, event Event, state State) {
	t.Helper()
	if h := at(t, r, event); h.State != state {
		t.Errorf("%s is %s (%s), not %s", event, h.State, h.Message, state)
	}
}

// file writes a file outside or inside of the repository, with its folders.
func (s *site) file(path, text string, mode os.FileMode) {
	s.t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Dir, path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		s.t.Fatal(err)
	}
}

// noted gives what ran since it was last asked, and forgets it.
func (s *site) noted() string {
	s.t.Helper()
	data, err := os.ReadFile(s.notes)
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	if err := os.RemoveAll(s.notes); err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// picture gives every file and folder below a repository, with modes, links and
// content.
func picture(t *testing.T, top string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %s\n", strings.TrimPrefix(path, top), info.Mode())
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			fmt.Fprintf(&b, "-> %s\n", target)
			return err
		case info.Mode().IsRegular() && !strings.Contains(path, "/objects/"):
			data, err := os.ReadFile(path)
			fmt.Fprintf(&b, "%q\n", data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// difference gives the lines of two pictures that only one has.
func difference(before, after string) string {
	var b strings.Builder
	for mark, side := range map[string][2]string{"-": {before, after}, "+": {after, before}} {
		for line := range strings.Lines(side[0]) {
			if !strings.Contains(side[1], line) {
				b.WriteString(mark + line)
			}
		}
	}
	return b.String()
}
