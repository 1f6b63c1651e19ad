//go:build lean

package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/internal/run"
)

// whole is the program with the protocol in it, which a lean one leaves out: its
// libraries cost every command a fifth of its start.
const whole = "git-plan-mcp"

// runMCP lets the whole program, which is installed beside this one, serve.
func (a *app) runMCP(ctx context.Context, opts mcpOptions) error {
	name := whole
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	beside := filepath.Join(filepath.Dir(a.Program), name)
	if _, err := os.Stat(beside); errors.Is(err, fs.ErrNotExist) {
		return &planrepo.NotFoundError{What: "program", Name: beside, Hint: "it serves MCP, and is installed with git-plan: copy both"}
	}
	status, err := run.Command{
		Words: append([]string{beside}, a.mcpLine(opts)...), Dir: a.Dir, Env: a.Environ, Stdin: a.Stdin, Stdout: a.Stdout, Stderr: a.Stderr,
	}.Become(ctx)
	if err != nil || status == 0 {
		return err
	}
	return &statusError{status: status}
}

// mcpLine is the command line that asks for the same.
func (a *app) mcpLine(opts mcpOptions) []string {
	line := []string{"mcp", "--tools=" + strings.Join(opts.tools, ",")}
	for _, flag := range [][2]string{{"strategy", opts.strategy}, {"agent", a.agent}, {"plan", a.plan}} {
		if flag[1] != "" {
			line = append(line, "--"+flag[0]+"="+flag[1])
		}
	}
	for _, flag := range []struct {
		name string
		set  bool
	}{{"persist", opts.persist}, {"push", a.push}, {"json", a.json}} {
		if flag.set {
			line = append(line, "--"+flag.name)
		}
	}
	return line
}
