package ci

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/internal/workflow"
)

// Check runs `git plan check` with these arguments, in this process, and gives
// its exit status: 0 or 1 with an answer on stdout, else an error's.
type Check func(args []string, stdout, stderr io.Writer) (status int)

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
	Check   Check
	History History

	// Targets are what to check, as `git plan check` takes it, in place of what
	// the event brought.
	Targets []string
	// Gate and Against are the flags of `git plan check`, or "".
	Gate, Against string
	// Format is how findings are printed: one of check's formats.
	Format string
	// SARIF and JUnit are files to write reports to, or "".
	SARIF, JUnit string
	// Write writes such a file.
	Write func(file string, data []byte) error
	// Summary and Output are the files the forge reads a summary and outputs
	// from, or "". What is in them stays.
	Summary, Output string
	// Diff writes how the plans of a proposal differ, for a comment, and Comment
	// keeps that, as [Discussion.Keep] does. Both are nil where none is wanted.
	Diff    Diff
	Comment func(text string, create bool) error
}

// Finding is one finding in the document of `git plan check`.
type Finding struct {
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Severity string `json:"severity"`
	Rule     string `json:"rule"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`
	// Commit is the commit that the finding is about, or "".
	Commit string `json:"commit"`
}

// Answer is the document of `git plan check`.
type Answer struct {
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Plans    int       `json:"plans"`
	Findings []Finding `json:"findings"`
}

// CheckError is returned when there was no answer, as check itself failed.
type CheckError struct {
	Message string `json:"message"`
}

func (e *CheckError) Error() string { return e.Message }

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
		return 0, j.tell(Answer{}, "There is nothing to check: the branch was deleted.\n")
	}
	answer, status, err := j.answer(targets, stderr)
	if err != nil {
		_ = appendTo(j.Summary, "### git plan check\n\nThe plans could not be checked: "+markdown(err.Error())+"\n")
		return 0, err
	}
	if err := j.print(targets, j.Format, status, stdout); err != nil {
		return 0, err
	}
	if j.Format == "github" { // annotations leave the log
		fmt.Fprintln(stdout, answer.counts())
	}
	for format, file := range map[string]string{"sarif": j.SARIF, "junit": j.JUnit} {
		if err := j.report(targets, format, status, file); err != nil {
			return 0, err
		}
	}
	differences := j.remark(stdout, stderr)
	return status, j.tell(answer, summary(answer, targets, maxSummary-len(differences))+differences)
}

// targets says what to check: what was asked for, else what the event brought.
// A note tells where that is not each commit.
func (j Job) targets() (targets []string, note string, err error) {
	e := j.Event
	for _, t := range j.Targets {
		if strings.HasPrefix(t, "-") {
			return nil, "", &EventError{fmt.Sprintf("%q is no target: it begins like an option", t)}
		}
	}
	switch {
	case len(j.Targets) > 0:
		return j.Targets, "", nil
	case e.Forge == workflow.None:
		return nil, "", &EventError{"this is no job of GitHub or GitLab: name what to check with --targets, or run `git plan check`"}
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
	return nil, "", &EventError{fmt.Sprintf("commits %.12s and %.12s are not both here: fetch all of the history first (fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab)", e.Base, e.Head)}
}

// whole refuses to judge commits where some may be missing without a trace.
func (j Job) whole() error {
	shallow, err := j.History.Shallow()
	if err == nil && shallow {
		err = &EventError{"history is cut off here, and not every commit can be judged: fetch all of it (fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab)"}
	}
	return err
}

// run calls check for one format.
func (j Job) run(targets []string, format string, stdout, stderr io.Writer) int {
	args := []string{"--format", format}
	if j.Gate != "" {
		args = append(args, "--gate", j.Gate)
	}
	if j.Against != "" {
		args = append(args, "--against", j.Against)
	}
	return j.Check(append(args, targets...), stdout, stderr)
}

// answer asks check for its document.
func (j Job) answer(targets []string, stderr io.Writer) (Answer, int, error) {
	var out bytes.Buffer
	status := j.run(targets, "json", &out, stderr)
	if status > 1 {
		failed := &CheckError{}
		if json.Unmarshal(out.Bytes(), failed) != nil || failed.Message == "" {
			failed.Message = fmt.Sprintf("git plan check ended with status %d", status)
		}
		return Answer{}, status, failed
	}
	var a Answer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		return Answer{}, status, fmt.Errorf("the answer of git plan check cannot be read: %w", err)
	}
	return a, status, nil
}

// print calls check once more for another form of the same answer.
func (j Job) print(targets []string, format string, want int, out io.Writer) error {
	if got := j.run(targets, format, out, io.Discard); got != want {
		return fmt.Errorf("git plan check ended with status %d, and for --format %s with %d: run the job again", want, format, got)
	}
	return nil
}

// report writes an answer to a file, if one is asked for.
func (j Job) report(targets []string, format string, status int, file string) error {
	if file == "" {
		return nil
	}
	var out bytes.Buffer
	if err := j.print(targets, format, status, &out); err != nil {
		return err
	}
	return j.Write(file, out.Bytes())
}

// tell gives the forge the summary and the outputs.
func (j Job) tell(a Answer, summary string) error {
	if err := appendTo(j.Summary, summary); err != nil {
		return err
	}
	outputs := fmt.Sprintf("errors=%d\nwarnings=%d\n", a.Errors, a.Warnings)
	if strings.ContainsAny(j.SARIF, "\r\n") {
		return &EventError{"the name of the SARIF file has a line end in it: take another"}
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
func (a Answer) counts() string {
	return fmt.Sprintf("%s, %s in %s", words.Count(a.Errors, "error"), words.Count(a.Warnings, "warning"), words.Count(a.Plans, "plan"))
}
