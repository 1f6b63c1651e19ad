package planspec

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Two fields of a task keep what would be read otherwise: the first a description
// that says just what a step without one is called, the second a detail that begins
// or ends with empty lines, or says just what the title says. Each counts only as
// long as the title, or the text below the frontmatter, is what it was made with.
const (
	keyDescription = "x-planspec-description"
	keyDetail      = "x-planspec-detail"
)

// Files makes the files of a plan that passed [Check]. Where the plan is stored
// already, onto, a step that has the name, else the title, of one of its tasks
// keeps that task's id, and what a PlanSpec has no place for stays as it is
// stored. What is not kept is told in losses, a phrase each. It gives what the files
// were made of, too, which knows the places of their findings.
func Files(o *form.Outline, onto *plan.Plan) (made *form.Outline, files []plan.File, losses []string) {
	made = matched(o, onto)
	files, lost := made.Files(onto)
	disordered(o.Items, "at the top", &losses)
	return made, files, append(losses, lost...)
}

// matched gives what is to be stored, matched with what is.
func matched(o *form.Outline, onto *plan.Plan) *form.Outline {
	o = toStore(o)
	if onto == nil {
		return o
	}
	was := toStore(Of(onto))
	for _, it := range was.All() { // as they are written, whether they count or not
		d := it.Task.Doc
		it.Say(keyDescription, d.Text(keyDescription))
		it.Say(keyDetail, d.List(keyDetail))
	}
	o.Match(was)
	o.Plan.Was = &was.Plan
	return o
}

// disordered tells where steps do not stand by their numbers, as their files do.
func disordered(items []*form.Item, where string, losses *[]string) {
	if !slices.IsSortedFunc(items, func(a, b *form.Item) int { return form.Last(a.Number) - form.Last(b.Number) }) {
		*losses = append(*losses, "the order of the steps "+where+": steps stand by their numbers")
	}
	for _, it := range items {
		disordered(it.Children, "below "+it.Number, losses)
	}
}

// toStore makes of what a PlanSpec says what the files say.
func toStore(o *form.Outline) *form.Outline {
	title, goal := o.Plan.Title(), o.Plan.Get("goal")
	out := &form.Outline{Plan: form.Item{Path: "plan.md", Text: &goal, Pos: diag.Pos{Line: 1, Column: 1}}, Items: storeSteps(o.Items)}
	out.Plan.Say("title", cmp.Or(title, goal))
	if title != "" {
		out.Plan.Say("goal", &goal)
	} else {
		out.Plan.Say("goal", "")
	}
	for _, field := range []string{"goal_detail", "constraints"} {
		out.Plan.Say(field, o.Plan.Field(field))
	}
	return out
}

func storeSteps(items []*form.Item) (out []*form.Item) {
	for _, it := range items {
		c := storeStep(it)
		c.Children = storeSteps(it.Children)
		out = append(out, c)
	}
	return out
}

// storeStep does so for a step, without what is below it.
func storeStep(step *form.Item) *form.Item {
	it := &form.Item{Number: step.Number, Task: step.Task, Path: "tasks/01-task.md", Silent: true, Pos: step.Pos}
	description, detail, title := step.Title(), Detail(step), titleOf(step)
	text := strings.Join(trimLines(detail), "\n")
	it.Text = &text
	for _, field := range []string{"kind", "step_name", "inputs", "outputs", "progress", "result"} {
		it.Say(field, step.Field(field))
	}
	it.Say("title", title)
	it.Say("status", string(StatusOf(step).Task))
	if description != stepTitle(it.Number) {
		description = ""
	}
	if slices.Equal(detailOf(cmp.Or(text, title), title), detail) {
		detail = nil
	}
	it.Say(keyDescription, description)
	it.Say(keyDetail, detail)
	return it
}

// Check gives what of a plan no plan of ours can hold, at the places of its steps.
func Check(o *form.Outline) (found []diag.Diagnostic) {
	fail := func(it *form.Item, rule, hint, format string, args ...any) {
		found = append(found, diag.Diagnostic{Pos: it.Pos, Severity: diag.Error, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	told := map[string]bool{} // the steps of whose children one is too much, and what is below that one
	for _, it := range o.All() {
		up, number := form.Above(it.Number), quoteShort(it.Number)
		switch {
		case told[up]:
		case form.Last(it.Number) > plan.MaxSiblings:
			fail(it, plan.RuleLimits, "put some of them below a subtask", "step %s: at most %d steps can be stored beside each other, numbered up to %d", number, plan.MaxSiblings, plan.MaxSiblings)
		case strings.Count(it.Number, ".") >= plan.MaxDepth:
			fail(it, plan.RuleLimits, "move the steps up", "step %s is deeper than the %d levels of tasks that can be stored", number, plan.MaxDepth)
		default:
			continue
		}
		told[up], told[it.Number] = true, true
	}
	if len(found) > 0 {
		return found
	}
	made := toStore(o)
	made.Name(nil)
	for i, it := range append([]*form.Item{&made.Plan}, made.All()...) {
		var edit *plan.EditError
		if err := it.Compose(); errors.As(err, &edit) {
			label := ""
			if i > 0 {
				label = Label(it) + ": "
			}
			fail(it, plan.RuleEncoding, cmp.Or(edit.Hint, "leave it out"), "%s%s", label, edit.Reason)
		}
	}
	return found
}

// FromPlan gives the PlanSpec of a plan. What it cannot hold is told in losses,
// a phrase each.
func FromPlan(p *plan.Plan) (o *form.Outline, losses []string) {
	o = Of(p)
	return o, form.Loss{Field: "`%s`", Exact: true}.Of(p, toStore(o))
}

// Of is [FromPlan] for callers that do not ask what is lost.
func Of(p *plan.Plan) *form.Outline {
	o := &form.Outline{Items: stepsOf(p.Tasks)}
	if p.Doc != nil {
		title, goal := oneLine(p.Title()), oneLine(p.Doc.Text("goal"))
		if goal == "" {
			title, goal = "", title
		}
		var about, constraints []string
		for _, text := range p.Doc.List("goal_detail") {
			about = append(about, splitLines(strings.TrimRightFunc(text, unicode.IsSpace))...)
		}
		for _, text := range p.Doc.List("constraints") {
			constraints = append(constraints, oneLine(text))
		}
		o.Plan.Say("title", title)
		o.Plan.Say("goal", goal)
		o.Plan.Say("goal_detail", about)
		o.Plan.Say("constraints", constraints)
	}
	named := map[string]bool{}
	for _, it := range o.All() {
		name := it.Get("step_name")
		if named[name] {
			it.Say("step_name", "")
		}
		named[name] = name != ""
	}
	return o
}

func stepsOf(tasks []*plan.Task) (out []*form.Item) {
	for _, t := range tasks {
		it := StepOf(t)
		it.Children = stepsOf(t.Children)
		out = append(out, it)
	}
	return out
}

// StepOf gives the step that a task is, without what is below it.
func StepOf(t *plan.Task) *form.Item {
	d, it, title, kind := t.Doc, &form.Item{Number: t.Number(), Task: t}, oneLine(t.Title()), t.Kind
	switch {
	case kind != "":
	case len(t.Children) > 0:
		kind = Subtask
	default:
		kind = Act
	}
	say(it, "kind", kind)
	say(it, "step_name", nameOf(d.Text("step_name")))
	if title != stepTitle(it.Number) || d.Text(keyDescription) == title {
		say(it, "title", title)
	}
	it.Say("inputs", namesOf(d.List("inputs")))
	it.Say("outputs", namesOf(d.List("outputs")))
	say(it, "result", oneLine(d.Text("result")))
	mark(it, statusOf(t.Status))
	if done, total, ok := parseProgress(d.Text("progress")); ok {
		counted(it, done, total)
	}
	SetDetail(it, detailOf(d.Body, title))
	body := strings.Join(trimLines(splitLines(d.Body)), "\n")
	if kept := d.List(keyDetail); len(kept) > 0 && cmp.Or(strings.Join(trimLines(kept), "\n"), title) == body {
		SetDetail(it, kept)
	}
	return it
}

// TaskSource makes the text of the file of a new task with an id.
func TaskSource(id string, step *form.Item) ([]byte, error) {
	it := storeStep(step)
	it.ID = id
	err := it.Compose()
	return it.Made.Data, err
}

// Redefined brings the file of a task, which says what was says, to what step says.
func Redefined(t *plan.Task, was, step *form.Item) (*plan.Document, error) {
	it, b := storeStep(step), &form.Builder{Doc: t.Doc}
	it.Was = storeStep(was)
	b.Item(it)
	if len(b.Refused) > 0 {
		return nil, &plan.EditError{Path: t.Doc.Path, Key: "title", Reason: strings.Join(b.Refused, "; "), Hint: "edit the file by hand"}
	}
	return b.Doc, nil
}

// Complete completes a plan that was read from a form with no place for title,
// goal, constraints, numbers, detail and progress, such as a HopSpec, by what the
// stored plan says of them. A goal that was given stays. Without a stored plan it
// gives the plan as it is.
func Complete(o *form.Outline, onto *plan.Plan) *form.Outline {
	if onto == nil {
		return o
	}
	c, was := o.Clone(), Of(onto)
	stored := map[*plan.Task]*form.Item{}
	for _, it := range was.All() {
		stored[it.Task] = it
	}
	for _, field := range []string{"title", "goal_detail", "constraints"} {
		c.Plan.Say(field, was.Plan.Field(field))
	}
	c.Plan.Say("goal", cmp.Or(o.Plan.Get("goal"), was.Plan.Get("goal")))
	known := matched(o, onto)
	steps := c.All()
	for i, it := range known.All() {
		if old := stored[it.Task]; old != nil {
			if steps[i].Text == nil {
				steps[i].Text = old.Text
			}
			for _, field := range []string{"result", "status", "progress"} {
				steps[i].Say(field, old.Field(field))
			}
		}
	}
	completeNumbers(c.Items, known.Items, nil, "")
	return c
}

// completeNumbers gives the steps below one the numbers that they have where the
// plan is stored, if they are in that order; a step between them gets the next one.
func completeNumbers(steps, known []*form.Item, above *plan.Task, id string) {
	numbers, last := make([]int, len(steps)), -1
	for i := range steps {
		n := max(last+1, 1)
		if t := known[i].Task; t != nil && t.Parent == above {
			n = t.NN
		}
		if n <= last || n > plan.MaxSiblings { // they changed places, or there is no room
			numbers = nil
			break
		}
		numbers[i], last = n, n
	}
	for i, it := range steps {
		n := i + 1
		if numbers != nil {
			n = numbers[i]
		}
		it.Number = form.Below(id, n)
		completeNumbers(it.Children, known[i].Children, known[i].Task, it.Number)
	}
}

// titleOf gives the title of the task that a step becomes.
func titleOf(it *form.Item) string { return cmp.Or(it.Title(), stepTitle(it.Number)) }

// stepTitle is what a step without a description is called.
func stepTitle(number string) string { return "Step " + number }

// detailOf gives the detail that a text below the frontmatter is, which is nothing
// where it says just the title, but for what keyDetail keeps.
func detailOf(body, title string) []string {
	lines := trimLines(splitLines(body))
	if len(lines) == 1 && lines[0] == title {
		return nil
	}
	return lines
}

// trimLines drops the empty lines at both ends.
func trimLines(lines []string) []string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// splitLines gives the lines of a text without white space at their ends.
func splitLines(text string) []string {
	var out []string
	for _, line := range lines(text) {
		out = append(out, strings.TrimRightFunc(line, unicode.IsSpace))
	}
	return out
}

// oneLine joins the lines of a text.
func oneLine(text string) string {
	lines := splitLines(text)
	return strings.TrimSpace(strings.Join(slices.DeleteFunc(lines, func(l string) bool { return l == "" }), " "))
}

// nameOf makes a name of data of a text.
func nameOf(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }), "_")
}

func namesOf(texts []string) []string {
	var out []string
	for _, text := range texts {
		if name := nameOf(text); name != "" && len(out) < maxNames {
			out = append(out, name)
		}
	}
	return out
}
