package session

import (
	"context"
	"sync"
)

// Session holds the one plan of a session, until it is dropped. The zero
// Session has no plan and is ready for use, by many goroutines at once: what
// they do happens one after the other. It must not be copied.
type Session struct {
	mu   sync.Mutex
	plan View
}

// Result is what a tool answers.
type Result struct {
	// Message says in a line what came of it.
	Message string
	// Plan is the plan if the tool was asked for it, else nil. It is the caller's
	// own.
	Plan *View
	// Warnings are what is odd about it, a line each: nothing, unless the plan is
	// kept where there are rules for it.
	Warnings []string
}

// Call runs a tool on its arguments, a JSON object. The error is a
// [*ValidationError]; then nothing was changed.
func (s *Session) Call(_ context.Context, tool string, arguments []byte) (Result, error) {
	in, err := Decode(tool, arguments)
	if err != nil {
		return Result{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	next, err := Next(s.plan, in)
	if err != nil {
		return Result{}, err
	}
	if in.Tool == ToolRead {
		return Result{Message: Message(in, next), Plan: &next}, nil
	}
	s.plan = next
	return Result{Message: Message(in, next)}, nil
}
