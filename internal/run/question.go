package run

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Question is a text for a program that answers it with another, such as a
// prompt for a model's command. Unlike a [Command] the program has no terminal,
// gets a limited time and may say a limited amount, and nothing that it starts
// outlives it where that had to be enforced.
type Question struct {
	Words []string
	Dir   string
	// Env is the whole environment, as "KEY=value".
	Env []string
	// Text is what the program reads. It need not read it.
	Text string
	// Stderr, if set, gets what the program says on standard error as it comes.
	Stderr io.Writer
	// Timeout is how long the program may take, Limit how many bytes its answer
	// may have.
	Timeout time.Duration
	Limit   int

	wait time.Duration // in the place of grace, for tests
}

// grace is how long a program may take to end once it is asked to, and how long
// output is waited for that something it left behind holds open.
const grace = 2 * time.Second

// End is why a program ended.
type End int

// Why a program ended: by itself, because its time was over, because it said
// too much, or because the user stopped git plan.
const (
	ByItself End = iota
	TimedOut
	TooLong
	Interrupted
)

// Answer is what a program answered.
type Answer struct {
	End End
	// Status is as in [Result].
	Status int
	// Text is what it printed on standard output.
	Text []byte
	// Said is the end of what it printed on standard error.
	Said []byte
}

// Ask runs the program to its end, or ends it: with a request first, then by
// force, together with what it started. The error is a *[StartError], or nil.
func (q Question) Ask(ctx context.Context) (Answer, error) {
	said, text := &tail{}, &bounded{limit: q.Limit, full: make(chan struct{})}
	c := Command{Words: q.Words, Dir: q.Dir, Env: q.Env, Stdin: strings.NewReader(q.Text), Stdout: text, Stderr: said, wait: cmp.Or(q.wait, grace)}
	if q.Stderr != nil {
		c.Stderr = both{said, q.Stderr}
	}
	cmd, err := c.program()
	if err != nil {
		return Answer{}, err
	}
	apart(cmd)
	over := ctx.Done() // before there is a program that would be left alone
	if err := cmd.Start(); err != nil {
		return Answer{}, startError(q.Words[0], err)
	}
	ended, why := make(chan error, 1), ByItself
	go func() { ended <- cmd.Wait() }()
	timeout := time.NewTimer(q.Timeout)
	defer timeout.Stop()
	select {
	case err = <-ended:
	case <-timeout.C:
		why = TimedOut
	case <-text.full:
		why = TooLong
	case <-over:
		why = Interrupted
	}
	if why != ByItself {
		stop(cmd, ended)
	} else if errors.Is(err, exec.ErrWaitDelay) {
		killGroup(cmd)
	}
	select {
	case <-text.full: // it may have ended in the same moment
		why = TooLong
	default:
	}
	return Answer{End: why, Status: status(cmd.ProcessState), Text: text.bytes(), Said: said.bytes()}, nil
}

// stop ends the program and what it started, and returns once it has ended.
func stop(cmd *exec.Cmd, ended <-chan error) {
	endGroup(cmd)
	patient := time.NewTimer(cmd.WaitDelay)
	defer patient.Stop()
	select {
	case <-ended:
		killGroup(cmd) // what did not heed the request
	case <-patient.C:
		killGroup(cmd)
		<-ended
	}
}

// bounded keeps what is written to it up to a limit, and tells when there is
// more, which ends the writing.
type bounded struct {
	tail
	limit int
	full  chan struct{}
}

func (b *bounded) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.kept)+len(p) > b.limit {
		close(b.full)
		return 0, errors.New("more than the limit")
	}
	b.kept = append(b.kept, p...)
	return len(p), nil
}
