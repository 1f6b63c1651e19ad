package session

import "fmt"

// Message says in one line of ASCII what came of an input: what a tool
// answers. After is the plan as it became.
func Message(in Input, after View) string {
	standing := fmt.Sprintf("plan is %s, with %d of %d steps done.", after.Status, after.Done(), len(after.Steps))
	switch in.Tool {
	case ToolSetup:
		if len(after.Steps) == 0 {
			return "The plan is set up, without steps: add some with " + ToolAdd + "."
		}
		return "The plan is set up, with " + span(after.Steps) + "."
	case ToolAdd:
		return "Added " + span(after.Steps[max(0, len(after.Steps)-len(in.Steps)):]) + "; the " + standing
	case ToolUpdate:
		return "Updated " + in.StepID + "."
	case ToolMark:
		return fmt.Sprintf("%s is %s; the %s", in.StepID, in.Status, standing)
	case ToolClear:
		return "The plan is abandoned, and its steps are gone."
	}
	return "The " + standing
}

// span names steps that follow each other: "step S004", "steps S001 to S003".
func span(steps []StepView) string {
	switch len(steps) {
	case 0:
		return "no steps"
	case 1:
		return "step " + steps[0].ID
	}
	return "steps " + steps[0].ID + " to " + steps[len(steps)-1].ID
}
