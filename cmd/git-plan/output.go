package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/report"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// output prints what a command has to show: text, with or without colours, or JSON.
type output struct {
	Env
	json  bool
	color colorWhen
	// config is git's configuration, once the repository is known.
	config *gitstore.Config
	// errorColors are those of standard error, once they are known.
	errorColors *term.Palette
	// underway is shown to a person while work takes long.
	underway *progress
}

// checkedWriter remembers the first write that failed, and stops there: a lost
// answer must not end with status 0.
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

// maxTold bounds the findings that a refusal prints.
const maxTold = 100

// tellFindings writes findings to standard error, errors first where there are too many.
func (o *output) tellFindings(found []diag.Diagnostic) error {
	if len(found) == 0 {
		return nil
	}
	told := found
	if len(found) > maxTold {
		told = slices.Clone(found)
		slices.SortStableFunc(told, func(x, y diag.Diagnostic) int { return cmp.Compare(y.Severity, x.Severity) })
		told = told[:maxTold]
	}
	err := report.WriteFindings(o.Stderr, told, &term.Page{Palette: o.errorPalette(), Columns: o.lineColumns(o.errTerminal != nil)})
	if left := len(found) - len(told); left > 0 {
		fmt.Fprintf(o.Stderr, "and %s; --json tells all\n", count(left, "more finding"))
	}
	return err
}

// count counts things, such as "2 plans".
func count(n int, noun string) string { return words.Count(n, noun) }

// print writes v to standard output as one line of JSON.
func (o *output) print(v any) error {
	return newEncoder(o.Stdout).Encode(v)
}

// say writes a line for a person, none with --json.
func (o *output) say(format string, args ...any) {
	if !o.json {
		fmt.Fprintf(o.Stdout, format+"\n", args...)
	}
}

// document ends a command that has said what a person reads: with --json it prints v.
func (o *output) document(v any) error {
	if !o.json {
		return nil
	}
	return o.print(v)
}

// reply ends a command with a document, or a line for a person.
func (o *output) reply(v any, format string, args ...any) error {
	o.say(format, args...)
	return o.document(v)
}

// warn writes a line to standard error.
func (o *output) warn(format string, args ...any) {
	fmt.Fprintf(o.Stderr, "%s %s\n", o.errorPalette().Paint(term.Warning, "warning:"), diag.PrintableText(fmt.Sprintf(format, args...)))
}

// answer prints a document with --json, else tells a person. A refusal ends the
// command with status 1.
func (o *output) answer(r refusal, doc any, tell func() error) error {
	if o.json {
		tell = func() error { return o.print(doc) }
	}
	if err := tell(); err != nil {
		return err
	}
	if r.Type != "" {
		return errNo
	}
	return nil
}

// done ends a command that has no document of its own.
func (o *output) done(changed bool) error {
	return o.document(statusOnly{statusOf(changed)})
}

// statusOf is the status of a document that has no other.
func statusOf(changed bool) string {
	if changed {
		return "success"
	}
	return "unchanged"
}

// newEncoder writes JSON documents, a line each, with nothing that a terminal obeys.
func newEncoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(diag.JSONWriter(w))
	enc.SetEscapeHTML(false)
	return enc
}

// formats adds --format to a command; --json is short for --format json.
func (o *output) formats(cmd *cobra.Command, format *string, names ...string) {
	cmd.Flags().StringVar(format, "format", names[0], "`form` of the output: "+strings.Join(names, ", "))
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if o.json && cmd.Flags().Changed("format") && *format != "json" {
			return &usageError{"--json and --format " + *format + " exclude each other"}
		}
		for _, n := range names {
			if *format == n {
				o.json = o.json || n == "json"
				return nil
			}
		}
		return noSuch("format", *format, names)
	}
}

// counted passes on how many plans were read of those that have to be.
func (o *output) counted(done, total int) {
	if o.underway != nil {
		o.underway.count(done, total)
	}
}

// warnOf warns of faults in a stored plan that is shown. The address may name an
// older state.
func (o *output) warnOf(stored *store.Stored, address string) {
	o.warnOfFaults(stored.Plan, store.Faults(stored.Plan, stored.Found, true), cmp.Or(address, stored.ID))
}

// warnOfFolder warns of faults in a plan that is in a folder, named as a path.
func (o *output) warnOfFolder(p *plan.Plan, found []diag.Diagnostic) {
	folder := p.Prefix
	if !looksLikePath(folder) {
		folder = "./" + folder
	}
	o.warnOfFaults(p, store.Faults(p, found, false), folder)
}

// warnOfFaults tells of faults and by what name check tells more of them.
func (o *output) warnOfFaults(p *plan.Plan, errs []diag.Diagnostic, name string) {
	if len(errs) > 0 {
		o.warn("plan %s does not pass the gate (%s): see `git plan check %s`", p.ID, count(len(errs), "error"), quote(name))
	}
}

// sayNoStore tells a person who looks for plans how to begin.
func (o *output) sayNoStore() { o.say("There are no plans here yet: run `git plan init`.") }

// warnOfPlans warns of plans that cannot be read entirely, or have faults.
func (o *output) warnOfPlans(summaries []store.Summary) {
	var damaged, faulty []string
	for _, sum := range summaries {
		switch {
		case sum.Damaged:
			damaged = append(damaged, sum.ID)
		case sum.Errors > 0:
			faulty = append(faulty, sum.ID)
		}
	}
	if len(damaged) > 0 {
		o.warn("%s cannot be read whole, and what is shown is what is left: %s; run `git plan doctor`", count(len(damaged), "plan"), words.Few(damaged, 10))
	}
	if len(faulty) > 0 {
		o.warn("%s with faults came past the gate: %s; see `git plan check %s`", count(len(faulty), "plan"), words.Few(faulty, 10), faulty[0])
	}
}

// lost warns of what a conversion dropped.
func (o *output) lost(how string, losses []string) {
	for _, l := range losses {
		o.warn("%s%s", how, l)
	}
}
