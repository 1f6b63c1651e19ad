//go:build lean

package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/internal/run"
)

// full is the program with all that is in it, of which this lean one leaves out
// what speaks to others: the libraries for that cost every command a third of
// its start.
const full = "git-plan-full"

func (a *app) runMCP(ctx context.Context, _ mcpOptions) error { return a.runFull(ctx) }
func (a *app) runWeb(ctx context.Context, _ webOptions) error { return a.runFull(ctx) }
func (a *app) runReport(ctx context.Context, _ string) error  { return a.runFull(ctx) }
func (a *app) runCI(ctx context.Context, _ ciOptions) error   { return a.runFull(ctx) }

// runFull lets the full program, which is installed beside this one, do what
// this one was asked for.
func (a *app) runFull(ctx context.Context) error {
	name := full
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	beside := filepath.Join(filepath.Dir(a.Program), name)
	if _, err := os.Stat(beside); errors.Is(err, fs.ErrNotExist) {
		return &planrepo.NotFoundError{What: "program", Name: beside, Hint: "mcp, web, report and ci are in it, and it is installed with git-plan: copy both"}
	}
	status, err := run.Command{
		Words: append([]string{beside}, a.args...), Dir: a.Dir, Env: a.Environ, Stdin: a.Stdin, Stdout: a.Stdout, Stderr: a.Stderr,
	}.Become(ctx)
	if err != nil || status == 0 {
		return err
	}
	return &statusError{status: status}
}
