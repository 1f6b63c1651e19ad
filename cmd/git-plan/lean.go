//go:build lean

package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/git-plan/git-plan/internal/run"
	"github.com/git-plan/git-plan/internal/store"
)

// full is the program with all that is in it, of which this lean one leaves out
// what speaks to others: the libraries for that cost every command a third of
// its start.
const full = "git-plan-full"

func (c *mcpCommand) run(ctx context.Context) error    { return c.runFull(ctx) }
func (c *webCommand) run(ctx context.Context) error    { return c.runFull(ctx) }
func (c *reportCommand) run(ctx context.Context) error { return c.runFull(ctx) }
func (c *ciCommand) run(ctx context.Context) error     { return c.runFull(ctx) }

// runFull lets the full program, which is installed beside this one, do what
// this one was asked for.
func (a *app) runFull(ctx context.Context) error {
	name := full
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	beside := filepath.Join(filepath.Dir(a.Program), name)
	const hint = "mcp, web, report and ci are in it, and it is installed with git-plan: copy both"
	info, err := os.Stat(beside)
	if errors.Is(err, fs.ErrNotExist) {
		return &store.NotFoundError{What: "program", Name: beside, Hint: hint}
	}
	if own, ownErr := os.Stat(a.Program); err == nil && ownErr == nil && os.SameFile(own, info) { // it would start itself for ever
		return &store.NotFoundError{What: "full program", Name: beside, Hint: "what is there is git-plan itself; " + hint}
	}
	status, err := run.Command{
		Words: append([]string{beside}, a.args...), Dir: a.Dir, Env: a.Environ, Stdin: a.Stdin, Stdout: a.Stdout, Stderr: a.Stderr,
	}.Become(ctx)
	if err != nil || status == 0 {
		return err
	}
	return &statusError{status: status}
}
