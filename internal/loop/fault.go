package loop

import (
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/plan/diag"
)

// Kind is what a fault of a payload is about, in the words of error documents.
type Kind string

// The kinds of faults. Where faults are of several kinds, the first of these
// names the whole.
const (
	LimitExceeded     Kind = "limit_exceeded"
	InvalidPayload    Kind = "invalid_payload"
	Conflict          Kind = "conflict"
	InvalidTransition Kind = "invalid_transition"
	Unsupported       Kind = "unsupported"
	// ValidationFailed is the kind of what the gate refuses.
	ValidationFailed Kind = "plan_validation_failed"
)

// Fault is one thing that is wrong with a payload.
type Fault struct {
	Kind   Kind
	Detail string
}

// Rejection is returned when a payload is refused. It names every fault, and
// nothing was changed.
type Rejection struct {
	Faults []Fault
	// Findings are those of the gate among the faults.
	Findings []diag.Diagnostic
}

// Kind is that of the whole: the gate's only where every fault is the gate's.
func (r *Rejection) Kind() Kind {
	for _, k := range []Kind{LimitExceeded, InvalidPayload, Conflict, InvalidTransition, Unsupported} {
		if slices.ContainsFunc(r.Faults, func(f Fault) bool { return f.Kind == k }) {
			return k
		}
	}
	return ValidationFailed
}

// Details gives what is wrong, a line each.
func (r *Rejection) Details() []string {
	out := make([]string, 0, len(r.Faults))
	for _, f := range r.Faults {
		out = append(out, f.Detail)
	}
	return out
}

func (r *Rejection) Error() string {
	switch r.Kind() {
	case ValidationFailed:
		return "The submitted plan is invalid and was rejected. You must fix the plan and resubmit."
	case LimitExceeded:
		return "The payload goes over a limit and was rejected; nothing was changed. Fix what the details name and resubmit."
	case InvalidTransition:
		return "The payload asks for what the tasks' statuses do not allow and was rejected; nothing was changed. Fix what the details name and resubmit."
	case Conflict:
		return "The payload does not fit the plan as it is now and was rejected; nothing was changed. Run `git plan status --json` and resubmit."
	case Unsupported:
		return "The plan's files cannot be changed as asked; nothing was changed. Fix what the details name and resubmit."
	}
	return "The payload is invalid and was rejected; nothing was changed. Fix what the details name and resubmit."
}

// faults collects what is wrong.
type faults []Fault

func (f *faults) add(k Kind, format string, args ...any) {
	*f = append(*f, Fault{k, fmt.Sprintf(format, args...)})
}
