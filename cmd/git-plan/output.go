package main

import (
	"fmt"
	"io"
	"os"

	"github.com/git-plan/git-plan/internal/words"
)

// checkedWriter remembers the first write that failed: an answer that nobody
// got must not end with status 0.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

// status turns a success whose output was lost into a failure.
func (w *checkedWriter) status(exit int, stderr io.Writer) int {
	if w.err == nil || exit != 0 && exit != exitFatal {
		return exit
	}
	fmt.Fprintf(stderr, "fatal: the output could not be written: %v\n", w.err)
	return exitFatal
}

// atTerminal reports whether standard output is read by a person.
func (a *app) atTerminal() bool { return a.terminal() != nil }

// terminal gives the terminal that standard output is, or nil.
func (a *app) terminal() *os.File {
	out := a.Stdout
	if w, ok := out.(*checkedWriter); ok {
		out = w.Writer
	}
	f, ok := out.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return f
}

// count says how many of something there are, such as "2 plans".
func count(n int, noun string) string { return words.Count(n, noun) }
