package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/plan/diag"
)

const (
	// progressAfter is how long a command runs before it shows progress.
	progressAfter = 500 * time.Millisecond
	// progressEvery is how often progress is shown again.
	progressEvery = 100 * time.Millisecond
	// eraseLine goes back to the beginning of a line of a terminal and empties it.
	eraseLine = "\r\x1b[K"
)

// progress shows a person at a terminal that a command is at work, on a line of
// standard error that goes before the next output.
type progress struct {
	out     io.Writer
	what    string
	columns int
	begun   time.Time
	stop    chan struct{}

	mu          sync.Mutex
	shown, over bool
	done, total int
}

// slow has a command, and those below it, show progress if it takes long.
func slow(a *app, cmd *cobra.Command, what string) {
	for _, c := range append(cmd.Commands(), cmd) {
		if run := c.RunE; run != nil {
			c.RunE = func(cmd *cobra.Command, args []string) error {
				defer a.beginProgress(what).end()
				return run(cmd, args)
			}
		}
	}
}

// beginProgress shows progress where a person can see it.
func (o *output) beginProgress(what string) *progress {
	p := &progress{out: o.Stderr, what: what, columns: columns, begun: time.Now(), stop: make(chan struct{})}
	if o.errTerminal == nil || o.Getenv("TERM") == "dumb" {
		p.over = true
		return p
	}
	if n := terminalWidth(o.errTerminal); n > 0 {
		p.columns = n
	}
	o.underway = p
	o.Stderr = &besideProgress{p, o.Stderr}
	if out, ok := o.Stdout.(*checkedWriter); ok {
		out.before = p.end
	}
	go p.run()
	return p
}

func (p *progress) run() {
	wait := time.NewTimer(progressAfter)
	defer wait.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-wait.C:
		}
		p.show()
		wait.Reset(progressEvery)
	}
}

// count notes how far the work has come.
func (p *progress) count(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = done, total
}

func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := fmt.Sprintf("%s… %d s", p.what, int(time.Since(p.begun).Seconds()))
	switch {
	case p.over || p.shown && p.what == remoteWork:
		return // on this line git or ssh may be asking for a password
	case p.what == remoteWork:
		text = p.what + "… "
	case p.total > 0:
		text = fmt.Sprintf("%s… %d%% (%d/%d)", p.what, 100*p.done/p.total, p.done, p.total)
	}
	fmt.Fprint(p.out, eraseLine+diag.Cut(text, p.columns-1))
	p.shown = true
}

// attended reports whether git can ask a person at the terminal for a password. If so
// nothing is written over its question.
func (o *output) attended() bool {
	if !o.typed() || o.errTerminal == nil {
		return false
	}
	switch p := o.underway; {
	case p == nil:
	case p.what == remoteWork:
		p.show() // the question follows it
	default:
		p.end()
	}
	return true
}

// end takes the line away for good.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.over = true
	close(p.stop)
	p.erase()
}

// erase takes the line away; the caller holds the lock.
func (p *progress) erase() {
	if p.shown {
		io.WriteString(p.out, eraseLine)
		p.shown = false
	}
}

// besideProgress is standard error while progress is shown there.
type besideProgress struct {
	progress *progress
	out      io.Writer
}

func (b *besideProgress) Write(text []byte) (int, error) {
	b.progress.mu.Lock()
	defer b.progress.mu.Unlock()
	b.progress.erase()
	return b.out.Write(text)
}
