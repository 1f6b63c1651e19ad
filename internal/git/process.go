package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// Process is a git child that stays alive. Write requests to Stdin, read
// answers from Stdout, and always Close it.
type Process struct {
	// Stdin is the child's standard input.
	Stdin io.WriteCloser
	// Stdout is the child's standard output.
	Stdout *bufio.Reader

	ctx    context.Context
	args   []string
	cmd    *exec.Cmd
	pipe   io.Closer   // what Stdout reads
	whole  func() bool // ends the watch of ctx; false if that has closed the pipe
	said   *words
	killed atomic.Bool
	end    sync.Once
	err    error
}

// Start starts a git child with pipes to talk through. When ctx is done the
// child is asked to end, and no answer is waited for: a git that the child has
// started, to fetch what is missing say, may hold its output open for long.
func (g Git) Start(ctx context.Context, args ...string) (*Process, error) {
	p := &Process{ctx: ctx, args: args}
	p.cmd = g.writing().command(ctx, args)
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("run git %s: %w", name(args), err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("run git %s: %w", name(args), err)
	}
	p.Stdin, p.Stdout, p.pipe = stdin, bufio.NewReaderSize(stdout, 64<<10), stdout
	if p.said, err = start(p.cmd, args); err != nil {
		return nil, err
	}
	p.whole = context.AfterFunc(ctx, func() { _ = p.pipe.Close() })
	return p, nil
}

// Close ends the child's input, discards what it still prints, waits for it and
// returns its failure, an *[Error], or that of a ctx which ended meanwhile.
// Closing again returns the same.
func (p *Process) Close() error {
	p.end.Do(func() {
		_ = p.Stdin.Close()
		_, _ = io.Copy(io.Discard, p.Stdout)
		whole := p.whole()
		if p.killed.Load() {
			go func() { _ = p.cmd.Wait() }() // what it started may still hold its standard error
			p.err = fmt.Errorf("git %s was killed", name(p.args))
			return
		}
		p.err = failure(p.ctx, p.args, &p.said.tail, p.said.wait(p.ctx, p.cmd))
		if p.err == nil && !whole {
			p.err = fmt.Errorf("git %s: %w", name(p.args), p.ctx.Err())
		}
	})
	return p.err
}

// Kill ends the child without waiting for an answer, also for who reads one
// just now. It is for children that hold no locks.
func (p *Process) Kill() {
	p.killed.Store(true)
	_ = p.cmd.Process.Kill()
	_ = p.pipe.Close()
}

// ID gives the child's process id.
func (p *Process) ID() int { return p.cmd.Process.Pid }

// Stderr gives what the child has said on standard error so far.
func (p *Process) Stderr() string { return p.said.String() }

// lingering is how long the rest of a child's words is waited for once it has
// ended well. By then it has said what it had to say; but what a hook left
// running, or a connection that ssh keeps, may hold its standard error for hours.
const lingering = time.Second

// words is what a child says on standard error, the end of it at least. Who holds
// that after the child is listened to for as long as this process runs, so that
// it is not ended by what it says later.
type words struct {
	tail
	heard chan struct{} // closed at the end of all words
}

// start starts a child and listens to it.
func start(cmd *exec.Cmd, args []string) (*words, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("run git %s: %w", name(args), err)
	}
	cmd.Stderr = w
	err = cmd.Start()
	_ = w.Close() // the child has its own
	if err != nil {
		_ = r.Close()
		return nil, fmt.Errorf("run git %s: %w", name(args), err)
	}
	said := &words{heard: make(chan struct{})}
	go func() {
		_, _ = io.Copy(&said.tail, r)
		_ = r.Close()
		close(said.heard)
	}()
	return said, nil
}

// wait waits for the end of the child and of its words. Where it failed these say
// why, and are waited for longer; where it was asked to end nobody reads them.
func (w *words) wait(ctx context.Context, cmd *exec.Cmd) error {
	err := cmd.Wait()
	if ctx.Err() != nil {
		return err
	}
	most := lingering
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		most = grace
	}
	patience := time.NewTimer(most)
	defer patience.Stop()
	select {
	case <-w.heard:
	case <-patience.C:
	}
	return err
}
