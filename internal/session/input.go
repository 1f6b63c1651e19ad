package session

// The names of the tools.
const (
	ToolSetup  = "planning_setup_plan"
	ToolAdd    = "planning_add_step"
	ToolUpdate = "planning_update_step"
	ToolMark   = "planning_mark_step"
	ToolClear  = "planning_clear_plan"
	ToolRead   = "planning_read_plan"
)

// Input is what one of the six tools takes: a [SetupPlan], [AddStep],
// [UpdateStep], [MarkStep], [ClearPlan] or [ReadPlan].
type Input interface {
	// Tool is the name of the tool.
	Tool() string
	// normal gives the input as it counts, texts trimmed, sharing nothing
	// with the original, and tells f what is wrong with it.
	normal(f *faults) Input
	// reduce gives the plan that follows from v by an input that is normal,
	// or a fault of state. It may change v.
	reduce(v View) (View, error)
	// message says in a line what came of it.
	message(after View) string
}

// NewPlanStep is a step that is to be. Empty Details are none.
type NewPlanStep struct {
	Title   string `json:"title"`
	Details string `json:"details,omitempty"`
}

// SetupPlan begins a plan, in place of any other.
type SetupPlan struct {
	Objective    string        `json:"objective"`
	InitialSteps []NewPlanStep `json:"initial_steps"`
}

// AddStep puts steps at the end of an active plan.
type AddStep struct {
	Steps []NewPlanStep `json:"steps"`
}

// UpdateStep rewords a step. A nil text stays as it is; Details that point to
// an empty text are cleared.
type UpdateStep struct {
	StepID  string  `json:"step_id"`
	Title   *string `json:"title,omitempty"`
	Details *string `json:"details,omitempty"`
}

// MarkStep says where a step stands. A Note that is not empty joins the
// step's notes.
type MarkStep struct {
	StepID string     `json:"step_id"`
	Status StepStatus `json:"status"`
	Note   string     `json:"note,omitempty"`
}

// ClearPlan gives the plan up and drops its steps.
type ClearPlan struct{}

// ReadPlan asks for the plan.
type ReadPlan struct{}

// Tool gives planning_setup_plan.
func (SetupPlan) Tool() string { return ToolSetup }

// Tool gives planning_add_step.
func (AddStep) Tool() string { return ToolAdd }

// Tool gives planning_update_step.
func (UpdateStep) Tool() string { return ToolUpdate }

// Tool gives planning_mark_step.
func (MarkStep) Tool() string { return ToolMark }

// Tool gives planning_clear_plan.
func (ClearPlan) Tool() string { return ToolClear }

// Tool gives planning_read_plan.
func (ReadPlan) Tool() string { return ToolRead }

func (in SetupPlan) normal(f *faults) Input {
	return SetupPlan{
		Objective:    f.text("objective", in.Objective, 1, MaxObjective),
		InitialSteps: normalSteps(f, "initial_steps", in.InitialSteps),
	}
}

func (in AddStep) normal(f *faults) Input {
	if len(in.Steps) == 0 {
		f.add("steps", "empty: give at least one step")
	}
	return AddStep{Steps: normalSteps(f, "steps", in.Steps)}
}

func (in UpdateStep) normal(f *faults) Input {
	if in.Title == nil && in.Details == nil {
		f.add("", "nothing to update: give title, details or both")
	}
	out := UpdateStep{StepID: f.stepID(in.StepID)}
	if in.Title != nil {
		title := f.text("title", *in.Title, 1, MaxTitle)
		out.Title = &title
	}
	if in.Details != nil {
		details := f.text("details", *in.Details, 0, MaxText)
		out.Details = &details
	}
	return out
}

func (in MarkStep) normal(f *faults) Input {
	return MarkStep{
		StepID: f.stepID(in.StepID),
		Status: f.status(in.Status),
		Note:   f.text("note", in.Note, 0, MaxText),
	}
}

func (ClearPlan) normal(*faults) Input { return ClearPlan{} }

func (ReadPlan) normal(*faults) Input { return ReadPlan{} }

func normalSteps(f *faults, field string, steps []NewPlanStep) []NewPlanStep {
	out := make([]NewPlanStep, 0, len(steps))
	for i, s := range steps {
		out = append(out, NewPlanStep{
			Title:   f.text(item(field, i)+".title", s.Title, 1, MaxTitle),
			Details: f.text(item(field, i)+".details", s.Details, 0, MaxText),
		})
	}
	return out
}
