// Package judge has a model judge plans.
//
// [Ask] is the entry: it puts a plan to the model that the user configured and
// gives its verdict. What the plan says cannot change what is asked: it stands
// between fences, and the answer is one object with two keys or none at all.
package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// Asker puts a question to a model and gives the answer to accept, which says
// what is wrong with it. [llm.Model] is one.
type Asker interface {
	Ask(ctx context.Context, question string, accept func(answer string) error) error
}

// Ask has a model judge a plan. Around are parts about the world of the plan,
// such as a specification and the files of the project. The error is that of the
// model, an *[llm.Error], also where the plan is too large to be shown whole.
func Ask(ctx context.Context, model Asker, p *plan.Plan, around ...prompt.Part) (validate.Opinion, error) {
	question, err := Question(p, around...)
	if err != nil {
		return validate.Opinion{}, err
	}
	var opinion validate.Opinion
	err = model.Ask(ctx, question, func(answer string) error {
		opinion, err = read(answer)
		return err
	})
	if err != nil {
		return validate.Opinion{}, err
	}
	return opinion, nil
}

// Question is what a model is asked about a plan.
func Question(p *plan.Plan, around ...prompt.Part) (string, error) {
	const title = "Plan"
	shown := render.Plan(p, "")
	data, err := json.MarshalIndent(shown[:len(shown)-1], "", "  ") // without the commit
	if err != nil {
		return "", err
	}
	parts := []prompt.Part{{Title: "Goal", Text: goal(p)}, {Title: "Constraints", Text: prompt.Items(p.Doc.List("constraints"))}}
	// The plan comes before what may be cut to make room.
	parts = append(parts, prompt.Part{Title: title, Text: string(data)})
	text, cuts := prompt.Assemble(prompt.Text("judge"), append(parts, around...)...)
	for _, cut := range cuts {
		if strings.HasPrefix(cut, title+":") {
			return "", &llm.Error{Reason: fmt.Sprintf("plan %s is too large to be judged by a model (%d bytes as JSON): make two plans of it", p.ID, len(data))}
		}
	}
	return text, nil
}

func goal(p *plan.Plan) string {
	return strings.Join(append([]string{p.Goal()}, p.Doc.List("goal_detail")...), "\n")
}

// read takes the verdict out of an answer.
func read(answer string) (validate.Opinion, error) {
	object, _, err := llm.JSON(answer)
	if err != nil {
		return validate.Opinion{}, err
	}
	var o validate.Opinion
	err = llm.Decode(object, func(d *form.Decoder) []form.Key {
		return []form.Key{approval(d, &o.Approved), d.Filled("feedback", &o.Feedback).Must()}
	})
	o.Feedback = strings.TrimSpace(o.Feedback)
	return o, err
}

// approval takes true or false: a word that means as much is no verdict.
func approval(d *form.Decoder, to *bool) form.Key {
	const name = "is_approved"
	return form.Key{Name: name, Required: true, Take: func(n plan.Node) {
		if n.Kind != plan.Bool {
			d.Wrong(name, n, "true or false")
			return
		}
		*to = n.Text == "true"
	}}
}
