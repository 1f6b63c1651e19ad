package hooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

// Native git reaches the program with its arguments and input, by script and by
// configuration, from wherever git is run.
func TestHooksRun(t *testing.T) {
	for _, how := range []string{"scripts", "configuration"} {
		t.Run(how, func(t *testing.T) {
			s := newSite(t, gittest.New(t))
			s.scripts = how == "scripts"
			if !s.scripts && !s.installer().readsConfig() {
				t.Skip("this git does not ask its configuration for hooks")
			}
			s.install(false)
			s.file("a dir/x", "x", 0o644)
			s.Git("worktree", "add", "-q", "../linked")
			s.noted()
			for _, dir := range []string{s.Dir, filepath.Join(s.Dir, "a dir"), filepath.Join(filepath.Dir(s.Dir), "linked")} {
				s.At(dir).Git("commit", "-q", "--allow-empty", "-m", "x")
				ran := s.noted()
				for _, line := range []string{"hooks run pre-commit\n", "hooks run prepare-commit-msg ", "hooks run commit-msg "} {
					if !strings.Contains(ran, line) {
						t.Errorf("in %s there ran %q, not %q", dir, ran, line)
					}
				}
			}
			bare := newSite(t, gittest.NewBare(t))
			bare.scripts = s.scripts
			bare.install(false)
			s.Git("push", "-q", bare.Dir, "main:main")
			head := s.Git("rev-parse", "main")
			zero := strings.Repeat("0", 40)
			if ran, want := s.noted(), "ours: hooks run pre-push "+bare.Dir+" "+bare.Dir+"\nrefs/heads/main "+head+" refs/heads/main "+zero+"\n"; !strings.HasPrefix(ran, want) {
				t.Errorf("before the push there ran %q", ran)
			}
		})
	}
}

// What the program refuses is refused.
func TestHooksRefuse(t *testing.T) {
	s := newSite(t, gittest.New(t))
	s.install(false)
	if _, err := s.With("OURS=1").TryGit("commit", "--allow-empty", "-m", "x"); err == nil {
		t.Error("the commit was made")
	}
	bare := newSite(t, gittest.NewBare(t))
	bare.install(false)
	s.uninstall()
	if _, err := s.With("OURS=1").TryGit("push", bare.Dir, "main:main"); err == nil {
		t.Error("the push landed")
	}
}

// A chained hook runs first, with the same arguments and the same input, and
// refuses by itself.
func TestChain(t *testing.T) {
	s := newSite(t, gittest.New(t))
	bare := newSite(t, gittest.NewBare(t))
	temp := t.TempDir()
	bare.Repo = bare.With("NOTES=" + s.notes)
	s.Repo = s.With("TMPDIR=" + temp)
	for _, event := range []Event{PreCommit, CommitMsg, PrePush} {
		s.file(".git/hooks/"+string(event), theirs, 0o755)
	}
	bare.file("hooks/pre-receive", theirs, 0o755)
	s.install(true)
	bare.install(true)

	s.Git("commit", "-q", "--allow-empty", "-m", "x")
	ran := s.noted()
	for _, both := range []string{"theirs: \nours: hooks run pre-commit\n", "theirs: .git/COMMIT_EDITMSG\nours: hooks run commit-msg .git/COMMIT_EDITMSG\n"} {
		if !strings.Contains(ran, both) {
			t.Errorf("there ran %q, not %q", ran, both)
		}
	}
	s.Git("push", "-q", bare.Dir, "main:main")
	ran = s.noted()
	head, zero := s.Git("rev-parse", "main"), strings.Repeat("0", 40)
	fed := "refs/heads/main " + head + " refs/heads/main " + zero + "\n"
	args := bare.Dir + " " + bare.Dir + "\n"
	if want := "theirs: " + args + fed + "ours: hooks run pre-push " + args + fed; !strings.HasPrefix(ran, want) {
		t.Errorf("there ran\n%s\nnot\n%s", ran, want)
	}
	received := zero + " " + head + " refs/heads/main\n"
	if want := "theirs: \n" + received + "ours: hooks run pre-receive\n" + received; !strings.HasSuffix(ran, want) {
		t.Errorf("there ran\n%s\nnot\n%s", ran, want)
	}

	if _, err := s.With("THEIRS=3").TryGit("commit", "--allow-empty", "-m", "x"); err == nil || strings.Contains(s.noted(), "ours") {
		t.Error("what the chained hook refuses was not refused")
	}
	s.Git("commit", "-q", "--allow-empty", "-m", "more")
	if _, err := s.With("THEIRS=3").TryGit("push", bare.Dir, "main:main"); err == nil {
		t.Error("what the chained hook refuses was pushed")
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("the hooks left %v, %v", left, err)
	}
}

// All three phases of a transaction reach a chained hook; ours is spared those
// in which nothing can be refused.
func TestReferenceTransaction(t *testing.T) {
	s := newSite(t, gittest.New(t))
	s.Git("config", "plan.guardRef", "true")
	s.install(false)
	s.Git("update-ref", "refs/heads/x", "HEAD")
	ran := s.noted()
	if !strings.Contains(ran, "reference-transaction prepared\n") || strings.Contains(ran, "committed") {
		t.Errorf("there ran %q", ran)
	}
	if _, err := s.With("OURS=1").TryGit("update-ref", "refs/heads/y", "HEAD"); err == nil {
		t.Error("what it refuses was done")
	}
	s.uninstall()
	s.file(".git/hooks/reference-transaction", theirs, 0o755)
	s.install(true)
	s.noted()
	s.Git("update-ref", "refs/heads/z", "HEAD")
	ran = s.noted()
	if !strings.Contains(ran, "theirs: prepared\n") || !strings.Contains(ran, "theirs: committed\n") || strings.Contains(ran, "ours: hooks run reference-transaction committed") {
		t.Errorf("chained, there ran %q", ran)
	}
}

// Without the program a client warns and goes on, and a server refuses. With
// another on PATH, that one runs, unless PATH leads into the project.
func TestMissingProgram(t *testing.T) {
	t.Setenv("PATH", withoutProgram(os.Getenv("PATH")))
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git and git-plan are in one folder of PATH")
	}
	for _, how := range []string{"scripts", "configuration"} {
		t.Run(how, func(t *testing.T) {
			s, bare := newSite(t, gittest.New(t)), newSite(t, gittest.NewBare(t))
			s.scripts, bare.scripts = how == "scripts", how == "scripts"
			if !s.scripts && !s.installer().readsConfig() {
				t.Skip("this git does not ask its configuration for hooks")
			}
			s.install(false)
			bare.install(false)
			must(t, os.Rename(s.program, s.program+"2"))
			must(t, os.Rename(bare.program, bare.program+"2"))
			said := stderrOf(t, s.Repo, "commit", "--allow-empty", "-m", "x")
			if !strings.Contains(said, "warning: git-plan is not found, so its pre-commit hook did not run: install git-plan") {
				t.Errorf("the client said %q", said)
			}
			want(t, s.status(), PreCommit, NoProgram)
			want(t, bare.status(), PreReceive, NoProgram)
			if _, err := s.TryGit("push", bare.Dir, "main:main"); err == nil || !strings.Contains(err.Error(), "refuses what it cannot judge: install git-plan on this server") {
				t.Errorf("the server said %v", err)
			}
			elsewhere := filepath.Join(t.TempDir(), "bin")
			s.file(filepath.Join(elsewhere, "git-plan"), standIn, 0o755)
			s.noted()
			s.With("PATH="+elsewhere+":"+os.Getenv("PATH")).Git("commit", "-q", "--allow-empty", "-m", "x")
			if ran := s.noted(); !strings.Contains(ran, "hooks run pre-commit") {
				t.Errorf("by PATH there ran %q", ran)
			}
			s.file("git-plan", standIn, 0o755)
			s.With("PATH=.:"+os.Getenv("PATH")).Git("commit", "-q", "--allow-empty", "-m", "x")
			if ran := s.noted(); ran != "" {
				t.Errorf("what lies in the project ran: %q", ran)
			}
		})
	}
}

// withoutProgram leaves out of a search path the folders in which git-plan is installed.
func withoutProgram(path string) string {
	dirs := slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "git-plan"))
		return err == nil
	})
	return strings.Join(dirs, string(os.PathListSeparator))
}

// stderrOf gives what a git that succeeds said.
func stderrOf(t *testing.T, r *gittest.Repo, args ...string) string {
	t.Helper()
	_, said, err := r.G().ReadBoth(t.Context(), args...)
	must(t, err)
	return said
}

// Every shell there is runs the scripts alike.
func TestShells(t *testing.T) {
	for _, shell := range []string{"dash", "bash", "busybox", "ksh", "zsh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		t.Run(shell, func(t *testing.T) {
			s := newSite(t, gittest.New(t))
			for _, event := range []Event{PreCommit, PrePush, ReferenceTransaction} {
				chained := s.installer().shim(event)
				chained.chained = true
				file := filepath.Join(t.TempDir(), "a hook")
				s.file(file, chained.script(), 0o755)
				s.file(file+chainedSuffix, theirs, 0o755)
				args := []string{file, "one", "t w o"}
				if shell == "busybox" {
					args = append([]string{"sh"}, args...)
				}
				cmd := exec.Command(path, args...)
				cmd.Env, cmd.Stdin = s.Env, strings.NewReader("fed\n")
				if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
					t.Fatalf("%v: %s", err, out)
				}
				fed := "fed\n"
				ours := fed
				if !event.readsInput() {
					ours = "" // git gives it none, so the first may have it
				}
				if ran, want := s.noted(), "theirs: one t w o\n"+fed+"ours: hooks run "+string(event)+" one t w o\n"+ours; ran != want {
					t.Errorf("there ran\n%s\nnot\n%s", ran, want)
				}
			}
		})
	}
}

// A shim knows itself, whatever is in it, and knows that it was edited.
func TestReadShim(t *testing.T) {
	for _, event := range Events() {
		for _, s := range []shim{{event: event, program: "/a b/it's/git-plan"}, {event: event, server: true, chained: true}} {
			text := s.script()
			if got := readShim(text); !got.ours || !got.intact {
				t.Errorf("%+v is read as %+v", s, got)
			}
			if got := readShim(text + "echo more\n"); !got.ours || got.intact {
				t.Errorf("edited it is read as %+v", got)
			}
			if command := s.command(); !isOurCommand(command) || isOurCommand(command+" ") || strings.Contains(command, "\n") && !s.chained {
				t.Errorf("the command is not known: %s", command)
			}
		}
	}
	if readShim(theirs).ours || isOurCommand("git plan hooks run pre-commit") {
		t.Error("another's hook is taken for ours")
	}
}

// The lines for a hook that a person wrote run git plan with the input, and
// leave it to the rest.
func TestCallLines(t *testing.T) {
	s := newSite(t, gittest.New(t))
	path := filepath.Dir(s.program) + ":" + os.Getenv("PATH")
	for _, event := range Events() {
		for _, fed := range []string{"a b\n$HOME `x`\n", ""} {
			file := filepath.Join(t.TempDir(), string(event))
			text := callLines(event)
			s.file(file, strings.Replace(theirs, "\n", "\n"+text, 1), 0o755)
			cmd := exec.Command(file, "one")
			cmd.Env, cmd.Dir = append(s.Env, "PATH="+path), s.Dir
			if event.readsInput() {
				cmd.Stdin = strings.NewReader(fed)
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if !event.readsInput() {
				fed = ""
			}
			want := "ours: hooks run " + string(event) + " one\n" + fed + "theirs: one\n" + fed
			if ran := s.noted(); ran != want || !callsUs(text, event) {
				t.Errorf("there ran\n%q\nnot\n%q", ran, want)
			}
		}
	}
}

func TestCallsUs(t *testing.T) {
	for text, want := range map[string]bool{
		"git plan hooks run pre-commit":                  true,
		"  run: git-plan hooks run pre-commit {0}":       true,
		"x && /opt/git-plan hooks run pre-commit \"$@\"": true,
		"git plan hooks run pre-commit;":                 true,
		"# git plan hooks run pre-commit":                false,
		"git plan hooks run pre-push":                    false,
		"git plan check":                                 false,
		"":                                               false,
	} {
		if callsUs("#!/bin/sh\n"+text+"\n", PreCommit) != want {
			t.Errorf("%q: not %v", text, want)
		}
	}
}
