package planspec

import (
	"fmt"
	"slices"
)

// Result is what became of a command.
type Result string

// The results of commands.
const (
	Applied Result = "applied"
	// Deferred: the command is for whoever makes plans. That is REPLAN ALL.
	Deferred Result = "deferred"
	// Passed: the command is none, see Command.Skipped.
	Passed Result = "skipped"
	Failed Result = "failed"
)

// Outcome is a command and what became of it.
type Outcome struct {
	Command Command
	Result  Result
	// Err says why the command failed, else nil.
	Err error
}

// ApplyAll carries out commands one after the other, each on what the ones
// before it left. It goes on after one that fails; whoever wants all or
// nothing looks for [Failed] and discards the plan.
func (p *Plan) ApplyAll(cmds []Command) []Outcome {
	out := make([]Outcome, 0, len(cmds))
	for _, c := range cmds {
		result, err := p.Apply(c)
		out = append(out, Outcome{c, result, err})
	}
	return out
}

// Apply carries out one command. Steps that stay are the same values
// afterwards, also if their numbers moved; a command that fails changes
// nothing. The error is a [StepError].
func (p *Plan) Apply(c Command) (Result, error) {
	switch {
	case c.Skipped != "":
		return Passed, nil
	case c.Fault != "":
		return Failed, &StepError{c.StepID, c.Fault}
	case c.Op == OpReplan && c.StepID == All:
		return Deferred, nil
	}
	if err := p.apply(c); err != nil {
		return Failed, err
	}
	return Applied, nil
}

func (p *Plan) apply(c Command) error {
	switch c.Op {
	case OpDone:
		return p.mark(c, Done)
	case OpBlocked:
		return p.mark(c, Blocked)
	case OpSkip:
		return p.mark(c, Skipped)
	case OpAdd:
		return p.add(c)
	case OpRevise:
		return p.revise(c)
	case OpReplan:
		return p.clear(c.StepID)
	case OpExpand:
		return p.Expand(c.StepID)
	case OpCollapse:
		return p.Collapse(c.StepID)
	default:
		return &StepError{c.StepID, fmt.Sprintf("unknown operation %q", quoteShort(c.Op))}
	}
}

// mark sets a step's status. A result that is not given leaves the old one.
func (p *Plan) mark(c Command, status Status) error {
	s, err := p.find(c.StepID)
	if err != nil {
		return err
	}
	s.Status = status
	if c.Result != "" {
		s.Result = c.Result
	}
	return nil
}

// clear empties a container, whose children somebody will plan anew.
func (p *Plan) clear(id string) error {
	s, err := p.findContainer(id)
	if err != nil {
		return err
	}
	s.Children, s.Status = nil, Pending
	return nil
}

// add puts a step in the place that its number names. Where a sibling has
// that number, it and those after it move up by one.
func (p *Plan) add(c Command) error {
	siblings := &p.Steps
	if parent := parentID(c.StepID); parent != "" {
		s, err := p.findContainer(parent)
		if err != nil {
			return err
		}
		siblings = &s.Children
	}
	if err := p.definable(c, nil); err != nil {
		return err
	}
	n := lastPart(c.StepID)
	if last := highest(*siblings); n > last+1 || n == 0 {
		return &StepError{c.StepID, fmt.Sprintf("no step can be added at %s: the first place is %s, the last %s", c.StepID,
			childID(parentID(c.StepID), 1), childID(parentID(c.StepID), last+1))}
	}
	i := slices.IndexFunc(*siblings, func(s *Step) bool { return lastPart(s.ID) >= n })
	if i < 0 {
		i = len(*siblings)
	}
	makeRoom(*siblings, n)
	s := &Step{ID: c.StepID, Name: c.StepName, Type: c.StepType, Description: c.Description,
		Inputs: slices.Clone(c.Inputs), Outputs: slices.Clone(c.Outputs), Detail: slices.Clone(c.Detail)}
	*siblings = slices.Insert(*siblings, i, s)
	return nil
}

// makeRoom frees the number n among siblings, if one of them has it.
func makeRoom(siblings []*Step, n int) {
	if !slices.ContainsFunc(siblings, func(s *Step) bool { return lastPart(s.ID) == n }) {
		return
	}
	for _, s := range siblings {
		if m := lastPart(s.ID); m >= n {
			s.renumber(childID(parentID(s.ID), m+1))
		}
	}
}

func highest(siblings []*Step) int {
	n := 0
	for _, s := range siblings {
		n = max(n, lastPart(s.ID))
	}
	return n
}

// revise gives a step another type and description. Name, outputs and body
// are replaced only by what the command brings.
func (p *Plan) revise(c Command) error {
	s, err := p.find(c.StepID)
	if err != nil {
		return err
	}
	if err := p.definable(c, s); err != nil {
		return err
	}
	if len(s.Children) > 0 {
		if err := s.mayHaveChildren(c.StepType); err != nil {
			return err
		}
	}
	s.Type, s.Description = c.StepType, c.Description
	if c.StepName != "" {
		s.Name = c.StepName
	}
	if len(c.Outputs) > 0 {
		s.Outputs = slices.Clone(c.Outputs)
	}
	if c.HasBody {
		s.Inputs, s.Detail = slices.Clone(c.Inputs), slices.Clone(c.Detail)
	}
	return nil
}

// definable fails if the step self, or a new one, cannot become what the
// command says.
func (p *Plan) definable(c Command, self *Step) error {
	if !slices.Contains(Types(), c.StepType) {
		return &StepError{c.StepID, fmt.Sprintf("step %s: invalid type '%s'; write one of [reason], [act], [decide], [subtask] before the description",
			c.StepID, quoteShort(c.StepType))}
	}
	var err error
	p.Walk(func(s *Step) {
		if c.StepName != "" && s.Name == c.StepName && s != self {
			err = &StepError{c.StepID, fmt.Sprintf("step %s (%s): duplicate name, first seen at step %s", c.StepID, quoteShort(c.StepName), s.ID)}
		}
	})
	return err
}
