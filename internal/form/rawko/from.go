package rawko

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
)

// FromPlan writes one of our plans in this form; updated is when it last
// changed. The steps are the tasks without children, in file order. What the
// form cannot hold is told in losses, a phrase each.
func FromPlan(p *plan.Plan, updated time.Time) (out *Plan, losses []string) {
	out = convert(p, updated)
	o := out.outline(p).Stored(Leaves(p))
	if Task(p) == p.Doc.Text("goal") { // which is written, as the task
		o.Plan.Say("goal", Task(p))
	}
	if title, _, _ := strings.Cut(strings.TrimSpace(Task(p)), "\n"); strings.TrimSpace(title) == p.Title() {
		o.Plan.Say("title", p.Doc.Text("title"))
	}
	if !p.IsAbandoned() || len(p.Failed()) == 0 {
		o.Plan.Say("abandoned", p.Doc.Text("abandoned"))
	}
	if len(p.Failed()) > 0 && p.Version() == p.MaxReplans()+1 { // the status says so
		o.Plan.Say("max_replans", p.Doc.Text("max_replans"))
	}
	return out, form.Loss{Field: "`%s`", Words: map[string]string{
		"title": "`title`, in favour of the goal", "abandoned": "that the plan was abandoned, which is written as failed",
	}}.Of(p, o)
}

// convert is [FromPlan] without the losses.
func convert(p *plan.Plan, updated time.Time) *Plan {
	c := newConverter(p)
	out := &Plan{
		ID: versioned(p.ID, p.Version()), Task: Task(p), Status: planStatus(p.Status()), Version: p.Version(),
		CurrentStepIndex: c.current(), UpdatedAt: plan.FormatTime(updated), Steps: []Step{}, Metadata: metadataOf(p.Doc),
		CreatedBy: p.Doc.Text("created_by"), CreatedAt: timeOf(p.Doc, "created_at"),
	}
	if p.Version() > 1 {
		before := versioned(p.ID, p.Version()-1)
		out.PreviousPlanID = &before
	}
	if out.CreatedAt == "" {
		out.CreatedAt = out.UpdatedAt
	}
	if strings.TrimSpace(out.CreatedBy) == "" {
		out.CreatedBy = "unknown"
	}
	for i, t := range c.leaves {
		out.Steps = append(out.Steps, c.step(i, t))
	}
	return out
}

// Leaves gives the tasks that are steps here, in file order: a step's index is
// its place among them.
func Leaves(p *plan.Plan) []*plan.Task {
	return slices.DeleteFunc(slices.Clone(p.All()), func(t *plan.Task) bool { return len(t.Children) > 0 })
}

// Task gives what the plan is for, as it was written.
func Task(p *plan.Plan) string {
	for _, key := range []string{"goal", "title"} {
		if s := p.Doc.Text(key); strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

func planStatus(s plan.PlanStatus) string {
	if s == plan.Abandoned {
		return "failed"
	}
	return string(s)
}

// converter writes one plan.
type converter struct {
	plan   *plan.Plan
	leaves []*plan.Task
	index  map[*plan.Task]int
}

func newConverter(p *plan.Plan) *converter {
	c := &converter{plan: p, leaves: Leaves(p), index: map[*plan.Task]int{}}
	for i, t := range c.leaves {
		c.index[t] = i
	}
	return c
}

// current gives the index of the step to work on: the first in progress, else
// the first that is ready; where nothing can be worked on, that which the plan
// waits for: the first that failed, else the first unsettled; else the number
// of steps.
func (c *converter) current() int {
	first := func(want func(*plan.Task) bool) int { return slices.IndexFunc(c.leaves, want) }
	if i := first(func(t *plan.Task) bool { return t.Status == plan.InProgress }); i >= 0 {
		return i
	}
	if ready := c.plan.Ready(); len(ready) > 0 {
		return c.index[ready[0]]
	}
	if i := first(func(t *plan.Task) bool { return t.Status == plan.Failed }); i >= 0 {
		return i
	}
	if i := first(func(t *plan.Task) bool { return !t.Status.Settled() }); i >= 0 {
		return i
	}
	return len(c.leaves)
}

func (c *converter) step(i int, t *plan.Task) Step {
	s := Step{
		Index: i, Description: t.Doc.Text("title"), Status: stepStatus(t.Status),
		SuggestedAgent: textOf(t.Doc, "agent"), ExecutedBy: textOf(t.Doc, "executed_by"),
		StartedAt: momentOf(t.Doc, "started_at"), CompletedAt: momentOf(t.Doc, "completed_at"),
		Output: textOf(t.Doc, "result"), Error: textOf(t.Doc, "error"),
		AffectedFiles: listOf(t.Doc, "affected_files"), AcceptanceCriteria: listOf(t.Doc, "acceptance_criteria"),
		DependsOn: c.needs(t),
	}
	if strings.TrimSpace(s.Description) == "" {
		s.Description = t.Title()
	}
	if text := bodyText(t.Doc.Body); strings.TrimSpace(text) != "" && text != s.Description {
		s.Instructions = &text
	}
	return s
}

// needs gives the indexes of the steps that t waits for: by its own fields and
// those of the tasks it is below. It is nil where nothing says so.
func (c *converter) needs(t *plan.Task) []int {
	var out []int
	if t.Doc.Has("depends_on") {
		out = []int{}
	}
	for a := t; a != nil; a = a.Parent {
		for _, e := range c.plan.Graph().From(a) {
			for _, leaf := range below(e.To) {
				if i := c.index[leaf]; leaf != t && !slices.Contains(out, i) {
					out = append(out, i)
				}
			}
		}
	}
	return out
}

// below gives the leaves of a task, itself if it is one.
func below(t *plan.Task) []*plan.Task {
	if len(t.Children) == 0 {
		return []*plan.Task{t}
	}
	var out []*plan.Task
	for _, c := range t.Children {
		out = append(out, below(c)...)
	}
	return out
}

// bodyText is the text of a file without the line feeds that set it apart.
func bodyText(body string) string {
	return strings.TrimSuffix(strings.TrimPrefix(body, "\n"), "\n")
}

func metadataOf(d *plan.Document) *Metadata {
	m := Metadata{
		Tags: listOf(d, "tags"), Constraints: listOf(d, "constraints"), InformedByMemories: listOf(d, "informed_by"),
	}
	if n, err := strconv.Atoi(d.Text("complexity")); err == nil {
		m.Complexity = &n
	}
	if m.Complexity == nil && m.Tags == nil && m.Constraints == nil && m.InformedByMemories == nil {
		return nil
	}
	return &m
}

func textOf(d *plan.Document, key string) *string {
	if !d.Has(key) {
		return nil
	}
	text := d.Text(key)
	return &text
}

// timeOf gives a time as it is written, "" for what is none.
func timeOf(d *plan.Document, key string) string {
	text := d.Text(key)
	if _, err := plan.ParseTime(text); err != nil {
		return ""
	}
	return text
}

func momentOf(d *plan.Document, key string) *string {
	if text := timeOf(d, key); text != "" {
		return &text
	}
	return nil
}

func listOf(d *plan.Document, key string) []string {
	if !d.Has(key) {
		return nil
	}
	return append([]string{}, d.List(key)...)
}
