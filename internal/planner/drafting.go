package planner

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/validate"
)

// MaxDrafts is how many drafts of one plan a model may make.
const MaxDrafts = 3

// Refused is a draft that was refused, and why, a line each.
type Refused struct {
	Draft string
	Why   []string
}

// Drafting is how one plan is drafted, as a T.
type Drafting[T any] struct {
	// Ask puts a question to a model, as [llm.Model.Ask].
	Ask func(ctx context.Context, question string, accept func(answer string) error) error
	// Question gives the prompt; the draft that was refused before is nil at first.
	Question func(before *Refused) string
	// Read makes a draft of the object in an answer. Its error is for the model,
	// which may answer once more.
	Read func(object []byte, prose string) (T, error)
	// Gate tells what the gate finds in a draft, a line each, and whether it passes.
	Gate func(ctx context.Context, draft T) (found []string, passes bool, err error)
	// Judge gives the verdict on a draft that passes; nil where nobody judges.
	Judge func(ctx context.Context, draft T) (validate.Opinion, error)
	// Required says that no draft can be taken which the judge did not approve.
	Required bool
	// Progress, if set, is told what is waited for.
	Progress func(what string)
}

// Drafted is what came of it.
type Drafted[T any] struct {
	// Draft may be taken if OK is set.
	Draft T
	OK    bool
	// Verdict is that on the draft, or nil where it was not judged.
	Verdict *validate.Opinion
	// Why is what stood against the last draft that was refused.
	Why []string
	// Failed says that the model gave no usable answer in the end: an
	// *[llm.Error]. It may come after a draft that can be taken.
	Failed error
}

// Run asks for drafts until one passes the gate and is approved. Without
// approval the last one that passed is taken, where that is not required. The
// error is anything but a failure of the model.
func (d Drafting[T]) Run(ctx context.Context) (Drafted[T], error) {
	var out Drafted[T]
	var before *Refused
	for n := 1; n <= MaxDrafts; n++ {
		d.tell("asking the model for a plan (draft %d of %d)…", n, MaxDrafts)
		draft, text, err := d.ask(ctx, before)
		if err != nil {
			return out, out.fail(err)
		}
		found, passes, err := d.Gate(ctx, draft)
		switch {
		case err != nil:
			return out, err
		case !passes:
			out.Why, before = found, &Refused{text, found}
			continue
		case d.Judge == nil:
			return Drafted[T]{Draft: draft, OK: true}, nil
		}
		d.tell("asking the model to judge draft %d…", n)
		verdict, err := d.Judge(ctx, draft)
		switch {
		case err != nil && !d.Required && !out.OK:
			out.Draft, out.OK = draft, true
			return out, out.fail(err)
		case err != nil:
			return out, out.fail(err)
		case verdict.Approved:
			return Drafted[T]{Draft: draft, OK: true, Verdict: &verdict}, nil
		case !d.Required:
			out.Draft, out.OK, out.Verdict = draft, true, &verdict
		}
		out.Why = append([]string{"the reviewer did not approve the plan: " + verdict.Feedback}, found...)
		before = &Refused{text, out.Why}
	}
	return out, nil
}

// ask asks for one draft, and gives it as it was answered, too.
func (d Drafting[T]) ask(ctx context.Context, before *Refused) (draft T, text string, err error) {
	err = d.Ask(ctx, d.Question(before), func(answer string) error {
		object, prose, err := llm.JSON(answer)
		if err != nil {
			return err
		}
		text = string(object)
		draft, err = d.Read(object, prose)
		return err
	})
	return draft, text, err
}

// fail keeps a failure of the model; any other error is given back.
func (o *Drafted[T]) fail(err error) error {
	var failed *llm.Error
	if !errors.As(err, &failed) {
		return err
	}
	o.Failed = err
	return nil
}

func (d Drafting[T]) tell(format string, args ...any) {
	if d.Progress != nil {
		d.Progress(fmt.Sprintf(format, args...))
	}
}
