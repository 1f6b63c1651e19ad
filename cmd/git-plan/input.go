package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/git-plan/git-plan/internal/formats"
	"github.com/git-plan/git-plan/internal/store"
)

// readPayload gives what an argument says: itself, or standard input for "-", of
// which at most a little more than limit bytes are read.
func (a *app) readPayload(ctx context.Context, arg string, limit int) ([]byte, error) {
	if arg != "-" {
		return []byte(arg), nil
	}
	return a.readStdin(ctx, "the payload", limit)
}

// readStdin reads at most a little more than limit bytes of standard input, and
// says what is waited for where a person has to type it.
func (a *app) readStdin(ctx context.Context, what string, limit int) ([]byte, error) {
	if a.typed() {
		fmt.Fprintf(a.Stderr, "reading %s from standard input; end it with Ctrl-D\n", what)
	}
	return unlessOver(ctx, func() ([]byte, error) { return readAtMost(a.Stdin, limit) })
}

// readInput reads a file, or standard input, and gives the name that messages
// know it by. What is too large for any plan is cut; its form says so.
func (a *app) readInput(ctx context.Context, file string) (name string, data []byte, err error) {
	if file == "-" {
		data, err = a.readStdin(ctx, "the plan", formats.MaxFile)
		return "stdin", data, err
	}
	data, err = unlessOver(ctx, func() ([]byte, error) { // opening a pipe waits, too
		f, err := a.openFile(a.abs(file))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return readAtMost(f, formats.MaxFile)
	})
	if os.IsNotExist(err) {
		return "", nil, &store.NotFoundError{What: "file", Name: file}
	}
	return filepath.ToSlash(filepath.Clean(file)), data, err
}

// readAtMost reads what there is, and one byte more than the limit where there
// is more: enough to see that it is over.
func readAtMost(r io.Reader, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, fmt.Errorf("the input could not be read: %w", err)
	}
	return data, nil
}

// unlessOver gives what read gives, or the context's error once it is over: whoever
// writes to a pipe may hold it open and write nothing. The read is left behind
// then, for the end of the program to end it.
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

// untilOver reads until a context is over: what a hook is given by git, line by
// line.
type untilOver struct {
	ctx context.Context
	in  io.Reader
}

func (u untilOver) Read(p []byte) (int, error) {
	chunk, err := unlessOver(u.ctx, func() ([]byte, error) {
		own := make([]byte, len(p)) // a read that is left behind must not write into what is not its any more
		n, err := u.in.Read(own)
		return own[:n], err
	})
	return copy(p, chunk), err
}

// typed reports whether standard input is what a person types.
func (a *app) typed() bool {
	f, ok := a.Stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && !isNothing(info)
}

// isNothing reports whether a file is the one that programs are given to read
// that shall read nothing.
func isNothing(info os.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}
