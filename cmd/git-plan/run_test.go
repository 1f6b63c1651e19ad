package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// A command line gets the command that it begins with and no other, and the
// whole tree where it begins with none.
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
	for _, args := range [][]string{nil, {"-h"}, {"--json", "status"}, {"help", "status"}, {"__complete", "sta"}, {"stauts"}} {
		if made := rootFor(&app{}, args).Commands(); len(made) != len(all) {
			t.Errorf("%q: %d of %d commands were made", args, len(made), len(all))
		}
	}
}

// A command that waits where nothing interrupts it, as for somebody to write to
// a pipe, ends with the second signal.
func TestSecondSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such pipes")
	}
	g := gittest.New(t)
	g.Git("plan", "init")
	if out, err := exec.Command("mkfifo", filepath.Join(g.Dir, "pipe")).CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	cmd := exec.Command("git-plan", "import", "pipe")
	cmd.Dir, cmd.Env = g.Dir, g.Env
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for range 100 {
		select {
		case <-ended:
			return
		case <-time.After(100 * time.Millisecond):
			_ = cmd.Process.Signal(os.Interrupt)
		}
	}
	_ = cmd.Process.Kill()
	t.Error("it does not end")
}
