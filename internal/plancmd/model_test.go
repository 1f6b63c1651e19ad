package plancmd

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
)

// applySpec carries out a command on a PlanSpec, by its numbers alone: what the
// structure of a plan is to become. Statuses are none of its business.
func applySpec(p *form.Outline, c planspec.Command) error {
	if c.Op == planspec.OpAdd {
		return addStep(p, c)
	}
	s := p.Find(c.StepID)
	switch {
	case s == nil:
		return errors.New("no such step")
	case c.Op == planspec.OpReplan && !planspec.IsContainer(s.Get("kind")):
		return errors.New("it cannot have children")
	case c.Op == planspec.OpReplan:
		s.Children = nil
	case c.Op == planspec.OpRevise && len(s.Children) > 0 && !planspec.IsContainer(c.Step.Get("kind")):
		return errors.New("it has children")
	case c.Op == planspec.OpRevise:
		fields := []string{"kind", "title"}
		if len(c.Step.List("outputs")) > 0 {
			fields = append(fields, "outputs")
		}
		if c.HasBody {
			fields = append(fields, "inputs")
		}
		for _, field := range fields {
			s.Say(field, c.Step.Field(field))
		}
	}
	return nil
}

// addStep puts a step in its place; where that is taken, those behind it move up.
func addStep(p *form.Outline, c planspec.Command) error {
	above, siblings := "", &p.Items
	if dot := strings.LastIndexByte(c.StepID, '.'); dot >= 0 {
		s := p.Find(c.StepID[:dot])
		if s == nil || !planspec.IsContainer(s.Get("kind")) {
			return errors.New("no place for children")
		}
		above, siblings = c.StepID[:dot+1], &s.Children
	}
	place := func(s *form.Item) int { return form.Last(s.Number) }
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
	*siblings = slices.Insert(*siblings, at, c.Step)
	return nil
}

func renumber(s *form.Item, id string) {
	for _, c := range s.Children {
		renumber(c, id+c.Number[len(s.Number):])
	}
	s.Number = id
}
