package session

import "sync"

// Session holds the one plan of a session, until it is dropped. The zero
// Session has no plan and is ready for use, by many goroutines at once: what
// they do happens one after the other. It must not be copied.
type Session struct {
	mu       sync.Mutex
	plan     View
	revision int
}

// Result is what a tool answers.
type Result struct {
	// Message says in a line what came of it.
	Message string
	// Value is the input as it counted, or the plan as a [View] if the tool
	// was asked for it. Either is the caller's own and can be written as JSON.
	Value any
	// Warnings are what is odd about it, a line each: nothing, unless the plan is
	// kept where there are rules for it.
	Warnings []string
}

// Call runs a tool on its arguments, a JSON object. The error is a
// [*ValidationError]; then nothing was changed.
func (s *Session) Call(tool string, arguments []byte) (Result, error) {
	in, err := Decode(tool, arguments)
	if err != nil {
		return Result{}, err
	}
	return s.Do(in)
}

// Do is [Session.Call] with an input that was read already.
func (s *Session) Do(in Input) (Result, error) {
	in, err := Normalize(in)
	if err != nil {
		return Result{}, err
	}
	after, err := s.apply(in)
	if err != nil {
		return Result{}, err
	}
	if _, ok := in.(ReadPlan); ok {
		return Result{Message: Message(in, after), Value: after}, nil
	}
	return Result{Message: Message(in, after), Value: in}, nil
}

// apply replaces the plan by the one that follows, and gives what it says.
func (s *Session) apply(in Input) (View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next, err := Next(s.plan, in)
	if err != nil {
		return View{}, err
	}
	if _, ok := in.(ReadPlan); !ok {
		s.plan = next
		s.revision++
	}
	return next.clone(), nil
}

// Plan gives the latest snapshot, the zero View before there is any. It is the
// caller's own.
func (s *Session) Plan() View {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plan.clone()
}

// Revision counts the snapshots that were stored: one for each input that
// changed the plan, none for a refused one or for reading.
func (s *Session) Revision() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revision
}
