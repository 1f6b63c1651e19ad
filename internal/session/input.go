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

// Input is what one of the six tools takes. The tool says which of the other
// fields count; they have the names of its arguments.
type Input struct {
	// Tool is the name of the tool.
	Tool string `json:"-"`

	Objective    string        `json:"objective,omitempty"`
	InitialSteps []NewPlanStep `json:"initial_steps,omitempty"`
	// Steps join an active plan at its end.
	Steps  []NewPlanStep `json:"steps,omitempty"`
	StepID string        `json:"step_id,omitempty"`
	// Title and Details reword a step. A nil text stays as it is; Details that
	// point to an empty text are cleared.
	Title   *string `json:"title,omitempty"`
	Details *string `json:"details,omitempty"`
	// Status says where a step stands. A Note that is not empty joins its notes.
	Status StepStatus `json:"status,omitempty"`
	Note   string     `json:"note,omitempty"`
}

// NewPlanStep is a step that is to be. Empty Details are none.
type NewPlanStep struct {
	Title   string `json:"title"`
	Details string `json:"details,omitempty"`
}

// normal gives the input as it counts, with its texts trimmed, sharing nothing
// with the original. The error, a [*ValidationError], names all that is wrong
// with it; what the plan allows is for [Next] to say.
func (in Input) normal() (Input, error) {
	var f faults
	out := Input{Tool: in.Tool}
	switch in.Tool {
	case ToolSetup:
		out.Objective = f.text("objective", in.Objective, 1, MaxObjective)
		out.InitialSteps = f.steps("initial_steps", in.InitialSteps)
	case ToolAdd:
		if len(in.Steps) == 0 {
			f.add("steps", "empty: give at least one step")
		}
		out.Steps = f.steps("steps", in.Steps)
	case ToolUpdate:
		if in.Title == nil && in.Details == nil {
			f.add("", "nothing to update: give title, details or both")
		}
		out.StepID = f.stepID(in.StepID)
		if in.Title != nil {
			out.Title = new(f.text("title", *in.Title, 1, MaxTitle))
		}
		if in.Details != nil {
			out.Details = new(f.text("details", *in.Details, 0, MaxText))
		}
	case ToolMark:
		out.StepID, out.Status, out.Note = f.stepID(in.StepID), f.status(in.Status), f.text("note", in.Note, 0, MaxText)
	}
	return out, f.err(in.Tool)
}

func (f *faults) steps(field string, steps []NewPlanStep) []NewPlanStep {
	out := make([]NewPlanStep, 0, len(steps))
	for i, s := range steps {
		out = append(out, NewPlanStep{
			Title:   f.text(item(field, i)+".title", s.Title, 1, MaxTitle),
			Details: f.text(item(field, i)+".details", s.Details, 0, MaxText),
		})
	}
	return out
}
