package planspec

import (
	"fmt"
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

func (p *Plan) find(id string) (*Step, error) {
	if s := p.Find(id); s != nil {
		return s, nil
	}
	return nil, &StepError{id, fmt.Sprintf("step %s not found: use the number of a step of the plan", quoteShort(id))}
}

func (p *Plan) findContainer(id string) (*Step, error) {
	s, err := p.find(id)
	if err != nil {
		return nil, err
	}
	return s, s.mayHaveChildren(s.Type)
}

// mayHaveChildren fails if a step of the type may have none.
func (s *Step) mayHaveChildren(typ string) error {
	if IsContainer(typ) {
		return nil
	}
	return &StepError{s.ID, fmt.Sprintf("%s: type '%s' cannot have children", s.Label(), quoteShort(typ))}
}

// Expand makes a folded plan show a step's body and children.
func (p *Plan) Expand(id string) error { return p.setFold(id, Expanded) }

// Collapse makes a folded plan hide a step's body and children.
func (p *Plan) Collapse(id string) error { return p.setFold(id, Collapsed) }

func (p *Plan) setFold(id string, f Fold) error {
	s, err := p.find(id)
	if err == nil {
		s.Fold = f
	}
	return err
}

// ReplaceChildren gives a container copies of steps for children, numbered in
// their order, and makes it active.
func (p *Plan) ReplaceChildren(id string, steps []*Step) error {
	s, err := p.findContainer(id)
	if err != nil {
		return err
	}
	s.Children = cloneSteps(steps)
	for i, c := range s.Children {
		c.renumber(s.ID + "." + strconv.Itoa(i+1))
	}
	s.Status = Active
	return nil
}

// renumber gives the step a number, and its descendants numbers below it, in
// which each keeps its place among its siblings.
func (s *Step) renumber(id string) {
	s.ID = id
	for _, c := range s.Children {
		c.renumber(id + "." + strconv.Itoa(lastPart(c.ID)))
	}
}
