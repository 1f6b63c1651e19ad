package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Exit statuses, those of git.
const (
	exitNo    = 1
	exitStop  = 130 // 128 and the number of the signal, as shells have it
	exitFatal = 128
	exitUsage = 129
)

// errInterrupted is what a command ends with that was asked to stop before its
// work was done.
var errInterrupted = errors.New("interrupted; nothing was written")

// errNo is the answer no of a command that has said why in its own document.
var errNo = errors.New("no")

// failure is an error as the outside sees it.
type failure struct {
	Status   string         `json:"status"`
	Type     string         `json:"error_type"`
	Message  string         `json:"message"`
	Details  []string       `json:"details"`
	Findings []diag.Finding `json:"findings,omitempty"`

	exit int
}

// refusal begins the document of a command that may say no in it: it is an
// error like any other then, and the rest of the document tells more.
type refusal struct {
	Status  string   `json:"status"`
	Type    string   `json:"error_type,omitempty"`
	Message string   `json:"message,omitempty"`
	Details []string `json:"details,omitempty"`
}

// refuse makes the beginning of a document that says no.
func refuse(kind string, details []string, format string, args ...any) refusal {
	return refusal{"error", kind, fmt.Sprintf(format, args...), details}
}

// classify is the one place where errors get their exit status and type.
func classify(err error) failure {
	f := failure{Status: "error", Type: "io", Message: err.Error(), Details: []string{}, exit: exitFatal}
	no := func(kind string) { f.Type, f.exit = kind, exitNo }
	var (
		usage      *usageError
		noRepo     *gitstore.NotRepositoryError
		notFound   *planrepo.NotFoundError
		noRev      *gitstore.NotFoundError
		ambiguous  *planrepo.AmbiguousPlanError
		rejected   *planrepo.RejectedError
		transition *plan.TransitionError
		notFailed  *planrepo.NotFailedError
		limit      *planrepo.LimitError
		conflict   *planrepo.ConflictError
		exists     *planrepo.ExistsError
		worktree   *gitstore.WorktreeError
		locked     *gitstore.LockedError
		busy       *gitstore.BusyError
		readOnly   *gitstore.ReadOnlyError
		unsupport  *planrepo.UnsupportedError
		edit       *plan.EditError
	)
	switch {
	case errors.As(err, &usage):
		f.Type, f.exit = "usage", exitUsage
	case errors.Is(err, errInterrupted):
		f.exit = exitStop
	case errors.As(err, &noRepo):
		f.Type = "not_a_repository"
	case errors.As(err, &ambiguous):
		f.Type, f.Details = "ambiguous_plan", append(f.Details, ambiguous.Candidates...)
	case errors.As(err, &notFound), errors.As(err, &noRev):
		f.Type = "not_found"
	case errors.As(err, &rejected):
		no("plan_validation_failed")
		f.Details, f.Findings = diag.Lines(rejected.Findings), diag.Findings(rejected.Findings)
	case errors.As(err, &transition), errors.As(err, &notFailed):
		no("invalid_transition")
	case errors.As(err, &limit):
		no("limit_exceeded")
	case errors.As(err, &conflict):
		no("conflict")
		f.Details = append(f.Details, conflict.Details...)
	case errors.As(err, &exists), errors.As(err, &worktree):
		no("conflict")
	case errors.As(err, &locked), errors.As(err, &busy):
		f.Type = "locked"
	case errors.As(err, &readOnly):
		f.Type = "read_only"
	case errors.As(err, &unsupport), errors.As(err, &edit):
		f.Type = "unsupported"
	}
	return f
}

// report prints an error, if there is one, and gives the exit status.
func (a *app) report(cmd *cobra.Command, err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errNo):
		return exitNo
	}
	f := classify(err)
	if a.json {
		a.print(f)
		return f.exit
	}
	var rejected *planrepo.RejectedError
	if errors.As(err, &rejected) {
		diag.WriteText(a.Stderr, rejected.Findings)
	}
	message := diag.PrintableText(f.Message)
	switch f.exit {
	case exitFatal, exitStop:
		fmt.Fprintf(a.Stderr, "fatal: %s\n", strings.TrimPrefix(message, "fatal: "))
	case exitUsage:
		fmt.Fprintf(a.Stderr, "error: %s\n\n%s", message, usageText(cmd))
	default:
		fmt.Fprintf(a.Stderr, "error: %s\n", message)
	}
	return f.exit
}

// discoverError gives git's refusal to work here the type that callers look
// for, in git's own words.
func discoverError(err error) error {
	var refused *git.Error
	if errors.As(err, &refused) {
		return &gitstore.NotRepositoryError{Words: refused.Error()}
	}
	return err
}
