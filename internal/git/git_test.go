package git_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/gittest"
)

func TestReadAndWrite(t *testing.T) {
	ctx, r := t.Context(), gittest.New(t)
	g := r.G()
	head, err := g.ReadLine(ctx, "rev-parse", "HEAD")
	if err != nil || head != r.Git("rev-parse", "HEAD") {
		t.Errorf("ReadLine = %q, %v", head, err)
	}
	out, err := g.ReadInput(ctx, strings.NewReader("x"), "hash-object", "--stdin")
	if err != nil || len(out) != 41 {
		t.Errorf("ReadInput = %q, %v", out, err)
	}
	if _, err := g.Write(ctx, nil, "update-ref", "refs/heads/other", head); err != nil {
		t.Error(err)
	}
	if got := r.Git("rev-parse", "refs/heads/other"); got != head {
		t.Errorf("Write moved the ref to %q", got)
	}
}

func TestError(t *testing.T) {
	ctx, g := t.Context(), gittest.New(t).G()
	_, err := g.Read(ctx, "rev-parse", "--verify", "nope")
	var e *git.Error
	if !errors.As(err, &e) || e.Status != 128 || git.Status(err) != 128 {
		t.Fatalf("err = %#v", err)
	}
	if err.Error() != "Needed a single revision" || !git.Said(err, "single revision") || git.IsMissing(err) {
		t.Errorf("words = %q", err)
	}
	_, err = g.Read(ctx, "config", "--get", "no.such")
	if !git.IsMissing(err) || err.Error() != "git config: exit status 1" {
		t.Errorf("a missing key gives %v", err)
	}
	if _, err = g.WithEnv("GIT_TRACE=1").Read(ctx, "config", "--get", "no.such"); !git.IsMissing(err) {
		t.Errorf("traced, a missing key gives %v", err)
	}
	if _, err = g.Read(ctx, "config", "--get", "nosuch"); git.Status(err) != 1 || git.IsMissing(err) {
		t.Errorf("a bad key gives %v", err)
	}
	if err = (&git.Error{Status: 128, Stderr: "error: \nfatal: failed to write commit object\n"}); err.Error() != "failed to write commit object" {
		t.Errorf("a line without words hides the next: %q", err)
	}
	if git.Status(nil) != 0 || git.Status(errors.New("x")) != -1 {
		t.Error("Status of what is no refusal")
	}
	_, err = g.In(filepath.Join(g.Dir, "nowhere")).Read(ctx, "version")
	if err == nil || git.Status(err) != -1 {
		t.Errorf("a missing folder gives %v", err)
	}
}

func TestReadBothGivesWarnings(t *testing.T) {
	r := gittest.New(t)
	r.Write(".git/refs/heads/broken", "")
	_, said, err := r.G().ReadBoth(t.Context(), "for-each-ref", "refs/heads/broken")
	if err != nil || !strings.Contains(said, "refs/heads/broken") {
		t.Errorf("said %q, %v", said, err)
	}
}

func TestEnvironment(t *testing.T) {
	r := gittest.New(t)
	other := gittest.New(t)
	g := r.G().WithEnv("GIT_DIR="+filepath.Join(r.Dir, ".git"), "A=1", "A=2")
	if g.Getenv("A") != "2" || g.Getenv("B") != "" {
		t.Errorf("A = %q", g.Getenv("A"))
	}
	top := func(g git.Git) string {
		line, err := g.ReadLine(t.Context(), "rev-parse", "--absolute-git-dir")
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Dir(line)
	}
	if got := top(g.In(other.Dir)); got != r.Dir {
		t.Errorf("In followed the folder, not GIT_DIR: %s", got)
	}
	if got := top(g.Elsewhere(other.Dir)); got != other.Dir {
		t.Errorf("Elsewhere went to %s", got)
	}
	t.Setenv("GIT_PLAN_SEEN", "yes")
	if (git.Git{}).Getenv("GIT_PLAN_SEEN") != "yes" || (git.Git{}).WithEnv("X=1").Getenv("GIT_PLAN_SEEN") != "yes" {
		t.Error("a nil Env is not the process's environment")
	}
}

func TestVariables(t *testing.T) {
	g := git.Git{Env: []string{"GITHEAD_b=x", "PATH=/", "GITHEAD_a=1", "GITHEAD_b=y", "GITHEAD_", "XGITHEAD_c=1"}}
	if got := strings.Join(g.Variables("GITHEAD_"), " "); got != "GITHEAD_a GITHEAD_b" {
		t.Errorf("got %q", got)
	}
}

// Each variable that git calls local to a repository must be dropped.
func TestElsewhereDropsAllLocalVariables(t *testing.T) {
	r := gittest.New(t)
	names := strings.Fields(r.Git("rev-parse", "--local-env-vars"))
	g := git.Git{Env: []string{"KEEP=1"}}
	for _, name := range names {
		g = g.WithEnv(name + "=1")
	}
	if got := g.Elsewhere("/x").Env; len(got) != 1 || got[0] != "KEEP=1" {
		t.Errorf("left over: %q", got)
	}
}

// Git is found on the PATH it will run with, and never in the folder it runs in.
func TestProgramComesFromEnv(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\necho fake $LC_ALL $GIT_OPTIONAL_LOCKS\n"
	gittest.Script(t, filepath.Join(dir, "git"), script)
	g := git.Git{Dir: dir, Env: []string{"PATH=" + dir + ":/bin:/usr/bin", "LC_ALL=de_DE"}}
	if out, err := g.ReadLine(t.Context(), "version"); err != nil || out != "fake C 0" {
		t.Errorf("Read ran %q, %v", out, err)
	}
	g.Env = []string{"PATH=.:" + os.Getenv("PATH")}
	if out, err := g.ReadLine(t.Context(), "version"); err != nil || !strings.HasPrefix(out, "git version") {
		t.Errorf("a relative PATH entry ran %q, %v", out, err)
	}
}

func TestProcess(t *testing.T) {
	r := gittest.New(t)
	p, err := r.G().Start(t.Context(), "cat-file", "--batch-check")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Stdin.Write([]byte("HEAD\n")); err != nil {
		t.Fatal(err)
	}
	if line, err := p.Stdout.ReadString('\n'); err != nil || !strings.Contains(line, " commit ") {
		t.Errorf("answer %q, %v", line, err)
	}
	if err := errors.Join(p.Close(), p.Close()); err != nil {
		t.Error(err)
	}
	p, err = r.G().Start(t.Context(), "cat-file", "--no-such-option")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); git.Status(err) != 129 || p.Stderr() == "" {
		t.Errorf("Close = %v", err)
	}
}

// A cancelled child is asked to end, so that it removes its locks.
func TestCancelLeavesNoLock(t *testing.T) {
	r := gittest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	p, err := r.G().Start(ctx, "update-ref", "--stdin")
	if err != nil {
		t.Fatal(err)
	}
	head := r.Git("rev-parse", "HEAD")
	if _, err := p.Stdin.Write([]byte("start\ncreate refs/heads/x " + head + "\nprepare\n")); err != nil {
		t.Fatal(err)
	}
	waitFor(t, p.Stdout, "prepare: ok")
	lock := filepath.Join(r.Dir, ".git/refs/heads/x.lock")
	if _, err := os.Stat(lock); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := p.Close(); !errors.Is(err, context.Canceled) {
		t.Errorf("Close = %v", err)
	}
	if _, err := os.Stat(lock); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock is still there: %v", err)
	}
}

func waitFor(t *testing.T, from *bufio.Reader, want string) {
	t.Helper()
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			t.Fatalf("waiting for %q: %v", want, err)
		}
		if strings.TrimSpace(line) == want {
			return
		}
	}
}

func TestDetach(t *testing.T) {
	r := gittest.New(t)
	if err := r.G().Detach("update-ref", "refs/heads/later", "HEAD"); err != nil {
		t.Fatal(err)
	}
	gittest.Until(t, "the detached child", func() bool {
		_, err := r.TryGit("rev-parse", "--verify", "-q", "refs/heads/later")
		return err == nil
	})
}

// Only the end of an endless complaint is kept.
func TestStderrIsBounded(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' x >&2\necho end >&2\nexit 3\n"
	gittest.Script(t, filepath.Join(dir, "git"), script)
	g := git.Git{Env: []string{"PATH=" + dir + ":/bin:/usr/bin"}}
	_, err := g.Write(t.Context(), nil, "x")
	if git.Status(err) != 3 || len(err.Error()) > 64<<10 || !strings.HasSuffix(err.Error(), "end") {
		t.Errorf("status %d, %d bytes", git.Status(err), len(err.Error()))
	}
}

// What a hook leaves running, or a connection that ssh keeps, holds the standard
// error of git: nobody waits for that, and it may go on to speak.
func TestLingeringIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	gittest.Script(t, filepath.Join(dir, "git"), "#!/bin/sh\necho warned >&2\n"+
		"( i=0; while ! test -e go && test $i -lt 30000; do i=$((i+1)); sleep 0.02; done; echo later; echo later; : >said ) >&2 &\necho out\n")
	g := git.Git{Dir: dir, Env: []string{"PATH=" + dir + ":/bin:/usr/bin"}}
	out, said, err := g.ReadBoth(t.Context(), "push")
	if err != nil || string(out) != "out\n" || said != "warned" {
		t.Errorf("got %q, %q, %v", out, said, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "said")); err == nil {
		t.Error("the one that lingers was waited for")
	}
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	gittest.Until(t, "what it says later, which must not end it", func() bool {
		_, err := os.Stat(filepath.Join(dir, "said"))
		return err == nil
	})
}

// A git that was started to fetch what is missing outlives the one that asked
// for it, and holds its output: nobody waits for that.
func TestEndedChildIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	gittest.Script(t, filepath.Join(dir, "git"), "#!/bin/sh\nsleep 3000 &\necho $!\nexec sleep 3000\n")
	g := git.Git{Env: []string{"PATH=" + dir + ":/bin:/usr/bin"}}
	for name, end := range map[string]func(*git.Process, func()){
		"kill":   func(p *git.Process, _ func()) { p.Kill() },
		"cancel": func(_ *git.Process, cancel func()) { cancel() },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		p, err := g.Start(ctx, "cat-file")
		if err != nil {
			t.Fatal(err)
		}
		line, err := p.Stdout.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(50*time.Millisecond, func() { end(p, cancel) })
		if line, err := p.Stdout.ReadString('\n'); err == nil {
			t.Errorf("%s: read %q", name, line)
		}
		id, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.FindProcess(id)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err == nil {
			t.Errorf("%s: Close gives no error", name)
		}
		_ = other.Kill()
		cancel()
	}
}
