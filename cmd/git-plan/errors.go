package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/run"
	"github.com/git-plan/git-plan/internal/session"
	"github.com/git-plan/git-plan/internal/steps"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/term"
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
var errInterrupted = errors.New("interrupted before it was done")

// statusError ends a command with the exit status of another program. The error
// may be nil.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("status %d", e.status)
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// errNo ends a command with status 1 that has printed its own document.
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

// refusal begins the document of a command that may refuse: an error like any
// other, and the rest of the document.
type refusal struct {
	Status  string   `json:"status"`
	Type    string   `json:"error_type,omitempty"`
	Message string   `json:"message,omitempty"`
	Details []string `json:"details,omitempty"`
}

// refuse makes the beginning of a refusal.
func refuse(kind string, details []string, format string, args ...any) refusal {
	return refusal{"error", kind, fmt.Sprintf(format, args...), details}
}

// classify is the one place where errors get their exit status, type and details.
func classify(err error) failure {
	f := failure{Status: "error", Message: err.Error(), Details: []string{}}
	f.Type, f.exit = kindOf(err)
	var (
		ambiguous *store.AmbiguousPlanError
		rejected  *store.RejectedError
		conflict  *store.ConflictError
		open      *store.MergeError
		refused   *gitstore.PushRefusedError
		payload   *loop.Rejection
		tool      *session.ValidationError
	)
	switch {
	case errors.As(err, &payload):
		f.Details, f.Findings = payload.Details(), diag.Findings(payload.Findings)
	case errors.As(err, &tool):
		for _, fault := range tool.Faults {
			f.Details = append(f.Details, fault.String())
		}
	case f.Type == "ambiguous_plan" && errors.As(err, &ambiguous):
		f.Details = append(f.Details, ambiguous.Candidates...)
	case f.Type == "plan_validation_failed" && errors.As(err, &rejected):
		f.Details, f.Findings = diag.Lines(rejected.Findings), diag.Findings(rejected.Findings)
	case f.Type == "rejected" && errors.As(err, &refused):
		f.Details = append(f.Details, refused.Lines...)
	case f.Type == "conflict" && errors.As(err, &open):
		for _, c := range open.Conflicts {
			f.Details = append(f.Details, c.String())
		}
	case f.Type == "conflict" && errors.As(err, &conflict):
		f.Details = append(f.Details, conflict.Details...)
	}
	return f
}

// kindOf gives an error's type and exit status. Of several errors in one the
// first case counts.
func kindOf(err error) (kind string, exit int) {
	var payload *loop.Rejection
	var edit *plan.EditError
	switch {
	case errors.As(err, &payload) && payload.Kind() == loop.Unsupported:
		return string(payload.Kind()), exitFatal
	case payload != nil:
		return string(payload.Kind()), exitNo
	case isA[*usageError](err):
		return "usage", exitUsage
	case errors.Is(err, session.ErrNotFound):
		return "not_found", exitNo
	case errors.Is(err, session.ErrNotActive):
		return "invalid_transition", exitNo
	case isA[*session.ValidationError](err):
		return "invalid_payload", exitNo
	case errors.Is(err, errInterrupted):
		return "io", exitStop
	case isA[*gitstore.NotRepositoryError](err):
		return "not_a_repository", exitFatal
	case isA[*store.AmbiguousPlanError](err):
		return "ambiguous_plan", exitFatal
	case isA[*store.NotFoundError](err), isA[*run.StartError](err), isA[*gitstore.NotFoundError](err):
		return "not_found", exitFatal
	case isA[*hooks.Refusal](err), isA[*gitstore.PushRefusedError](err):
		return "rejected", exitNo
	case isA[*store.RejectedError](err), isA[*formError](err):
		return "plan_validation_failed", exitNo
	case isA[*plan.TransitionError](err), isA[*store.NotFailedError](err), isA[*store.AbandonedError](err), isA[*store.UnfinishedError](err), isA[*steps.ForeignPlanError](err):
		return "invalid_transition", exitNo
	case isA[*planspec.StepError](err):
		return "invalid_payload", exitNo
	case isA[*store.LimitError](err), isA[*plan.CrowdedError](err), errors.As(err, &edit) && edit.Limit:
		return "limit_exceeded", exitNo
	case isA[*store.ConflictError](err), isA[*store.ExistsError](err), isA[*store.MergeError](err), isA[*store.RewoundError](err), isA[*plan.HeldError](err), isA[*gitstore.WorktreeError](err), isA[*gitstore.RebaseError](err), isA[*store.UnmergedError](err), isA[*plan.SourceError](err):
		return "conflict", exitNo
	case isA[*gitstore.LockedError](err), isA[*gitstore.BusyError](err):
		return "locked", exitFatal
	case isA[*llm.Error](err):
		return "model_failed", exitFatal
	case isA[*gitstore.ReadOnlyError](err), isA[*draft.UnwritableError](err):
		return "read_only", exitFatal
	case isA[*store.UnsupportedError](err), isA[*store.NoBranchError](err), isA[*draft.LinkError](err), isA[*store.CutOffError](err), isA[*plan.EditError](err), isA[*planspec.TextError](err), errors.Is(err, hooks.ErrNoWorkTree):
		return "unsupported", exitFatal
	}
	return "io", exitFatal
}

// isA reports whether err is or wraps an E.
func isA[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// report prints an error and gives the exit status.
func (o *output) report(cmd *cobra.Command, err error) int {
	switch {
	case errors.Is(err, errNo):
		return exitNo
	case errors.Is(err, errStopped):
		return exitStop
	}
	f := classify(err)
	var own *statusError
	if errors.As(err, &own) {
		if own.err == nil {
			return own.status
		}
		f.exit = own.status
	}
	if o.json {
		o.print(f)
		return f.exit
	}
	o.tellDetails(err)
	message, kind, usage := diag.PrintableText(f.Message), "error:", ""
	switch {
	case f.exit == exitFatal, f.exit == exitStop:
		message, kind = strings.TrimPrefix(message, "fatal: "), "fatal:"
	case f.exit == exitUsage && own == nil: // a check may end with the same status
		usage = "\n" + usageText(cmd)
	}
	fmt.Fprintf(o.Stderr, "%s %s\n%s", o.errorPalette().Paint(term.Error, kind), message, usage)
	return f.exit
}

// tellDetails prints the details of an error before the error itself.
func (o *output) tellDetails(err error) {
	var rejected *store.RejectedError
	if errors.As(err, &rejected) {
		o.tellFindings(rejected.Findings)
	}
	var refused *gitstore.PushRefusedError
	if errors.As(err, &refused) {
		for _, line := range refused.Lines {
			fmt.Fprintf(o.Stderr, "remote: %s\n", diag.Printable(line))
		}
	}
	var payload *loop.Rejection
	if errors.As(err, &payload) {
		for _, line := range payload.Details() {
			fmt.Fprintf(o.Stderr, "%s\n", diag.Printable(line))
		}
	}
}

// notFound is the error of a name that nothing has, with what was perhaps meant.
func notFound(what, name, near, hint string) error {
	if near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return &store.NotFoundError{What: what, Name: name, Hint: hint}
}

// isNotFound reports whether err is about a name that nothing has.
func isNotFound(err error) bool {
	var e *store.NotFoundError
	return errors.As(err, &e)
}
