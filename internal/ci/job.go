package ci

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/git-plan/git-plan/internal/report"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/internal/workflow"
)

// History tells what there is of the repository's history.
type History interface {
	// Has reports whether there is a commit of that name.
	Has(commit string) bool
	// Shallow reports whether history was cut off.
	Shallow() (bool, error)
}

// Job is one run in CI. Event, Check and History must be set.
type Job struct {
	Event   Event
	History History
	// Check judges targets, as `git plan check` takes them.
	Check func(targets []string) (report.Report, error)
	// Targets are what to check in place of what the event brought.
	Targets []string
	// Format is how findings are printed: one of check's formats.
	Format string
	// SARIF and JUnit are files to write reports to, or "".
	SARIF, JUnit string
	// Write writes such a file.
	Write func(file string, data []byte) error
	// Summary and Output are the files the forge reads a summary and outputs
	// from, or "". What is in them stays.
	Summary, Output string
	// Diff tells as markdown what a proposal changes, and whether that is anything.
	// Comment keeps the text, as [Discussion.Keep] does. Both are nil where no comment
	// is wanted.
	Diff    func() (text string, differs bool, err error)
	Comment func(text string, create bool) error
}

// Run does the job's work and gives the status to exit with: 0 when the plans
// pass, 1 when they do not. What is printed goes to stdout, findings in the
// job's format, and warnings to stderr.
func (j Job) Run(stdout, stderr io.Writer) (status int, err error) {
	targets, note, err := j.targets()
	if err != nil {
		return 0, err
	}
	if note != "" {
		fmt.Fprintln(stderr, note)
	}
	if len(targets) == 0 {
		return 0, j.tell(report.Document{}, "There is nothing to check: the branch was deleted.\n")
	}
	found, err := j.Check(targets)
	if err != nil {
		_ = appendTo(j.Summary, "### git plan check\n\nThe plans could not be checked: "+markdown(err.Error())+"\n")
		return 0, err
	}
	if err := report.Write(stdout, found, report.Options{Format: j.Format}); err != nil {
		return 0, err
	}
	answer := report.NewDocument(found)
	if j.Format == "github" { // annotations leave the log
		fmt.Fprintln(stdout, counts(answer))
	}
	for format, file := range map[string]string{"sarif": j.SARIF, "junit": j.JUnit} {
		if err := j.report(found, format, file); err != nil {
			return 0, err
		}
	}
	differences := j.remark(stdout, stderr)
	return min(answer.Errors, 1), j.tell(answer, summary(answer, targets, maxSummary-len(differences))+differences)
}

// targets says what to check: what was asked for, else what the event brought.
// A note tells where that is not each commit.
func (j Job) targets() (targets []string, note string, err error) {
	e := j.Event
	for _, t := range j.Targets {
		if strings.HasPrefix(t, "-") {
			return nil, "", fmt.Errorf("%q is no target: it begins like an option", t)
		}
	}
	switch {
	case len(j.Targets) > 0:
		return j.Targets, "", nil
	case e.Forge == workflow.None:
		return nil, "", errors.New("this is no job of GitHub or GitLab: name what to check with --targets, or run `git plan check`")
	case e.Head == "":
		return nil, "", nil
	case e.Base == "":
		return []string{e.Head}, "", nil
	case j.History.Has(e.Base) && j.History.Has(e.Head):
		return []string{e.Base + ".." + e.Head}, "", j.whole()
	case e.Push && j.History.Has(e.Head):
		note := fmt.Sprintf("note: commit %.12s, where the branch was before, is not here, as after a push by force: the plans are checked as they are now, not each commit", e.Base)
		return []string{e.Head}, note, j.whole()
	}
	return nil, "", fmt.Errorf("commits %.12s and %.12s are not both here: fetch all of the history first (fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab)", e.Base, e.Head)
}

// whole refuses to judge commits where some may be missing without a trace.
func (j Job) whole() error {
	shallow, err := j.History.Shallow()
	if err == nil && shallow {
		err = errors.New("history is cut off here, and not every commit can be judged: fetch all of it (fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab)")
	}
	return err
}

// report writes what was found to a file, if one is asked for.
func (j Job) report(found report.Report, format, file string) error {
	if file == "" {
		return nil
	}
	var out bytes.Buffer
	if err := report.Write(&out, found, report.Options{Format: format}); err != nil {
		return err
	}
	return j.Write(file, out.Bytes())
}

// tell gives the forge the summary and the outputs.
func (j Job) tell(a report.Document, summary string) error {
	if err := appendTo(j.Summary, summary); err != nil {
		return err
	}
	outputs := fmt.Sprintf("errors=%d\nwarnings=%d\n", a.Errors, a.Warnings)
	if strings.ContainsAny(j.SARIF, "\r\n") {
		return errors.New("the name of the SARIF file has a line end in it: take another")
	}
	if j.SARIF != "" {
		outputs += "sarif-file=" + j.SARIF + "\n"
	}
	return appendTo(j.Output, outputs)
}

// appendTo adds text to a file, if one is named.
func appendTo(file, text string) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// counts says what was found, such as "2 errors, 1 warning in 3 plans".
func counts(a report.Document) string {
	return fmt.Sprintf("%s, %s in %s", words.Count(a.Errors, "error"), words.Count(a.Warnings, "warning"), words.Count(a.Plans, "plan"))
}
