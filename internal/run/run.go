// Package run runs one program of the user's: the one whose words were typed
// after `--` on the command line of git plan, or the one that git's configuration
// names to answer prompts. Nothing that comes from a plan, from a file of the
// store or the project, or from an answer ever gets here.
//
// [Command.Run] and [Question.Ask] are the entries. No shell is involved; whoever
// wants one names it, as in `sh -c '…'`.
package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Exit statuses of a program that could not be run, as shells have them.
const (
	NotExecutable = 126
	NotFound      = 127
	// BySignal and a signal's number are the status of a program that it ended.
	BySignal = 128
)

// patience is how long a program that was interrupted may take to end before
// it is asked once more, and how long output is waited for that something it
// left behind holds open.
const patience = 5 * time.Second

// Command is a program to run.
type Command struct {
	// Words are the program and its arguments; there is at least one.
	Words []string
	Dir   string
	// Env is the whole environment, as "KEY=value". Its PATH is where the
	// program is looked for.
	Env   []string
	Stdin io.Reader
	// Stdout and Stderr get the output as it comes.
	Stdout, Stderr io.Writer

	wait time.Duration // in the place of patience, for tests
}

// Result is how a program ended.
type Result struct {
	// Status is its exit status, or [BySignal] and the number of the signal that
	// ended it.
	Status int
	// Output is the end of what it printed on both streams, as it came.
	Output []byte
	// Interrupted says that the user stopped it, so that its status tells
	// nothing.
	Interrupted bool
}

// StartError is returned when the program could not be run at all.
type StartError struct {
	// Status is [NotFound] or [NotExecutable].
	Status int
	Word   string
	err    error
}

func (e *StartError) Error() string {
	if e.Status == NotFound {
		return fmt.Sprintf("command not found: %s; name a program, or a shell with `sh -c '…'`", e.Word)
	}
	return fmt.Sprintf("%s cannot be run: %v", e.Word, e.err)
}

func (e *StartError) Unwrap() error { return e.err }

// Run runs the program to its end. An interrupt at the terminal reaches it
// from there; a request to end that only this process got is passed on. The
// error is a *[StartError], or nil.
func (c Command) Run(ctx context.Context) (Result, error) {
	kept := &tail{}
	c.Stdout, c.Stderr = both{kept, c.Stdout}, both{kept, c.Stderr}
	cmd, err := c.program()
	if err != nil {
		return Result{}, err
	}
	forward := make(chan os.Signal, 4)
	signal.Notify(forward, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // else the program is to outlive the terminal, too
		signal.Notify(forward, syscall.SIGHUP)
	}
	defer signal.Stop(forward)
	closed := make(chan os.Signal, 1) // or a reader who went away would end this process
	signal.Notify(closed, syscall.SIGPIPE)
	defer signal.Stop(closed)
	asked := ctx.Done() // before there is a program that would be left alone
	if err := cmd.Start(); err != nil {
		return Result{}, startError(c.Words[0], err)
	}
	ended := make(chan struct{})
	stopped := make(chan bool, 1)
	go func() { stopped <- pass(asked, cmd, forward, ended) || ctx.Err() != nil }()
	_ = cmd.Wait() // how it ended is in its state
	close(ended)
	return Result{Status: status(cmd.ProcessState), Output: kept.bytes(), Interrupted: <-stopped}, nil
}

// program is what is to be started.
func (c Command) program() (*exec.Cmd, error) {
	program, err := c.find()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, c.Words[1:]...)
	cmd.Args[0] = c.Words[0]
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Dir, c.Env, c.Stdin, c.Stdout, c.Stderr
	cmd.WaitDelay = cmp.Or(c.wait, patience)
	return cmd, nil
}

// pass hands signals on until the program has ended, and reports whether there
// were any.
func pass(asked <-chan struct{}, cmd *exec.Cmd, forward <-chan os.Signal, ended <-chan struct{}) bool {
	stopped := false
	var again <-chan time.Time
	for {
		select {
		case <-ended:
			return stopped
		case s := <-forward:
			stopped = true
			_ = cmd.Process.Signal(s) // it may have ended just now
		case <-asked:
			stopped, asked, again = true, nil, time.After(cmd.WaitDelay)
		case <-again:
			_ = cmd.Process.Signal(syscall.SIGTERM)
		}
	}
}

// find looks the program up on the PATH that it will see itself, never in the
// folder it runs in unless the word names a path.
func (c Command) find() (string, error) {
	word := c.Words[0]
	if strings.ContainsRune(word, '/') || runtime.GOOS == "windows" {
		name := word
		if !filepath.IsAbs(name) && strings.ContainsRune(word, '/') {
			name = filepath.Join(c.Dir, name)
		}
		found, err := exec.LookPath(name)
		return found, startError(word, err)
	}
	var denied error
	for _, dir := range filepath.SplitList(c.path()) {
		if !filepath.IsAbs(dir) {
			continue
		}
		found, err := exec.LookPath(filepath.Join(dir, word))
		if err == nil {
			return found, nil
		}
		if errors.Is(err, fs.ErrPermission) {
			denied = err
		}
	}
	if denied == nil {
		denied = exec.ErrNotFound
	}
	return "", startError(word, denied)
}

func (c Command) path() string {
	value := ""
	for _, kv := range c.Env {
		if v, ok := strings.CutPrefix(kv, "PATH="); ok {
			value = v
		}
	}
	return value
}

func startError(word string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return &StartError{NotFound, word, err}
	}
	var inner *exec.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return &StartError{NotExecutable, word, err}
}

func status(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return BySignal + int(w.Signal())
	}
	return s.ExitCode()
}

// both keeps what is printed and passes it on. Whoever reads it may go away, as
// head does: the program goes on, and ends as it would have.
type both struct {
	kept *tail
	to   io.Writer
}

func (b both) Write(p []byte) (int, error) {
	_, _ = b.to.Write(p)
	return b.kept.Write(p)
}

// tail keeps the end of what was written to it, from both streams.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write keeps p, dropping the oldest bytes over the bound.
func (t *tail) Write(p []byte) (int, error) {
	const most = 64 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - most; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept
}
