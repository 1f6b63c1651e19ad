package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/llm"
)

// Env is all that a command knows of the process it runs in.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Progress gets word of what is waited for; nil is Stderr.
	Progress io.Writer
	// Renamed gets the new ids of plans that a merge renamed, by the old ones; or nil.
	Renamed func(plans map[string]string)
	// Dir is the current folder.
	Dir string
	// Environ is the environment, as "KEY=value".
	Environ []string
	Now     func() time.Time
	// Program is the path of the program itself, or empty.
	Program string
	// Behind says that a read may start a fetch that goes on after it.
	Behind bool

	// outTerminal and errTerminal are the terminals that the two streams are, or nil.
	outTerminal, errTerminal *os.File
}

// Getenv gives an environment variable, or "".
func (e Env) Getenv(key string) string {
	for _, kv := range slices.Backward(e.Environ) {
		if value, ok := strings.CutPrefix(kv, key+"="); ok {
			return value
		}
	}
	return ""
}

// git is how this process runs git.
func (e Env) git() git.Git { return git.Git{Dir: e.Dir, Env: e.Environ} }

// abs makes a path that the user typed absolute.
func (e Env) abs(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(e.Dir, p)
}

// typed reports whether standard input is what a person types.
func (e Env) typed() bool {
	f, ok := e.Stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// readStdin reads at most a little more than limit bytes of standard input. It
// prompts a person who has to type it.
func (e Env) readStdin(ctx context.Context, what string, limit int) ([]byte, error) {
	if e.typed() {
		fmt.Fprintf(e.Stderr, "reading %s from standard input; end it with Ctrl-D\n", what)
	}
	return unlessOver(ctx, func() ([]byte, error) { return readAtMost(e.Stdin, limit) })
}

// readAtMost reads up to the limit, and one byte more to see that it is over.
func readAtMost(r io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, fmt.Errorf("the input could not be read: %w", err)
	}
	return data, nil
}

// unlessOver gives the result of read, or the context's error once it is over. A
// read that waits is left to the end of the program.
func unlessOver[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	came := make(chan answer, 1)
	go func() {
		value, err := read()
		came <- answer{value, err}
	}()
	select {
	case got := <-came:
		return got.value, got.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// atTerminal reports whether standard output is read by a person.
func (e Env) atTerminal() bool { return e.outTerminal != nil }

// terminalFile gives the terminal that a stream is, or nil.
func terminalFile(w io.Writer) *os.File {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// terminalWidth gives how many columns a terminal has, or 0 where it does not tell.
func terminalWidth(f *os.File) int {
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// columns is how wide what is printed for a person may be: what COLUMNS says,
// else what the terminal says, else the width of a common one; and as wide as
// it gets where no terminal is written to.
func (e Env) columns() int {
	if n, err := strconv.Atoi(e.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if e.outTerminal == nil {
		return 0
	}
	if n := terminalWidth(e.outTerminal); n > 0 {
		return n
	}
	return columns
}

// lineColumns is columns for what other programs read as lines: only a terminal
// breaks them.
func (e Env) lineColumns(terminal bool) int {
	if !terminal {
		return 0
	}
	return cmp.Or(e.columns(), columns)
}

// folderOf gives the folder of a plan that a path names, or that one of its files
// is in.
func (e Env) folderOf(name string) string {
	full := e.abs(name)
	if info, err := os.Stat(full); err == nil && !info.IsDir() {
		return planFolder(full)
	}
	return full
}

// columns is how wide a terminal is taken to be that does not tell.
const columns = 80

// pagerInUse reports whether git reads our output in a pager of its own.
func (e Env) pagerInUse() bool {
	switch e.Getenv("GIT_PAGER_IN_USE") {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

// answersPrompt reports whether this process was started by a model's command,
// such as a coding agent with hooks that call git plan.
func (e Env) answersPrompt() bool { return e.Getenv(llm.Inside) != "" }

// progress reports what is waited for, in a log as on a terminal.
func (e Env) progress(what string) {
	to := e.Progress
	if to == nil {
		to = e.Stderr
	}
	fmt.Fprintln(to, what)
}
