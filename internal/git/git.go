// Package git is the only code that runs git.
//
// Begin with [Git.Read] for a command that only looks and [Git.Write] for one
// that changes something; both give git's standard output. A child that stays
// alive, such as "git cat-file --batch", comes from [Git.Start]. A command that
// git refused ends in *[Error], which speaks git's own words.
//
// No shell is ever involved, but for the user's pager: see [Git.StartPager].
// Messages come in the C locale, so that callers may
// look for a phrase in them. Whatever a user typed belongs behind
// --end-of-options or on standard input, never where an option could stand.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// grace is how long a child may clean up its lock files after it was asked to
// end, before it is killed. It also bounds the wait for the end of a child's
// output once the child is gone: on a loaded machine another child that is
// just being made can hold the pipe for a while.
const grace = 15 * time.Second

// Git says where and with which environment git runs. The zero value runs in
// the current folder with the process's own environment. It is a small value:
// copy it freely.
type Git struct {
	// Dir is the folder git runs in; "" is the current one.
	Dir string
	// Env is the whole environment, as "KEY=value"; nil is os.Environ().
	Env []string
	// Attended reports whether a person is at a terminal and can be asked for a
	// password; nil says that nobody is.
	Attended func() bool

	apart bool // children are in a session of their own
}

// Read runs a git command that only looks and returns its standard output.
// Optional locks are off, so that it works in a repository that cannot be
// written. On failure the error is an *[Error] and the output is what git had
// printed by then.
func (g Git) Read(ctx context.Context, args ...string) ([]byte, error) {
	out, _, err := g.reading().run(ctx, nil, args)
	return out, err
}

// ReadBoth is Read that also returns what git said on standard error, for the
// commands that warn and yet succeed.
func (g Git) ReadBoth(ctx context.Context, args ...string) (stdout []byte, stderr string, err error) {
	out, said, err := g.reading().run(ctx, nil, args)
	return out, strings.TrimSpace(said), err
}

// ReadLine is Read for a command that prints one line, without its line end.
func (g Git) ReadLine(ctx context.Context, args ...string) (string, error) {
	out, err := g.Read(ctx, args...)
	return strings.TrimRight(string(out), "\r\n"), err
}

// ReadInput is Read with standard input.
func (g Git) ReadInput(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	out, _, err := g.reading().run(ctx, stdin, args)
	return out, err
}

// Write runs a git command that changes something and returns its standard
// output. A nil stdin is empty.
func (g Git) Write(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	out, _, err := g.writing().run(ctx, stdin, args)
	return out, err
}

// Detach starts a git command that goes on by itself; its output is discarded
// and nobody waits for it.
func (g Git) Detach(args ...string) error {
	cmd := g.writing().command(context.Background(), args)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run git %s: %w", name(args), err)
	}
	go func() { _ = cmd.Wait() }() // a long-lived caller must not collect zombies
	return nil
}

// run executes one command to its end.
func (g Git) run(ctx context.Context, stdin io.Reader, args []string) (stdout []byte, stderr string, err error) {
	cmd := g.command(ctx, args)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout = stdin, &out
	said, err := start(cmd, args)
	if err != nil {
		return nil, "", err
	}
	err = failure(ctx, args, &said.tail, said.wait(ctx, cmd))
	return out.Bytes(), said.String(), err
}

// command prepares a child that is asked to end, not killed, when ctx is done:
// a killed git leaves its lock files behind.
func (g Git) command(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, g.program(), args...)
	cmd.Dir, cmd.Env = g.Dir, g.Env
	cmd.WaitDelay = grace
	cmd.Cancel = func() error { return terminate(cmd.Process) }
	if g.apart {
		apart(cmd)
	}
	return cmd
}

// terminate asks a process to end; where that is not possible it is killed.
func terminate(p *os.Process) error {
	err := p.Signal(syscall.SIGTERM)
	if err == nil || errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return p.Kill()
}

// failure turns what the end of a child reported into an error of this package.
func failure(ctx context.Context, args []string, said *tail, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("git %s: %w", name(args), ctx.Err())
	}
	if errors.Is(err, exec.ErrWaitDelay) { // it succeeded, and what it started holds its output
		return nil
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &Error{Args: args, Status: exit.ExitCode(), Stderr: said.String()}
	}
	if said.Len() > 0 { // the child ended before it had read its input
		return &Error{Args: args, Status: -1, Stderr: said.String()}
	}
	return fmt.Errorf("run git %s: %w", name(args), err)
}

// name gives the subcommand of an argument list, for messages.
func name(args []string) string {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-c" || args[i] == "-C":
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		}
	}
	return strings.Join(args, " ")
}

// Version is a version of git.
type Version struct {
	Major, Minor int
	// Text is the whole of it, as git says it: "2.39.5 (Apple Git-154)".
	Text string
}

// Version asks git for its version. Where that is no number, Text has what git
// said beside the error.
func (g Git) Version(ctx context.Context) (Version, error) {
	said, err := g.ReadLine(ctx, "version")
	if err != nil {
		return Version{}, err
	}
	return parseVersion(said)
}

func parseVersion(said string) (Version, error) {
	v := Version{Text: strings.TrimPrefix(said, "git version ")}
	if _, err := fmt.Sscanf(v.Text, "%d.%d", &v.Major, &v.Minor); err != nil {
		return v, fmt.Errorf("git calls its version %q, which is no number", said)
	}
	return v, nil
}

// AtLeast reports whether it is this version or a later one.
func (v Version) AtLeast(major, minor int) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}
