package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
)

// patience is how long a test waits for what must come.
const patience = gittest.Hang

// follower is a running `git plan events --follow`.
type follower struct {
	t      *testing.T
	cmd    *exec.Cmd
	out    io.ReadCloser
	lines  chan string
	errors chan string
}

func follow(t *testing.T, g *gittest.Repo, args ...string) *follower {
	t.Helper()
	f := &follower{t: t, cmd: exec.Command("git-plan", append([]string{"events", "--follow"}, args...)...)}
	f.cmd.Dir, f.cmd.Env = g.Dir, g.Env
	var err error
	if f.out, err = f.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	complain, err := f.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.cmd.Process.Kill() })
	f.lines, f.errors = linesOf(f.out), linesOf(complain)
	return f
}

func linesOf(r io.Reader) chan string {
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(r); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

// expect waits for the next line, which must hold all of these words.
func (f *follower) expect(lines chan string, words ...string) {
	f.t.Helper()
	select {
	case line, ok := <-lines:
		for _, w := range words {
			if !strings.Contains(line, w) || !ok {
				f.t.Fatalf("there is no %s in the next line, %q", w, line)
			}
		}
	case <-time.After(patience):
		f.t.Fatalf("waited for %v in vain", words)
	}
}

// end waits for the end and gives the exit status.
func (f *follower) end() int {
	f.t.Helper()
	timer := time.AfterFunc(patience, func() { _ = f.cmd.Process.Kill() })
	defer timer.Stop()
	for line := range f.lines {
		f.t.Errorf("one more line: %s", line)
	}
	err := f.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, os.ErrClosed) {
		f.t.Fatal(err)
	}
	return f.cmd.ProcessState.ExitCode()
}

// A follower sees what is added whether the ref is loose or packed, tells of a
// rewritten branch, and ends when it is interrupted.
func TestFollow(t *testing.T) {
	t.Parallel()
	e := newEncounter(t, newMeetingSeed(t))
	f := follow(t, e.a)
	f.expect(f.lines, `"type":"PLAN_CREATED","plan":"auth"`, `"document":{"id":"auth"`)
	f.expect(f.lines, `"type":"PLAN_CREATED","plan":"board"`)
	f.expect(f.lines, `"type":"PLAN_CREATED","plan":"shop"`)
	f.expect(f.lines, `"type":"PLAN_COMPLETED","plan":"shop"`)
	e.plan(e.a, "task", "start", "auth/one")
	f.expect(f.lines, `"type":"STEP_STARTED","plan":"auth","task":"one","step_index":0`, `"agent":"ant"`)
	e.a.Git("pack-refs", "--all")
	e.plan(e.a, "task", "done", "auth/one", "--result", "it works")
	f.expect(f.lines, `"type":"STEP_COMPLETED"`, `"task":"one"`, `"output":"it works"`)
	e.a.Git("branch", "-f", "plans", "plans~2")
	f.expect(f.errors, "warning: branch plans was rewritten")
	e.plan(e.a, "task", "skip", "auth/one")
	f.expect(f.lines, `"type":"STEP_SKIPPED"`, `"task":"one"`)
	if runtime.GOOS == "windows" {
		return
	}
	if err := f.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if status := f.end(); status != exitStop {
		t.Errorf("ended with status %d", status)
	}
	for line := range f.errors {
		t.Errorf("it complains: %s", line)
	}
}

// What a sync merges is told once: a follower of one side does not hear again
// what that side did.
func TestFollowThroughMerge(t *testing.T) {
	t.Parallel()
	e := newEncounter(t, newMeetingSeed(t))
	e.plan(e.b, "task", "done", "auth/one", "--result", "by bee")
	e.plan(e.b, "sync")
	f := follow(t, e.a, "auth")
	f.expect(f.lines, `"type":"PLAN_CREATED","plan":"auth"`)
	e.plan(e.a, "task", "start", "auth/two")
	f.expect(f.lines, `"type":"STEP_STARTED"`, `"task":"two"`)
	e.plan(e.a, "sync")
	f.expect(f.lines, `"type":"STEP_COMPLETED"`, `"task":"one"`, `"agent":"bee"`)
	e.plan(e.a, "task", "fail", "auth/two", "-m", "broken")
	f.expect(f.lines, `"type":"STEP_FAILED"`, `"task":"two"`, `"error":"broken"`)
}

// A follower that nobody reads ends by itself.
func TestFollowIsAlone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere it shows at the next write")
	}
	t.Parallel()
	e := newEncounter(t, newMeetingSeed(t))
	f := follow(t, e.a, "nobody")
	f.expect(f.errors, `warning: no such plan: "nobody"`, "waiting for it")
	if err := f.out.Close(); err != nil {
		t.Fatal(err)
	}
	if status := f.end(); status != 0 {
		t.Errorf("ended with status %d", status)
	}
}
