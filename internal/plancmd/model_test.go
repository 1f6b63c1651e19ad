package plancmd

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/form/planspec"
)

// applySpec carries out a command on a PlanSpec, by its numbers alone: what the
// structure of a plan is to become. Statuses are none of its business.
func applySpec(p *planspec.Plan, c planspec.Command) error {
	if c.Op == planspec.OpAdd {
		return addStep(p, c)
	}
	s := p.Find(c.StepID)
	switch {
	case s == nil:
		return errors.New("no such step")
	case c.Op == planspec.OpReplan && !planspec.IsContainer(s.Type):
		return errors.New("it cannot have children")
	case c.Op == planspec.OpReplan:
		s.Children = nil
	case c.Op == planspec.OpRevise && len(s.Children) > 0 && !planspec.IsContainer(c.StepType):
		return errors.New("it has children")
	case c.Op == planspec.OpRevise:
		s.Type, s.Description = c.StepType, c.Description
		if len(c.Outputs) > 0 {
			s.Outputs = c.Outputs
		}
		if c.HasBody {
			s.Inputs = c.Inputs
		}
	}
	return nil
}

// addStep puts a step in its place; where that is taken, those behind it move up.
func addStep(p *planspec.Plan, c planspec.Command) error {
	above, siblings := "", &p.Steps
	if dot := strings.LastIndexByte(c.StepID, '.'); dot >= 0 {
		s := p.Find(c.StepID[:dot])
		if s == nil || !planspec.IsContainer(s.Type) {
			return errors.New("no place for children")
		}
		above, siblings = c.StepID[:dot+1], &s.Children
	}
	place := func(s *planspec.Step) int { n, _ := strconv.Atoi(s.ID[len(above):]); return n }
	n, at, taken, last := 0, len(*siblings), false, 0
	n, _ = strconv.Atoi(c.StepID[len(above):])
	for i, s := range slices.Backward(*siblings) {
		last = max(last, place(s))
		if taken = taken || place(s) == n; place(s) >= n {
			at = i
		}
	}
	if n > last+1 || n == 0 {
		return errors.New("no place for the step")
	}
	for _, s := range (*siblings)[at:] {
		if taken {
			renumber(s, above+strconv.Itoa(place(s)+1))
		}
	}
	*siblings = slices.Insert(*siblings, at, &planspec.Step{ID: c.StepID, Type: c.StepType, Description: c.Description, Inputs: c.Inputs, Outputs: c.Outputs})
	return nil
}

func renumber(s *planspec.Step, id string) {
	for _, c := range s.Children {
		renumber(c, id+c.ID[len(s.ID):])
	}
	s.ID = id
}
