package planspec

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
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
// stored. What is not kept is told in losses, a phrase each.
func Files(p *Plan, onto *plan.Plan) (files []plan.File, losses []string) {
	o := matched(p, onto)
	disordered(p.Steps, "at the top", &losses)
	files, lost := o.Files(onto)
	return files, append(losses, lost...)
}

func matched(p *Plan, onto *plan.Plan) *form.Outline {
	o := outline(p)
	if onto == nil {
		return o
	}
	was := outline(Of(onto)).Stored(onto.All())
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
func disordered(steps []*Step, where string, losses *[]string) {
	if !slices.IsSortedFunc(steps, func(a, b *Step) int { return lastPart(a.ID) - lastPart(b.ID) }) {
		*losses = append(*losses, "the order of the steps "+where+": steps stand by their numbers")
	}
	for _, s := range steps {
		disordered(s.Children, "below "+s.ID, losses)
	}
}

// outline tells a plan in our fields.
func outline(p *Plan) *form.Outline {
	o := &form.Outline{Plan: form.Item{Path: "plan.md", Text: &p.Goal, Pos: diag.Pos{Line: 1, Column: 1}}, Items: items(p.Steps)}
	o.Plan.Say("title", cmp.Or(p.Title, p.Goal))
	if goal := p.Goal; p.Title != "" {
		o.Plan.Say("goal", &goal)
	} else {
		o.Plan.Say("goal", "")
	}
	o.Plan.Say("goal_detail", p.GoalDetail)
	o.Plan.Say("constraints", p.Constraints)
	return o
}

func items(steps []*Step) []*form.Item {
	var out []*form.Item
	for _, s := range steps {
		it := itemOf(s)
		it.Children = items(s.Children)
		out = append(out, it)
	}
	return out
}

// itemOf tells a step, without what is below it.
func itemOf(s *Step) *form.Item {
	text, title := strings.Join(trimLines(s.Detail), "\n"), titleOf(s)
	it := &form.Item{NN: lastPart(s.ID), Path: "tasks/01-task.md", Text: &text, Silent: true, Pos: s.Pos}
	it.Say("title", title)
	it.Say("kind", s.Type)
	it.Say("step_name", s.Name)
	it.Say("status", string(taskStatus(s.Status)))
	it.Say("inputs", s.Inputs)
	it.Say("outputs", s.Outputs)
	progress := ""
	if s.DoneCount != 0 || s.TotalCount != nil {
		progress = s.count()
	}
	it.Say("progress", progress)
	it.Say("result", s.Result)
	description, detail := "", []string(nil)
	if s.Description == stepTitle(s.ID) {
		description = s.Description
	}
	if !slices.Equal(detailOf(cmp.Or(text, title), title), s.Detail) {
		detail = s.Detail
	}
	it.Say(keyDescription, description)
	it.Say(keyDetail, detail)
	return it
}

// Check gives what of a plan no plan of ours can hold, at the places of its steps.
func Check(p *Plan) []diag.Diagnostic {
	c := &limits{}
	c.steps(p.Steps)
	if len(c.found) > 0 {
		return c.found
	}
	o := outline(p)
	o.Name(nil)
	label := map[*form.Item]string{}
	steps := p.all()
	for i, it := range o.All() {
		label[it] = steps[i].Label() + ": "
	}
	for _, it := range append([]*form.Item{&o.Plan}, o.All()...) {
		err := it.Compose()
		if err == nil {
			continue
		}
		d := diag.Diagnostic{Pos: it.Pos, Severity: diag.Error, Rule: plan.RuleEncoding, Message: err.Error(), Hint: "leave it out"}
		var edit *plan.EditError
		if errors.As(err, &edit) {
			d.Message, d.Hint = edit.Reason, cmp.Or(edit.Hint, d.Hint)
		}
		d.Message = label[it] + d.Message
		c.found = append(c.found, d)
	}
	return c.found
}

// limits finds what is too much for the store.
type limits struct {
	found []diag.Diagnostic
	deep  bool // a step that is too deep was reported
}

func (c *limits) add(s *Step, hint, format string, args ...any) {
	c.found = append(c.found, diag.Diagnostic{Pos: s.Pos, Severity: diag.Error, Rule: plan.RuleLimits, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// steps checks siblings, and reports the first of them that is too many.
func (c *limits) steps(steps []*Step) {
	for i, s := range steps {
		if i == plan.MaxSiblings || lastPart(s.ID) > plan.MaxSiblings {
			c.add(s, "put some of them below a subtask", "step %s: at most %d steps can be stored beside each other, numbered up to %d", quoteShort(s.ID), plan.MaxSiblings, plan.MaxSiblings)
			break
		}
	}
	for _, s := range steps {
		if strings.Count(s.ID, ".") >= plan.MaxDepth && !c.deep {
			c.deep = true
			c.add(s, "move the steps up", "step %s is deeper than the %d levels of tasks that can be stored", quoteShort(s.ID), plan.MaxDepth)
			return
		}
		c.steps(s.Children)
	}
}

// Place gives where in the text that was read a finding about a made file
// belongs.
func Place(p *Plan, file string) diag.Pos {
	number := ""
	for part := range strings.SplitSeq(strings.TrimPrefix(file, "tasks/"), "/") {
		nn, _, _ := strings.Cut(part, "-")
		if n, err := strconv.Atoi(nn); err == nil {
			number = childID(number, n)
		}
	}
	if s := p.Find(number); s != nil {
		return s.Pos
	}
	return diag.Pos{Line: 1, Column: 1}
}

// FromPlan gives the PlanSpec of a plan. What it cannot hold is told in losses,
// a phrase each.
func FromPlan(p *plan.Plan) (spec *Plan, losses []string) {
	spec = Of(p)
	return spec, form.Loss{Field: "`%s`", Exact: true}.Of(p, outline(spec).Stored(p.All()))
}

// Of is [FromPlan] for callers that do not ask what is lost.
func Of(p *plan.Plan) *Plan {
	spec := &Plan{Steps: stepsOf(p.Tasks)}
	if p.Doc != nil {
		spec.Title, spec.Goal = oneLine(p.Title()), oneLine(p.Doc.Text("goal"))
		if spec.Goal == "" {
			spec.Title, spec.Goal = "", spec.Title
		}
		for _, text := range p.Doc.List("goal_detail") {
			spec.GoalDetail = append(spec.GoalDetail, splitLines(cmp.Or(strings.TrimRightFunc(text, unicode.IsSpace), "\n"))...)
		}
		for _, text := range p.Doc.List("constraints") {
			spec.Constraints = append(spec.Constraints, oneLine(text))
		}
	}
	named := map[string]bool{}
	spec.Walk(func(s *Step) {
		if named[s.Name] {
			s.Name = ""
		}
		named[s.Name] = s.Name != ""
	})
	return spec
}

func stepsOf(tasks []*plan.Task) []*Step {
	var out []*Step
	for _, t := range tasks {
		s := StepOf(t)
		s.Children = stepsOf(t.Children)
		out = append(out, s)
	}
	return out
}

// StepOf gives the step that a task is, without what is below it.
func StepOf(t *plan.Task) *Step {
	d, title := t.Doc, oneLine(t.Title())
	s := &Step{
		ID: t.Number(), Name: nameOf(d.Text("step_name")), Type: t.Kind, Description: title, Result: oneLine(d.Text("result")), Status: specStatus(t.Status),
		Inputs: namesOf(d.List("inputs")), Outputs: namesOf(d.List("outputs")), Detail: detailOf(d.Body, title),
	}
	switch {
	case s.Type != "":
	case len(t.Children) > 0:
		s.Type = Subtask
	default:
		s.Type = Act
	}
	if title == stepTitle(s.ID) && d.Text(keyDescription) != title {
		s.Description = ""
	}
	body := strings.Join(trimLines(splitLines(d.Body)), "\n")
	if kept := d.List(keyDetail); len(kept) > 0 && cmp.Or(strings.Join(trimLines(kept), "\n"), title) == body {
		s.Detail = kept
	}
	if done, total, ok := parseProgress(d.Text("progress")); ok {
		s.DoneCount, s.TotalCount = done, total
	}
	return s
}

// TaskSource makes the text of the file of a new task with an id.
func TaskSource(id string, s *Step) ([]byte, error) {
	it := itemOf(s)
	it.ID = id
	err := it.Compose()
	return it.Made.Data, err
}

// Redefined brings the file of a task, which says what was says, to what s says.
func Redefined(t *plan.Task, was, s *Step) (*plan.Document, error) {
	it := itemOf(s)
	it.Was = itemOf(was)
	b := &form.Builder{Doc: t.Doc}
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
func Complete(p *Plan, onto *plan.Plan) *Plan {
	if onto == nil {
		return p
	}
	p = p.Clone()
	was, o := Of(onto), matched(p, onto)
	p.Title, p.GoalDetail, p.Constraints = was.Title, was.GoalDetail, was.Constraints
	p.Goal = cmp.Or(p.Goal, was.Goal)
	steps := p.all()
	for i, it := range o.All() {
		if it.Task == nil {
			continue
		}
		s, old := steps[i], was.Find(it.Task.Number())
		if len(s.Detail) == 0 {
			s.Detail = old.Detail
		}
		s.Result, s.Status = old.Result, old.Status
		s.DoneCount, s.TotalCount = old.DoneCount, old.TotalCount
	}
	completeNumbers(p.Steps, o.Items, nil, "")
	return p
}

// completeNumbers gives the steps below one the numbers that they have where the
// plan is stored, if they are in that order; a step between them gets the next one.
func completeNumbers(steps []*Step, items []*form.Item, above *plan.Task, id string) {
	numbers, last := make([]int, len(steps)), -1
	for i := range steps {
		n := max(last+1, 1)
		if t := items[i].Task; t != nil && t.Parent == above {
			n = t.NN
		}
		if n <= last || n > plan.MaxSiblings { // they changed places, or there is no room
			numbers = nil
			break
		}
		numbers[i], last = n, n
	}
	for i, s := range steps {
		n := i + 1
		if numbers != nil {
			n = numbers[i]
		}
		s.ID = childID(id, n)
		completeNumbers(s.Children, items[i].Children, items[i].Task, s.ID)
	}
}

// titleOf gives the title of the task that a step becomes.
func titleOf(s *Step) string { return cmp.Or(s.Description, stepTitle(s.ID)) }

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

// specStatus says a task's status in the words of a PlanSpec.
func specStatus(s plan.Status) Status {
	switch s {
	case plan.InProgress:
		return Active
	case plan.Done:
		return Done
	case plan.Blocked, plan.Failed:
		return Blocked
	case plan.Skipped, plan.Cancelled:
		return Skipped
	}
	return Pending
}

// taskStatus says a step's status in our words.
func taskStatus(s Status) plan.Status {
	return map[Status]plan.Status{Active: plan.InProgress, Done: plan.Done, Blocked: plan.Blocked, Skipped: plan.Skipped, Pending: plan.Pending}[s]
}
