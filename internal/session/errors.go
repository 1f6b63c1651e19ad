package session

import (
	"errors"
	"fmt"
	"strings"
)

// Why a tool refuses an input that is well formed. A [ValidationError] wraps
// them.
var (
	// ErrNotFound occurs where a tool needs a plan and there is none, or the plan
	// has no step with that id.
	ErrNotFound = errors.New("there is no such plan or step")
	// ErrNotActive occurs where steps are added to a plan that is completed
	// or abandoned.
	ErrNotActive = errors.New("the plan is not active")
)

// ValidationError says why a tool refused an input. Nothing was changed. It
// occurs for every input that a tool does not take, and nothing else.
type ValidationError struct {
	Tool string
	// Faults are all faults of the input, never empty.
	Faults []Fault
	// Cause is one of this package's errors where the input is well formed
	// and the plan does not allow it, else nil.
	Cause error
}

// Fault is one thing that is wrong with an input.
type Fault struct {
	// Field is where, "steps[2].title" for instance; empty for the whole.
	Field string
	// Message says what is wrong and what to do.
	Message string
}

// String gives the fault as a line.
func (f Fault) String() string {
	if f.Field == "" {
		return f.Message
	}
	return f.Field + ": " + f.Message
}

// shownFaults is how many faults a message tells; who mends these sees the
// rest with the next.
const shownFaults = 20

// Error names the tool and its faults.
func (e *ValidationError) Error() string {
	var lines []string
	for i, f := range e.Faults {
		if i == shownFaults {
			lines = append(lines, fmt.Sprintf("and %d more", len(e.Faults)-i))
			break
		}
		lines = append(lines, f.String())
	}
	return e.Tool + ": " + strings.Join(lines, "; ")
}

// Unwrap gives the cause.
func (e *ValidationError) Unwrap() error { return e.Cause }

// refused is an error of state, with what to do.
func refused(in Input, field string, cause error, format string, args ...any) error {
	return &ValidationError{Tool: in.Tool, Faults: []Fault{{field, fmt.Sprintf(format, args...)}}, Cause: cause}
}

// faults gathers what is wrong with one input.
type faults []Fault

func (f *faults) add(field, format string, args ...any) {
	*f = append(*f, Fault{field, fmt.Sprintf(format, args...)})
}

// err gives the faults as an error, nil without any.
func (f *faults) err(tool string) error {
	if len(*f) == 0 {
		return nil
	}
	return &ValidationError{Tool: tool, Faults: *f}
}
