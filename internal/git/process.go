package git

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"sync"
)

// Process is a git child that stays alive. Write requests to Stdin, read
// answers from Stdout, and always Close it.
type Process struct {
	// Stdin is the child's standard input.
	Stdin io.WriteCloser
	// Stdout is the child's standard output.
	Stdout *bufio.Reader

	ctx  context.Context
	args []string
	cmd  *exec.Cmd
	said *tail
	end  sync.Once
	err  error
}

// Start starts a git child with pipes to talk through. When ctx is done the
// child is asked to end.
func (g Git) Start(ctx context.Context, args ...string) (*Process, error) {
	p := &Process{ctx: ctx, args: args, said: &tail{}}
	p.cmd = g.writing().command(ctx, args)
	p.cmd.Stderr = p.said
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("run git %s: %w", name(args), err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("run git %s: %w", name(args), err)
	}
	p.Stdin, p.Stdout = stdin, bufio.NewReaderSize(stdout, 64<<10)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("run git %s: %w", name(args), err)
	}
	return p, nil
}

// Close ends the child's input, discards what it still prints, waits for it and
// returns its failure, an *[Error]. Closing again returns the same.
func (p *Process) Close() error {
	p.end.Do(func() {
		_ = p.Stdin.Close()
		_, _ = io.Copy(io.Discard, p.Stdout)
		p.err = failure(p.ctx, p.args, p.said, p.cmd.Wait())
	})
	return p.err
}

// Kill ends the child without waiting for an answer. It is for children that
// hold no locks.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
}

// Stderr gives what the child has said on standard error so far.
func (p *Process) Stderr() string { return p.said.String() }
