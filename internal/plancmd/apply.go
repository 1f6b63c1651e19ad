package plancmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Result is what became of a command.
type Result string

// The results of commands.
const (
	Done Result = "applied"
	// Deferred: the command is for whoever makes plans. That is REPLAN ALL, which
	// leaves the signal [plan.ReplanSignal].
	Deferred Result = "deferred"
	// Passed: the command is none, see Command.Skipped, or says of a step that it is
	// done or blocked while steps below it are open.
	Passed Result = "skipped"
	Failed Result = "failed"
)

// Outcome is a command and what became of it.
type Outcome struct {
	Command planspec.Command
	Result  Result
	// Err says why the command failed, or was passed over for the steps below its own.
	Err error
}

// Applied is what commands did to a plan.
type Applied struct {
	// Outcomes are the commands with their results, in order.
	Outcomes []Outcome
	// Reasons are what the commands say of why, for whoever reads the history.
	Reasons []string

	plan    *plan.Plan
	by      plan.Move
	strict  bool
	touched map[string]int // by task id: the last command that named it
}

// Failed reports whether a command failed: the plan must be thrown away then.
func (a *Applied) Failed() bool {
	return slices.ContainsFunc(a.Outcomes, func(o Outcome) bool { return o.Result == Failed })
}

// Apply carries out commands on p, one after the other, each by the numbers
// that the ones before it left; by says who acts when, and for how long they
// claim what they start. It goes on after one that fails, so that every fault
// is told. What is said too early of a step with others below it is passed over,
// and fails where strict is set.
func Apply(p *plan.Plan, cmds []planspec.Command, by plan.Move, strict bool) *Applied {
	a := &Applied{plan: p, by: by, strict: strict, touched: map[string]int{}}
	for i, c := range cmds {
		o := Outcome{Command: c}
		o.Result, o.Err = a.one(i, c)
		a.Outcomes = append(a.Outcomes, o)
	}
	return a
}

func (a *Applied) one(i int, c planspec.Command) (Result, error) {
	switch {
	case c.Skipped != "":
		return Passed, nil
	case c.Fault != "":
		return Failed, &planspec.StepError{ID: c.StepID, Reason: c.Fault}
	}
	err := a.carryOut(i, c)
	var edit *plan.EditError
	switch {
	case errors.As(err, &edit): // the file that it names is none that a model knows
		return Failed, &planspec.StepError{ID: c.StepID, Reason: "the step cannot be stored so: " + edit.Reason}
	case err != nil && !a.strict && a.tooEarly(c):
		return Passed, err
	case err != nil:
		return Failed, err
	case c.StepID == planspec.All:
		return Deferred, nil
	}
	return Done, nil
}

// tooEarly reports whether a command ends a step while others below it are open.
func (a *Applied) tooEarly(c planspec.Command) bool {
	t := byNumber(a.plan, c.StepID)
	return (c.Op == planspec.OpDone || c.Op == planspec.OpBlocked) && t != nil && len(t.Children) > 0 && !t.Settled()
}

func (a *Applied) carryOut(i int, c planspec.Command) error {
	switch {
	case c.Op == planspec.OpAdd:
		return a.add(i, c)
	case c.Op == planspec.OpReplan && c.StepID == planspec.All:
		a.why(c)
		return a.plan.OpenSignal(plan.Report{ID: plan.ReplanSignal, Level: "warning", Message: cmp.Or(c.Result, "The plan is to be made again."),
			Source: "apply", At: a.by.At, By: a.by.Agent})
	}
	t, err := a.find(c.StepID)
	if err != nil {
		return err
	}
	a.touched[t.ID] = i
	switch c.Op {
	case planspec.OpDone:
		return a.move(t, plan.Done, c.Result)
	case planspec.OpBlocked:
		return a.move(t, plan.Blocked, c.Result)
	case planspec.OpSkip:
		return a.move(t, plan.Skipped, c.Result)
	case planspec.OpRevise:
		return a.revise(t, c)
	case planspec.OpReplan:
		a.why(c)
		if err := mayHaveChildren(t, t.Kind); err != nil {
			return err
		}
		return a.plan.Clear(t, a.by)
	}
	return nil // how a plan is shown is nothing that is stored
}

// why keeps a reason that no task tells.
func (a *Applied) why(c planspec.Command) {
	if c.Result != "" {
		a.Reasons = append(a.Reasons, fmt.Sprintf("%s %s: %s", c.Op, c.StepID, c.Result))
	}
}

// find gives the task with a number.
func (a *Applied) find(number string) (*plan.Task, error) {
	if t := byNumber(a.plan, number); t != nil {
		return t, nil
	}
	return nil, &planspec.StepError{ID: number, Reason: fmt.Sprintf("step %s not found: use the number of a step of the plan", short(number))}
}

func byNumber(p *plan.Plan, number string) *plan.Task {
	for _, t := range p.All() {
		if t.Number() == number {
			return t
		}
	}
	return nil
}

func short(s string) string { return diag.Head(diag.Printable(s), 40) }

func (a *Applied) move(t *plan.Task, to plan.Status, result string) error {
	if err := plan.CheckText(result); err != nil {
		return &planspec.StepError{ID: t.Number(), Reason: "the step cannot be stored so: " + err.Error()}
	}
	m := a.by
	m.To, m.Result = to, result
	_, err := a.plan.Transition(t, m)
	return err
}

// mayHaveChildren fails if a task of the kind may have none.
func mayHaveChildren(t *plan.Task, kind string) error {
	if kind == "" || planspec.IsContainer(kind) {
		return nil
	}
	return &planspec.StepError{ID: t.Number(), Reason: fmt.Sprintf("step %s (%s): type '%s' cannot have children; make it a subtask with REVISE first, or choose another place",
		t.Number(), t.ID, short(kind))}
}

// add puts a new task in the place that its number names.
func (a *Applied) add(i int, c planspec.Command) error {
	parent, siblings, above := (*plan.Task)(nil), a.plan.Tasks, ""
	if dot := strings.LastIndexByte(c.StepID, '.'); dot >= 0 {
		var err error
		if parent, err = a.find(c.StepID[:dot]); err != nil {
			return err
		}
		if err := mayHaveChildren(parent, parent.Kind); err != nil {
			return err
		}
		siblings, above = parent.Children, c.StepID[:dot+1]
	}
	if err := a.definable(c, nil); err != nil {
		return err
	}
	last := 0
	for _, s := range siblings {
		last = max(last, s.NN)
	}
	n, err := strconv.Atoi(c.StepID[len(above):])
	if err != nil || n > last+1 || n == 0 {
		return &planspec.StepError{ID: c.StepID, Reason: fmt.Sprintf("no step can be added at %s: the first place is %s1, the last %s%d", c.StepID, above, above, last+1)}
	}
	unnamed := a.unnamed()
	t, err := a.insert(parent, n, c.Step)
	if err != nil {
		return err
	}
	a.touched[t.ID] = i
	if err := a.rename(unnamed); err != nil {
		return err
	}
	return a.plan.Follow(t, a.by)
}

// definable fails if the task self, or a new one, cannot become what the
// command says.
func (a *Applied) definable(c planspec.Command, self *plan.Task) error {
	typ, name := c.Step.Get("kind"), c.Step.Get("step_name")
	if !slices.Contains(planspec.Types(), typ) {
		return &planspec.StepError{ID: c.StepID, Reason: fmt.Sprintf("step %s: invalid type '%s'; write one of [reason], [act], [decide], [subtask] before the description",
			c.StepID, short(typ))}
	}
	for _, t := range a.plan.All() {
		if name != "" && t.Doc.Text("step_name") == name && t != self {
			return &planspec.StepError{ID: c.StepID, Reason: fmt.Sprintf("step %s (%s): duplicate name, first seen at step %s", c.StepID, short(name), t.Number())}
		}
	}
	return nil
}

// revise gives a task another kind and title. Name, outputs and body are
// replaced only by what the command brings; a body that said no more than the
// title follows it.
func (a *Applied) revise(t *plan.Task, c planspec.Command) error {
	if err := a.definable(c, t); err != nil {
		return err
	}
	if len(t.Children) > 0 {
		if err := mayHaveChildren(t, c.Step.Get("kind")); err != nil {
			return err
		}
	}
	was := planspec.StepOf(t)
	now := form.CloneItems([]*form.Item{was})[0]
	fields := []string{"kind", "title"}
	for _, field := range []string{"step_name", "outputs"} {
		if c.Step.Field(field).Kind != plan.Null {
			fields = append(fields, field)
		}
	}
	if c.HasBody {
		fields, now.Text = append(fields, "inputs"), c.Step.Text
	}
	for _, field := range fields {
		now.Say(field, c.Step.Field(field))
	}
	if t.Kind == "" {
		was.Say("kind", "") // what is not written is written now
	}
	return a.redefine(t, was, now)
}
