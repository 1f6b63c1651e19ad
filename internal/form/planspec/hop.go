package planspec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// The types of steps in a HopSpec.
const (
	HopLLM     = "LLM"
	HopCode    = "code"
	HopCall    = "call"
	HopBranch  = "branch"
	HopLoop    = "loop"
	HopSubtask = "subtask"
	HopFlow    = "flow"
)

// HopTypes lists the types of steps in a HopSpec.
func HopTypes() []string {
	return []string{HopLLM, HopCall, HopLoop, HopBranch, HopCode, HopFlow, HopSubtask}
}

// The flow step that ends each HopSpec.
const (
	exitName   = "exit"
	exitAction = "EXIT_OK"
)

// static is how a subtask made from a plan expands: its children are there.
const static = "static"

// HopStep is a step of a HopSpec, an executable program of which a PlanSpec
// is the outline.
type HopStep struct {
	Name string
	Type string
	// Task is what an LLM or call step is to do, Condition what a branch or
	// loop depends on, Description what any other step does.
	Task, Description, Condition string
	// Collection and Element say what a loop goes through, and what it calls
	// each.
	Collection, Element                string
	Verifier, CallTarget, ReturnFormat string
	Inputs, Outputs                    []string
	ExpandMode                         string
	Children                           []HopStep
	// Pos is where the step was found, for findings.
	Pos diag.Pos
}

// ToHop changes a plan into the steps of a HopSpec. Steps without a name get
// one made from their number. dropped names what of the plan a HopSpec cannot
// hold. It fails if a type is unknown, or a name is one that is to be made.
func ToHop(p *Plan) (steps []HopStep, dropped []string, err error) {
	names := map[string]*Step{exitName: nil}
	p.Walk(func(s *Step) {
		name := hopName(s)
		if first, used := names[name]; used && err == nil {
			err = nameClash(s, name, first)
		}
		names[name] = s
		if !slices.Contains(Types(), s.Type) && err == nil {
			err = &StepError{s.ID, fmt.Sprintf("%s: invalid type '%s'", s.Label(), quoteShort(s.Type))}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	exit := HopStep{Name: exitName, Type: HopFlow, Description: exitAction}
	return append(hopSteps(p.Steps), exit), hopLacks(p), nil
}

func nameClash(s *Step, name string, first *Step) error {
	other := "the step that ends a HopSpec"
	if first != nil {
		other = first.Label()
	}
	return &StepError{s.ID, fmt.Sprintf("%s: its name in a HopSpec would be '%s', as that of %s: give one of them another name",
		s.Label(), quoteShort(name), other)}
}

// hopName gives a step's name, made from its number if it has none.
func hopName(s *Step) string {
	if s.Name != "" {
		return s.Name
	}
	return "step_" + strings.ReplaceAll(s.ID, ".", "_")
}

func hopSteps(steps []*Step) []HopStep {
	out := make([]HopStep, 0, len(steps)+1)
	for _, s := range steps {
		h := HopStep{Name: hopName(s), Inputs: slices.Clone(s.Inputs), Outputs: slices.Clone(s.Outputs)}
		switch s.Type {
		case Reason:
			h.Type, h.Task = HopLLM, s.Description
		case Act:
			h.Type, h.Description = HopCode, s.Description
		case Decide:
			h.Type, h.Condition = HopBranch, s.Description
		default:
			h.Type, h.Description, h.ExpandMode = HopSubtask, s.Description, static
		}
		if len(s.Children) > 0 {
			h.Children = hopSteps(s.Children)
		}
		out = append(out, h)
	}
	return out
}

// hopLacks names what of a plan has no place in a HopSpec.
func hopLacks(p *Plan) []string {
	var d dropped
	d.add("title", p.Title != "")
	d.add("goal", p.Goal != "" || len(p.GoalDetail) > 0)
	d.add("constraints", len(p.Constraints) > 0)
	d.add("gaps between numbers", !counted(p.Steps, ""))
	p.Walk(func(s *Step) {
		d.add("status", s.Status != Pending)
		d.add("result", s.Result != "")
		d.add("progress", s.DoneCount != 0 || s.TotalCount != nil)
		d.add("detail", len(s.Detail) > 0)
	})
	return d
}

// counted reports whether the steps below one are numbered as they stand, from 1.
func counted(steps []*Step, parent string) bool {
	for i, s := range steps {
		if s.ID != childID(parent, i+1) || !counted(s.Children, s.ID) {
			return false
		}
	}
	return true
}

// dropped names what a conversion leaves out, each once.
type dropped []string

func (d *dropped) add(what string, is bool) {
	if is && !slices.Contains(*d, what) {
		*d = append(*d, what)
	}
}

// FromHop changes the steps of a HopSpec into a plan. Names that [ToHop] made
// vanish, and so do flow steps. dropped names what a plan cannot hold.
func FromHop(steps []HopStep, title, goal string, constraints []string) (p *Plan, dropped []string) {
	c := &hopReader{made: regexp.MustCompile(`^step(_\d+)+$`)}
	p = &Plan{Title: title, Goal: goal, Constraints: slices.Clone(constraints)}
	if n := len(steps); n > 0 && steps[n-1].Type == HopFlow && steps[n-1].Description == exitAction {
		steps = steps[:n-1] // it says nothing, and is put back
	}
	p.Steps = c.steps(steps, "")
	return p, c.dropped
}

type hopReader struct {
	dropped dropped
	made    *regexp.Regexp // names that are made from numbers
}

func (c *hopReader) steps(steps []HopStep, parent string) []*Step {
	out := make([]*Step, 0, len(steps))
	for i := range steps {
		h := &steps[i]
		c.dropped.add("flow steps", h.Type == HopFlow)
		if h.Type == HopFlow {
			continue
		}
		c.dropped.add("verifier", h.Verifier != "")
		c.dropped.add("call_target", h.CallTarget != "")
		c.dropped.add("return_format", h.ReturnFormat != "")
		c.dropped.add("expand_mode", h.ExpandMode != "" && h.ExpandMode != static)
		s := &Step{ID: childID(parent, len(out)+1), Pos: h.Pos, Inputs: slices.Clone(h.Inputs), Outputs: slices.Clone(h.Outputs)}
		if !c.made.MatchString(h.Name) {
			s.Name = h.Name
		}
		s.Type = planType(h.Type)
		s.Description, s.Detail = h.texts()
		s.Children = c.steps(h.Children, s.ID)
		out = append(out, s)
	}
	return out
}

// planType gives the type of a plan's step for that of a HopSpec; others stay
// for [Validate] to name.
func planType(typ string) string {
	switch typ {
	case HopLLM:
		return Reason
	case HopCode, HopCall:
		return Act
	case HopBranch:
		return Decide
	case HopLoop, HopSubtask:
		return Subtask
	}
	return typ
}

// texts gives the step's description in a plan, which is one line, and what
// else it says as details.
func (h *HopStep) texts() (description string, detail []string) {
	var all []string
	switch h.Type {
	case HopLLM, HopCall:
		all = []string{h.Task, h.Description, h.Condition, h.loop(false)}
	case HopBranch:
		all = []string{h.Condition, h.Description, h.Task, h.loop(false)}
	case HopLoop:
		all = []string{h.loop(true), h.Description, h.Task}
	default:
		all = []string{h.Description, h.Task, h.Condition, h.loop(false)}
	}
	for _, text := range all {
		for _, line := range lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				detail = append(detail, line)
			}
		}
	}
	if len(detail) == 0 {
		return "", nil
	}
	return detail[0], detail[1:]
}

// loop says what a loop goes through, and with its condition, how long.
func (h *HopStep) loop(condition bool) string {
	var parts []string
	if h.Collection != "" {
		element := h.Element
		if element == "" {
			element = "item"
		}
		parts = append(parts, "for each "+element+" in "+h.Collection)
	}
	if condition && h.Condition != "" {
		parts = append(parts, "while "+h.Condition)
	}
	return strings.Join(parts, " ")
}
