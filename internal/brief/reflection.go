package brief

import (
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// Outcomes are what may have become of a step on which a model is to reflect.
func Outcomes() []string { return []string{"FAIL", "UNCERTAIN", "LACK_OF_INFO"} }

// Reflection is what is told of a step that did not go well.
type Reflection struct {
	Task Step `json:"task"`
	// StepStatus is one of [Outcomes], Result what was reported with it.
	StepStatus  string `json:"step_status"`
	Result      string `json:"result"`
	CanInteract bool   `json:"can_interact"`
	// PlanState is the folded plan, a PlanSpec.
	PlanState string   `json:"plan_state"`
	Choices   []Choice `json:"choices"`
}

// Choice is something that a model may answer.
type Choice struct {
	Name string `json:"name"`
	// When says for which case it is.
	When string `json:"when"`
	// Form is the line to write.
	Form string `json:"form"`
}

// The forms of the commands, as a model is to write them.
const (
	formSkip   = "PLAN_CMD: SKIP <step> | <reason>"
	formAdd    = "PLAN_CMD: ADD <step> [reason|act|decide|subtask] <description> → <outputs>"
	formRevise = "PLAN_CMD: REVISE <step> [reason|act|decide|subtask] <description> → <outputs>"
	formReplan = "PLAN_CMD: REPLAN <step> | <reason>"
	formAll    = "PLAN_CMD: REPLAN ALL | <reason>"
)

// NewReflection gathers what is told of a task. Where no result is given, it
// is what the task says of it.
func NewReflection(t *plan.Task, status, result string, interactive bool, state string) *Reflection {
	r := &Reflection{Task: newStep(t), StepStatus: status, Result: result, CanInteract: interactive, PlanState: state}
	if strings.TrimSpace(result) == "" {
		r.Result = r.Task.Result
	}
	r.Choices = []Choice{
		{"RETRY", "the failure was a passing one, or much depends on a result that is uncertain", "RETRY"},
		{"ACCEPT", "the result is uncertain, and what follows does not depend on it much", "ACCEPT"},
		{"INTERACT", "information is missing, and a person can be asked (can_interact)", "INTERACT <question>"},
		{"SKIP", "the failure cannot be mended, and the plan can do without the step", formSkip},
		{"REVISE", "steps that follow must be adjusted to what happened", formRevise},
		{"ADD", "another way or a remedy is needed, and nobody can be asked", formAdd},
	}
	return r
}

// Text writes it for a model.
func (r *Reflection) Text() string {
	var w writer
	w.line("# Reflection on step %s: %s", r.Task.Number, flat(r.Task.Title))
	w.line("\nThe step did not end well. Decide, in view of the whole plan, what is to be done.\n")
	w.line("status: %s", r.StepStatus)
	w.line("result: %s", orNone(r.Result))
	w.line("can_interact: %t", r.CanInteract)
	w.state(r.PlanState)
	w.choices("Choose", r.Choices)
	w.line("\nRETRY, ACCEPT and INTERACT stand alone. SKIP, REVISE and ADD are lines of that form, one a command; each may stand with others. %s", bodyRule)
	return w.String()
}

const bodyRule = "Lines that begin with `>` may follow ADD and REVISE: `> ← a, b` for inputs, others for detail. ADD moves the steps from that place on up by one. REVISE without such lines keeps the detail."

func orNone(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return "none was reported"
	}
	return flat(s)
}

// state writes the folded plan.
func (w *writer) state(text string) {
	w.section("Plan")
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	w.line("%s\n%s\n%s", fence, strings.TrimRight(text, "\n"), fence)
}

func (w *writer) choices(heading string, all []Choice) {
	w.section(heading)
	for _, c := range all {
		w.line("- %s: %s", c.Name, c.When)
		if c.Form != c.Name {
			w.line("  `%s`", c.Form)
		}
	}
}
