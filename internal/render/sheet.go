package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Sheet is a plan as a person is shown it, whether it is stored, drafted or a
// PlanSpec. [Sheet.Text], [Sheet.Markdown] and [Sheet.HTML] write it. Its
// texts are those of the plan and may hold anything.
type Sheet struct {
	// Heading names the plan.
	Heading string
	// Status says how the plan stands, nothing for a PlanSpec.
	Status      string
	Goal        string
	GoalDetail  []string
	Constraints []string
	// Body is the plan's narrative.
	Body string
	// Steps are its tasks, each with its id for a name.
	Steps *planspec.Plan
	// Signals are what is open, a line each.
	Signals []string
	// Summary is how the plan ended.
	Summary string

	plan  *plan.Plan // nil for a PlanSpec
	tasks map[*planspec.Step]*plan.Task
	ready map[*plan.Task]bool
}

// NewSheet makes the sheet of a plan of ours.
func NewSheet(p *plan.Plan) *Sheet {
	s := &Sheet{
		Heading: p.ID + ": " + p.Title(), Status: fmt.Sprintf("%s, version %d", p.Status(), p.Version()),
		GoalDetail: p.Doc.List("goal_detail"), Constraints: p.Doc.List("constraints"), Body: body(p.Doc),
		Summary: strings.TrimSpace(p.Doc.Text("final_summary")),
		plan:    p, tasks: map[*planspec.Step]*plan.Task{}, ready: map[*plan.Task]bool{},
	}
	if p.Goal() != p.Title() {
		s.Goal = p.Goal()
	}
	s.Steps = &planspec.Plan{Steps: s.steps(p.Tasks)}
	for _, t := range p.Ready() {
		s.ready[t] = true
	}
	for _, x := range p.Signals {
		on := "the plan"
		if x.Task != "" {
			on = x.Task
		}
		first, _, _ := strings.Cut(x.Message(), "\n")
		s.Signals = append(s.Signals, fmt.Sprintf("%s (%s) on %s: %s", x.ID, x.Level, on, first))
	}
	return s
}

// NewSpecSheet makes the sheet of a PlanSpec.
func NewSpecSheet(p *planspec.Plan) *Sheet {
	s := &Sheet{Heading: "PlanSpec", Goal: p.Goal, GoalDetail: p.GoalDetail, Constraints: p.Constraints, Steps: p}
	if p.Title != "" {
		s.Heading += ": " + p.Title
	}
	return s
}

// steps gives tasks as steps, in what a reader is shown of them.
func (s *Sheet) steps(tasks []*plan.Task) []*planspec.Step {
	var out []*planspec.Step
	for _, t := range tasks {
		step := &planspec.Step{
			ID: t.Number(), Name: t.ID, Type: t.Kind, Description: flat(t.Title()), Inputs: t.Doc.List("inputs"), Outputs: t.Doc.List("outputs"),
			Detail: detail(t), Result: flat(t.Doc.Text("result")), Status: stepStatus(t.Status), Children: s.steps(t.Children),
		}
		if why := flat(t.Doc.Text("error")); t.Status == plan.Failed && why != "" {
			step.Result = why
		}
		step.DoneCount, step.TotalCount = iterations(t.Doc.Text("progress"))
		s.tasks[step] = t
		out = append(out, step)
	}
	return out
}

// flat makes one line of a text.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// detail gives the lines of a task's body, without what its title says.
func detail(t *plan.Task) []string {
	var out []string
	text := body(t.Doc)
	if first, rest, _ := strings.Cut(text, "\n"); strings.TrimSpace(strings.Trim(first, "# ")) == t.Title() {
		text = strings.Trim(rest, "\n")
	}
	for line := range strings.Lines(text) {
		out = append(out, strings.TrimRight(line, "\r\n"))
	}
	return out
}

func stepStatus(s plan.Status) planspec.Status {
	switch s {
	case plan.InProgress:
		return planspec.Active
	case plan.Done:
		return planspec.Done
	case plan.Blocked, plan.Failed:
		return planspec.Blocked
	case plan.Skipped, plan.Cancelled:
		return planspec.Skipped
	}
	return planspec.Pending
}

// iterations reads how many iterations are done and of how many.
func iterations(text string) (done int, total *int) {
	n, of, ok := strings.Cut(text, "/")
	done, _ = strconv.Atoi(strings.TrimSpace(n))
	if all, err := strconv.Atoi(strings.TrimSpace(of)); ok && err == nil {
		total = &all
	}
	return done, total
}

// Fold sets how much of a step is shown, which is named by id or number. It
// reports whether there is such a step.
func (s *Sheet) Fold(name string, fold planspec.Fold) bool {
	var found *planspec.Step
	s.Steps.Walk(func(step *planspec.Step) {
		if step.Name == name && found == nil {
			found = step
		}
	})
	if found == nil {
		found = s.Steps.Find(strings.TrimSuffix(name, "."))
	}
	if found != nil {
		found.Fold = fold
	}
	return found != nil
}

// ExpandAll shows everything.
func (s *Sheet) ExpandAll() {
	s.Steps.Walk(func(step *planspec.Step) { step.Fold = planspec.Expanded })
}

// Names gives what steps can be called by beside their numbers.
func (s *Sheet) Names() []string {
	var out []string
	s.Steps.Walk(func(step *planspec.Step) {
		if step.Name != "" {
			out = append(out, step.Name)
		}
	})
	return out
}

// note says what a reader wants to know of a step beside its line: its id, and
// what it waits for or who works on it.
func (s *Sheet) note(step *planspec.Step) string {
	var parts []string
	if step.Name != "" {
		parts = append(parts, step.Name)
	}
	if t := s.tasks[step]; t != nil {
		parts = append(parts, s.state(t)...)
	}
	return strings.Join(parts, "; ")
}

func (s *Sheet) state(t *plan.Task) []string {
	switch {
	case s.ready[t]:
		return []string{"ready"}
	case t.Status == plan.Pending && len(t.Children) == 0:
		var needs []string
		for _, u := range s.plan.WaitsFor(t) {
			needs = append(needs, u.ID)
		}
		if len(needs) > 0 {
			return []string{"needs " + words.Few(needs, 5)}
		}
	case t.Status == plan.Blocked || t.Status == plan.Failed || t.Status == plan.Cancelled:
		return []string{string(t.Status)}
	case t.Status == plan.InProgress:
		if who := t.Doc.Text("executed_by"); who != "" {
			return []string{diag.Printable(who)}
		}
	}
	return nil
}
