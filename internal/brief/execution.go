package brief

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// Execution is what is told of a step to whoever carries it out.
type Execution struct {
	Task    Step     `json:"task"`
	Inputs  []Input  `json:"inputs"`
	Outputs []string `json:"outputs"`
	// History are the steps that something came of, first things first.
	History []Step `json:"history"`

	plan *plan.Plan
	task *plan.Task
}

// Step is a step in few words.
type Step struct {
	ID     string      `json:"id"`
	Number string      `json:"number"`
	Title  string      `json:"title"`
	Status plan.Status `json:"status"`
	// Result is what came of it, or what went wrong.
	Result string `json:"result"`
}

// Input is a name that a step takes.
type Input struct {
	Name string `json:"name"`
	// From are the steps before it that make it.
	From []Step `json:"from"`
}

// NewExecution gathers what is told of a task.
func NewExecution(p *plan.Plan, t *plan.Task) *Execution {
	e := &Execution{Task: newStep(t), Inputs: []Input{}, Outputs: append([]string{}, t.Doc.List("outputs")...), History: []Step{}, plan: p, task: t}
	edges := p.Graph().From(t)
	for i, name := range t.Doc.List("inputs") {
		in := Input{name, []Step{}}
		for _, x := range edges {
			if x.Kind == plan.DataFlow && x.Item == i {
				in.From = append(in.From, newStep(x.To))
			}
		}
		e.Inputs = append(e.Inputs, in)
	}
	for _, u := range history(p, t) {
		e.History = append(e.History, newStep(u))
	}
	return e
}

func newStep(t *plan.Task) Step {
	s := Step{t.ID, t.Number(), t.Title(), t.Status, strings.TrimSpace(t.Doc.Text("result"))}
	if why := strings.TrimSpace(t.Doc.Text("error")); t.Status == plan.Failed && why != "" {
		s.Result = why
	}
	return s
}

// history gives the tasks without others below them, except one, that were
// settled or stopped, in the order in which that happened as far as it is known.
func history(p *plan.Plan, except *plan.Task) []*plan.Task {
	var out []*plan.Task
	for _, t := range p.All() {
		stopped := t.Status == plan.Blocked || t.Status == plan.Failed
		if t != except && len(t.Children) == 0 && (stopped || t.Status.Settled()) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *plan.Task) int {
		x, errX := plan.ParseTime(a.Doc.Text("completed_at"))
		y, errY := plan.ParseTime(b.Doc.Text("completed_at"))
		switch {
		case errX == nil && errY == nil:
			return x.Compare(y)
		case errX == nil:
			return -1
		case errY == nil:
			return 1
		}
		return 0
	})
	return out
}

// Text writes it for a model.
func (e *Execution) Text() string {
	var w writer
	w.line("# Step %s: %s", e.Task.Number, flat(e.Task.Title))
	w.line("")
	w.line("Carry out this one step. It is `%s` of the plan `%s`.", e.Task.ID, e.plan.ID)
	w.line("")
	w.field("Goal of the plan", e.plan.Goal())
	w.list("Constraints", e.plan.Doc.List("constraints"))
	w.section("Task")
	w.text(e.task.Doc.Body)
	for _, part := range []struct{ name, key string }{
		{"Acceptance criteria", "acceptance_criteria"}, {"Hints", "context_hints"}, {"Files", "relevant_file_paths"}, {"Files to make", "creates"}, {"Checklist", "subtasks"},
	} {
		w.list(part.name, e.task.Doc.List(part.key))
	}
	e.inputs(&w)
	w.section("Outputs")
	if len(e.Outputs) == 0 {
		w.line("None is named.")
	}
	for _, name := range e.Outputs {
		w.line("- %s", flat(name))
	}
	w.section("History")
	if len(e.History) == 0 {
		w.line("Nothing was done before.")
	}
	for _, s := range e.History {
		w.line("- %s", s.line())
	}
	for _, note := range e.task.Doc.List("notes") {
		w.line("- note on this step: %s", flat(note))
	}
	if e.Task.Result != "" {
		w.line("- this step so far: %s", flat(e.Task.Result))
	}
	return w.String()
}

func (e *Execution) inputs(w *writer) {
	w.section("Inputs")
	if len(e.Inputs) == 0 {
		w.line("None is named.")
	}
	for _, in := range e.Inputs {
		if len(in.From) == 0 {
			w.line("- %s: no step before this one makes it", flat(in.Name))
		}
		for _, s := range in.From {
			w.line("- %s: from step %s", flat(in.Name), s.line())
		}
	}
}

// line tells of a step in one line.
func (s Step) line() string {
	text := fmt.Sprintf("%s (%s) %s", s.Number, s.Status, flat(s.Title))
	if s.Result != "" {
		text += " | " + flat(s.Result)
	}
	return text
}
