package rawko

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Files makes the files of one of our plans. Where the plan is stored already,
// onto, a step that has the title of one of its tasks keeps that task's id,
// and what this form has no place for stays as it is stored. What our form
// cannot hold is told in losses, a phrase each.
func (p *Plan) Files(onto *plan.Plan) (files []plan.File, losses []string) {
	o := p.outline(onto)
	p.pos.items = append([]*form.Item{&o.Plan}, o.Items...)
	if onto != nil {
		was := convert(onto, time.Time{}).outline(onto).Stored(Leaves(onto))
		o.Match(was)
		o.Plan.Was = &was.Plan
		losses = onTree(o, onto)
	}
	files, lost := o.Files(onto)
	return files, slices.Concat(losses, lost, p.odd(), p.told(files))
}

// Place gives where in the file that was read a finding about a made file
// belongs. It has to be one of those that were made last.
func (p *Plan) Place(file, rule string) diag.Pos {
	if p.pos.items == nil {
		p.Files(nil)
	}
	return form.Place(p.pos.items, file, rule)
}

// outline tells the plan in our fields; onto is the stored plan, or nil.
func (p *Plan) outline(onto *plan.Plan) *form.Outline {
	top := diag.Pos{Line: 1, Column: 1}
	o := &form.Outline{Plan: form.Item{Text: &p.Task, Pos: top, Places: map[string]diag.Pos{"version": p.pos.version, "id": p.pos.id}}}
	title, goal := oneLine(firstLine(p.Task)), &p.Task
	if title == p.Task {
		goal = nil
	}
	data := Metadata{}
	if p.Metadata != nil {
		data = *p.Metadata
	}
	version := &p.Version
	if p.Version == 1 {
		version = nil
	}
	o.Plan.Say("title", &title)
	o.Plan.Say("goal", goal)
	o.Plan.Say("constraints", list(data.Constraints))
	o.Plan.Say("tags", list(data.Tags))
	o.Plan.Say("informed_by", list(data.InformedByMemories))
	o.Plan.Say("complexity", data.Complexity)
	o.Plan.Say("version", version)
	o.Plan.Say("created_at", &p.CreatedAt)
	o.Plan.Say("created_by", &p.CreatedBy)
	p.endings(&o.Plan, onto)
	for i, s := range p.Steps {
		it := s.item()
		if it.Number = strconv.Itoa(i + 1); i < len(p.pos.steps) {
			it.Pos = p.pos.steps[i]
		}
		o.Items = append(o.Items, it)
	}
	for i, s := range p.Steps {
		if s.DependsOn != nil {
			o.Items[i].Needs = []*form.Item{}
		}
		for _, to := range s.DependsOn {
			o.Items[i].Needs = append(o.Items[i].Needs, o.Items[to])
		}
	}
	return o
}

// endings tells what makes the plan's status what it is, as far as its steps do
// not.
func (p *Plan) endings(it *form.Item, onto *plan.Plan) {
	failed := slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Status == "failed" })
	replans, limit := p.Version-1, 3
	if onto != nil {
		limit = onto.MaxReplans()
	}
	switch {
	case p.Status == "failed" && failed && replans < limit:
		it.Say("max_replans", &replans)
	case p.Status == "replanning" && failed && replans >= limit:
		it.Say("max_replans", replans+1)
	case p.Status == "failed" && !failed:
		it.Say("abandoned", true)
	default:
		it.Say("abandoned", "")
	}
}

// item tells a step, without what it waits for.
func (s *Step) item() *form.Item {
	it := &form.Item{Text: new(string)}
	title := oneLine(s.Description)
	if s.Instructions != nil && *s.Instructions != title {
		it.Text = s.Instructions
	}
	it.Say("title", &title)
	it.Say("status", string(taskStatus(s.Status)))
	it.Say("agent", s.SuggestedAgent)
	it.Say("acceptance_criteria", list(s.AcceptanceCriteria))
	it.Say("executed_by", s.ExecutedBy)
	it.Say("started_at", s.StartedAt)
	it.Say("completed_at", s.CompletedAt)
	it.Say("result", s.Output)
	it.Say("error", s.Error)
	it.Say("affected_files", list(s.AffectedFiles))
	return it
}

// list tells a list, which may be empty; nil is none.
func list(texts []string) plan.Node {
	if texts == nil {
		return plan.Node{}
	}
	return plan.Value(texts)
}

// onTree puts items where they are in a stored tree, which this form does not show.
// It stays as long as the steps are its leaves in their order; steps that follow
// come after it, at the top.
func onTree(o *form.Outline, onto *plan.Plan) (losses []string) {
	leaves := Leaves(onto)
	above := len(onto.All()) - len(leaves)
	if above == 0 {
		return nil
	}
	tasks := []*plan.Task{}
	for _, it := range o.Items {
		tasks = append(tasks, it.Task)
	}
	if len(leaves) > len(tasks) || !slices.Equal(leaves, tasks[:len(leaves)]) {
		return []string{fmt.Sprintf("the tree of the stored plan: %s with others below, as the steps are not those of the tree in their order", words.Count(above, "task"))}
	}
	steps := o.Items
	var keep func(tasks []*plan.Task) []*form.Item
	keep = func(tasks []*plan.Task) (items []*form.Item) {
		for _, t := range tasks {
			it := &form.Item{Task: t, Silent: true}
			if len(t.Children) == 0 {
				it, steps = steps[0], steps[1:]
			}
			it.Number, it.Children = t.Number(), keep(t.Children)
			items = append(items, it)
		}
		return items
	}
	o.Items = keep(onto.Tasks)
	last := form.Last(o.Items[len(o.Items)-1].Number)
	for i, it := range steps {
		it.Number = strconv.Itoa(last + 1 + i)
	}
	o.Items = append(o.Items, steps...)
	return nil
}

// odd tells what of the steps our form has otherwise.
func (p *Plan) odd() (losses []string) {
	for i, s := range p.Steps {
		title := oneLine(s.Description)
		switch {
		case s.Instructions == nil:
		case strings.TrimSpace(*s.Instructions) == "":
			losses = append(losses, fmt.Sprintf("step %d: its instructions are blank", i))
		case *s.Instructions == title:
			losses = append(losses, fmt.Sprintf("step %d: its instructions say what its description says", i))
		}
		if title != s.Description {
			losses = append(losses, fmt.Sprintf("step %d: line breaks and outer blanks of its description", i))
		}
	}
	return losses
}

// told compares what was made with what was read, where that is derived.
func (p *Plan) told(files []plan.File) (losses []string) {
	lose := func(format string, args ...any) { losses = append(losses, fmt.Sprintf(format, args...)) }
	made, _ := plan.Read(p.BaseID(), "", files)
	if !made.Readable() {
		return nil
	}
	if now := planStatus(made.Status()); now != p.Status {
		lose("the status %s: by its steps the plan is %s", p.Status, now)
	}
	if again := convert(made, time.Time{}); again.CurrentStepIndex != p.CurrentStepIndex {
		lose("currentStepIndex %d: by its steps it is %d", p.CurrentStepIndex, again.CurrentStepIndex)
	}
	if p.Metadata != nil && metadataOf(made.Doc) == nil {
		lose("metadata without a value")
	}
	if base := p.BaseID(); p.ID != versioned(base, p.Version) {
		lose("its id %s: it is written as %s from now on", form.Short(p.ID), versioned(base, p.Version))
	}
	return losses
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// oneLine joins the lines of a text.
func oneLine(s string) string {
	lines := strings.FieldsFunc(strings.TrimSpace(s), func(r rune) bool { return r == '\n' || r == '\r' })
	return strings.Join(lines, " ")
}
