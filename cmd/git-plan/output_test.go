package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// fullDisk is a device that takes nothing more.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// An answer that nobody got is a failure, and that is told once.
func TestLostOutput(t *testing.T) {
	g := gittest.New(t)
	for _, line := range []string{"init --no-hooks", "list", "list --json", "log", "guide", "explain --json"} {
		var stderr strings.Builder
		status := Main(Env{Stdin: strings.NewReader(""), Stdout: fullDisk{}, Stderr: &stderr, Dir: g.Dir, Environ: g.Env, Now: time.Now}, strings.Fields(line))
		if got := stderr.String(); status != exitFatal || got != "fatal: the output could not be written: no space left\n" {
			t.Errorf("%s ends with %d and says %q", line, status, got)
		}
	}
}
