package main

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A command line gets the command that it names and no other, and the whole tree
// where it names none.
func TestRootFor(t *testing.T) {
	all := catalogue()
	for i, c := range commands(&app{}) {
		if c.Name() != all[i].name {
			t.Errorf("the command %s stands in the catalogue as %s", c.Name(), all[i].name)
		}
		root := rootFor(&app{}, []string{c.Name(), "-h"})
		if made := root.Commands(); len(made) != 1 || made[0].Name() != c.Name() || len(c.Aliases) > 0 {
			t.Errorf("%s: %d commands were made", c.Name(), len(made))
		}
	}
	for _, args := range [][]string{{"--json", "status"}, {"--plan", "show", "status"}, {"--color", "--agent=a", "--push", "status", "next"}} {
		if made := rootFor(&app{}, args).Commands(); len(made) != 1 || made[0].Name() != "status" {
			t.Errorf("%q: %d commands were made", args, len(made))
		}
	}
	for _, args := range [][]string{nil, {"-h"}, {"--json"}, {"--plan", "status"}, {"--bogus", "status"}, {"help", "status"}, {"__complete", "sta"}, {"stauts"}} {
		if made := rootFor(&app{}, args).Commands(); len(made) != len(all) {
			t.Errorf("%q: %d of %d commands were made", args, len(made), len(all))
		}
	}
}

// One signal ends a command that waits for somebody to write to a pipe.
func TestSignalEndsReading(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such pipes, nor signals")
	}
	g := gittest.New(t)
	g.Git("plan", "init")
	g.Git("config", "plan.guardRef", "true")
	for _, args := range [][]string{
		{"import", "-"}, {"convert", "-", "--to", "planspec"}, {"update", "-"}, {"apply", "auth", "-"}, {"show", "-"},
		{"hooks", "run", "pre-push", "origin", "x"}, {"hooks", "run", "pre-receive"}, {"hooks", "run", "reference-transaction", "prepared"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("git-plan", args...)
			cmd.Dir, cmd.Env = g.Dir, g.Env
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			time.Sleep(300 * time.Millisecond) // most likely it reads by then; if not, it ends all the same
			_ = cmd.Process.Signal(syscall.SIGTERM)
			select {
			case <-ended:
				if status := cmd.ProcessState.ExitCode(); status != exitStop && status != -1 {
					t.Errorf("status %d", status)
				}
			case <-time.After(patience):
				_ = cmd.Process.Kill()
				t.Error("it does not end")
			}
		})
	}
}

// A command that has nothing to read asks nobody to type it.
func TestNothingIsNotTyped(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var said strings.Builder
	a := newApp(Env{Stdin: null, Stderr: &said})
	if _, err := a.readStdin(t.Context(), "the payload", 10); err != nil || said.String() != "" {
		t.Errorf("%v, and %q is said", err, said.String())
	}
}
