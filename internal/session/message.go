package session

import "fmt"

// Message says in one line of ASCII what came of an input: what a tool
// answers beside its result. After is the plan as it became.
func Message(in Input, after View) string { return in.message(after) }

func (in SetupPlan) message(after View) string {
	if len(after.Steps) == 0 {
		return "The plan is set up, without steps: add some with " + ToolAdd + "."
	}
	return "The plan is set up, with " + span(after.Steps) + "."
}

func (in AddStep) message(after View) string {
	return "Added " + span(after.Steps[max(0, len(after.Steps)-len(in.Steps)):]) + "; " + standing(after)
}

func (in UpdateStep) message(View) string { return "Updated " + in.StepID + "." }

func (in MarkStep) message(after View) string {
	return fmt.Sprintf("%s is %s; %s", in.StepID, in.Status, standing(after))
}

func (ClearPlan) message(View) string { return "The plan is abandoned, and its steps are gone." }

func (ReadPlan) message(after View) string {
	return fmt.Sprintf("The plan is %s, with %d of %d steps done.", after.Status, after.Done(), len(after.Steps))
}

func standing(v View) string {
	return fmt.Sprintf("the plan is %s, with %d of %d steps done.", v.Status, v.Done(), len(v.Steps))
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
