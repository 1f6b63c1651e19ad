package main

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/git-plan/git-plan/internal/formats"
	"github.com/git-plan/git-plan/internal/store"
)

// readInput reads a file, or standard input, and gives its name for messages. What
// is too large for any plan is cut.
func (w *workspace) readInput(ctx context.Context, file string) (name string, data []byte, err error) {
	if file == "-" {
		data, err = w.readStdin(ctx, "the plan", formats.MaxFile)
		return "stdin", data, err
	}
	data, err = unlessOver(ctx, func() ([]byte, error) { // opening a pipe waits, too
		f, err := w.openFile(w.abs(file))
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
