package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/git"
)

// pager shows output at a terminal screen by screen. It is started by the first
// write, so that a command without output, or with an error alone, has none.
type pager struct {
	out      *output
	terminal *os.File
	// errors is where messages went before; while the pager has the terminal they
	// go through it.
	errors io.Writer
	// stop ends the command once the reader has left.
	stop context.CancelFunc

	begun, left bool
	running     *git.Pager
}

// paged gives a command a pager.
func paged(a *app, cmd *cobra.Command) {
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		out, ok := a.Stdout.(*checkedWriter)
		if !ok || !a.atTerminal() || a.json || a.pagerInUse() { // there is no need
			return run(cmd, args)
		}
		ctx, stop := context.WithCancel(cmd.Context())
		defer stop()
		cmd.SetContext(ctx)
		out.pager = &pager{out: &a.output, terminal: a.outTerminal, errors: a.Stderr, stop: stop}
		if a.errTerminal != nil {
			a.Stderr = &pagedErrors{out.pager}
		}
		return run(cmd, args)
	}
}

// Write passes text to the pager. Once the reader has left, the command ends without
// a complaint.
func (p *pager) Write(text []byte) (int, error) {
	if !p.begun && len(text) > 0 {
		p.begun = true
		p.start()
	}
	if p.running == nil {
		return p.terminal.Write(text)
	}
	if _, err := p.running.Write(text); err != nil {
		p.left = true
		p.stop()
	}
	return len(text), nil
}

// start starts the pager. Where that is not possible, output goes straight to
// the terminal.
func (p *pager) start() {
	command, err := p.command()
	if err == nil && command != "" {
		p.running, err = p.out.git().StartPager(command, p.terminal)
	}
	if err != nil {
		p.out.warn("no pager: %v; see core.pager in `git help config`", err)
	}
}

// command gives the user's pager. pager.plan may forbid it, or name one where
// GIT_PAGER does not.
func (p *pager) command() (string, error) {
	if config := p.out.config; config != nil {
		own, set := config.Get("pager.plan")
		wanted, err := config.Bool("pager.plan", true)
		switch {
		case set && err != nil && p.out.Getenv("GIT_PAGER") == "":
			return own, nil
		case !wanted:
			return "", nil
		}
	}
	return p.out.git().PagerCommand(context.Background())
}

// close waits until the reader has read enough.
func (p *pager) close() {
	if p.running != nil {
		p.running.Close()
		p.running = nil
	}
}

// pagedErrors are messages that go through the pager while it runs.
type pagedErrors struct{ pager *pager }

func (e *pagedErrors) Write(text []byte) (int, error) {
	if e.pager.running != nil {
		return e.pager.Write(text)
	}
	return e.pager.errors.Write(text)
}
