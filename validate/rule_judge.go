package validate

import "github.com/git-plan/git-plan/plan/diag"

// RuleJudge is the id of the rule that needs [Input.Opinion].
const RuleJudge = "judge"

// maxFeedback is how many characters of what a model said go into a message.
const maxFeedback = 600

// Opinion is what the judge says of a plan: a model, asked by whoever can ask
// one.
type Opinion struct {
	Approved bool
	// Feedback is for whoever wrote the plan.
	Feedback string
	// Missing, if set, says why there is no opinion, in the place of the others;
	// Remedy then says what to do about that.
	Missing, Remedy string
}

func judged() Rule {
	return Rule{
		ID: RuleJudge, Class: Quality, Doc: "the model that the user configured approves of a plan that is made, or whose definition is edited", Fix: "mend what its feedback says",
		Check: checkJudge,
	}
}

// checkJudge tells what the judge said. It knows nothing of a plan that nobody
// was asked about.
func checkJudge(c *Context) {
	o := c.Opinion
	switch {
	case o == nil:
	case o.Missing != "":
		c.report("plan.md", top, o.Remedy, "%s", o.Missing)
	case !o.Approved:
		c.report("plan.md", top, "mend what it says, and try again", "the judge does not approve: %s", diag.OneLine(o.Feedback, maxFeedback))
	}
}

// ForJudge reports whether what is on trial is something for a judge: a plan
// whose definition changed. One that has no task yet, as its goal is still to be
// decomposed, waits for that, and a merge combines what was judged on its sides.
func ForJudge(in Input) bool {
	if len(in.Sides) > 0 || in.Scope == Range || in.Plan.Doc == nil {
		return false
	}
	if f := (&facts{in: in}); !f.redefined() {
		return false
	}
	for _, t := range in.Plan.All() {
		if !isDecomposition(t) {
			return true
		}
	}
	return false
}
