package planspec

import (
	"slices"
	"strconv"
	"strings"
)

// StepError tells that a step is not there, or cannot be changed in that way.
type StepError struct {
	// ID is the number of the step that was asked for.
	ID string
	// Reason says what is wrong, and what to do.
	Reason string
}

func (e *StepError) Error() string { return e.Reason }

// Find gives the step with a number, or nil.
func (p *Plan) Find(id string) *Step {
	steps := p.Steps
	for end := 0; ; end++ { // down the tree, by one part of the number at a time
		dot := strings.IndexByte(id[end:], '.')
		if dot < 0 {
			dot = len(id) - end
		}
		end += dot
		i := slices.IndexFunc(steps, func(s *Step) bool { return s.ID == id[:end] })
		if i < 0 {
			return nil
		}
		if end == len(id) {
			return steps[i]
		}
		steps = steps[i].Children
	}
}

// ReplaceChildren gives a step copies of steps for children, numbered in their
// order, and makes it active.
func (s *Step) ReplaceChildren(steps []*Step) {
	s.Children = cloneSteps(steps)
	for i, c := range s.Children {
		c.renumber(s.ID + "." + strconv.Itoa(i+1))
	}
	s.Status = Active
}

// renumber gives the step a number, and its descendants numbers below it, in
// which each keeps its place among its siblings.
func (s *Step) renumber(id string) {
	s.ID = id
	for _, c := range s.Children {
		c.renumber(id + "." + strconv.Itoa(lastPart(c.ID)))
	}
}
