package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/git-plan/git-plan/internal/report"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
)

// checkedWriter remembers the first write that failed, and lets nothing follow it:
// an answer that nobody got must not end with status 0.
type checkedWriter struct {
	io.Writer
	err error
	// pager is what output goes through on its way, if anything.
	pager *pager
	// before is called before each write, if it is set.
	before func()
}

func (w *checkedWriter) Write(p []byte) (int, error) {
	if w.before != nil {
		w.before()
	}
	if w.err != nil {
		return 0, w.err
	}
	out := w.Writer
	if w.pager != nil {
		out = w.pager
	}
	n, err := out.Write(p)
	w.err = err
	return n, err
}

// close waits for a reader of paged output.
func (w *checkedWriter) close() {
	if w.pager != nil {
		w.pager.close()
	}
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
	return terminalFile(out)
}

// terminalFile gives the terminal that a stream is, or nil.
func terminalFile(w io.Writer) *os.File {
	if beside, ok := w.(*besideProgress); ok {
		w = beside.out
	}
	if f, ok := w.(*os.File); ok && isTTY(f) {
		return f
	}
	return nil
}

// maxTold bounds the findings that a refusal tells: who mends that many asks again,
// and an agent has them all in its context.
const maxTold = 100

// tellFindings writes findings to standard error. Of too many it leaves out warnings
// first.
func (a *app) tellFindings(found []diag.Diagnostic) error {
	if len(found) == 0 {
		return nil
	}
	told := found
	if len(found) > maxTold {
		told = slices.Clone(found)
		slices.SortStableFunc(told, func(x, y diag.Diagnostic) int { return cmp.Compare(y.Severity, x.Severity) })
		told = told[:maxTold]
	}
	err := report.WriteFindings(a.Stderr, told, &term.Page{Palette: a.errorPalette(), Columns: a.lineColumns(isTerminal(a.Stderr))})
	if left := len(found) - len(told); left > 0 {
		fmt.Fprintf(a.Stderr, "and %s; --json tells all\n", count(left, "more finding"))
	}
	return err
}

// count says how many of something there are, such as "2 plans".
func count(n int, noun string) string { return words.Count(n, noun) }
