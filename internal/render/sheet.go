package render

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Sheet is a plan as a person is shown it, whether it is stored, drafted or a
// PlanSpec. [Sheet.Text], [Sheet.Markdown] and [Sheet.HTML] write it. Its
// texts are those of the plan and may hold anything.
type Sheet struct {
	// Heading names the plan.
	Heading string
	// Status says how the plan stands, nothing for a PlanSpec.
	Status      string
	Goal        string
	GoalDetail  []string
	Constraints []string
	// Body is the plan's narrative.
	Body string
	// Steps are its tasks, each with its id for a name.
	Steps []*form.Item
	// Folds says how they are folded.
	Folds planspec.Folds
	// Signals are what is open, a line each.
	Signals []string
	// Summary is how the plan ended.
	Summary string

	plan  *plan.Plan // nil for a PlanSpec
	ready map[*plan.Task]bool
	// lapsed has the tasks in progress whose lease is over.
	lapsed map[*plan.Task]bool
}

// NewSheet makes the sheet of a plan of ours.
func NewSheet(p *plan.Plan) *Sheet {
	s := &Sheet{
		Heading: p.ID + ": " + p.Title(), Status: fmt.Sprintf("%s, version %d", p.Status(), p.Version()),
		GoalDetail: p.Doc.List("goal_detail"), Constraints: p.Doc.List("constraints"), Body: narrative(p),
		Summary: strings.TrimSpace(p.Doc.Text("final_summary")),
		Folds:   planspec.Folds{}, plan: p, ready: map[*plan.Task]bool{},
	}
	if p.Goal() != p.Title() {
		s.Goal = p.Goal()
	}
	s.Steps = planspec.Of(p).Items
	for _, step := range s.all() {
		asTask(step)
	}
	for _, t := range p.Ready() {
		s.ready[t] = true
	}
	for _, x := range p.Signals {
		on := "the plan"
		if x.Task != "" {
			on = x.Task
		}
		first, _, _ := strings.Cut(x.Message(), "\n")
		s.Signals = append(s.Signals, fmt.Sprintf("%s (%s) on %s: %s", x.ID, x.Level, on, first))
	}
	return s
}

// At marks the tasks in progress whose lease is over at a time, so that anybody
// may take them.
func (s *Sheet) At(at time.Time) *Sheet {
	s.lapsed = map[*plan.Task]bool{}
	for _, t := range s.plan.Lapsed(at) {
		if c, ok := t.Claim(); ok && !c.Until.IsZero() {
			s.lapsed[t] = true
		}
	}
	return s
}

// narrative gives the text of a plan, but for what the title and the goal say
// above it: where nobody wrote more, the goal is the text.
func narrative(p *plan.Plan) string {
	text := strings.Join(unheaded(strings.Split(p.Doc.Prose(), "\n"), p.Title()), "\n")
	if text = strings.TrimSpace(text); text == p.Goal() || text == p.Title() {
		return ""
	}
	return text
}

// NewSpecSheet makes the sheet of a PlanSpec.
func NewSpecSheet(o *form.Outline) *Sheet {
	s := &Sheet{Heading: "PlanSpec", Goal: o.Plan.Get("goal"), GoalDetail: o.Plan.List("goal_detail"), Constraints: o.Plan.List("constraints"),
		Steps: o.Items, Folds: planspec.Folds{}}
	if title := o.Plan.Title(); title != "" {
		s.Heading += ": " + title
	}
	return s
}

// all gives the steps in order, each before those below it.
func (s *Sheet) all() []*form.Item { return (&form.Outline{Items: s.Steps}).All() }

// asTask makes a step what a reader is shown of its task: named by its id, typed
// only where a kind is written, and with what went wrong.
func asTask(step *form.Item) {
	t := step.Task
	step.Say("step_name", t.ID)
	step.Say("kind", t.Kind)
	if step.Title() == "" {
		step.Say("title", flat(t.Title()))
	}
	if why := flat(t.Doc.Text("error")); t.Status == plan.Failed && why != "" {
		step.Say("result", why)
	}
	planspec.SetDetail(step, unheaded(planspec.Detail(step), t.Title()))
}

// unheaded leaves out a heading that says what the title says, which is shown
// already.
func unheaded(lines []string, title string) []string {
	if len(lines) == 0 || strings.TrimSpace(strings.Trim(lines[0], "# ")) != title {
		return lines
	}
	for lines = lines[1:]; len(lines) > 0 && lines[0] == ""; {
		lines = lines[1:]
	}
	return lines
}

// flat makes one line of a text.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// Fold sets how much of a step is shown, which is named by id or number. It
// reports whether there is such a step.
func (s *Sheet) Fold(name string, fold planspec.Fold) bool {
	all := s.all()
	i := slices.IndexFunc(all, func(step *form.Item) bool { return step.Get("step_name") == name })
	if number := strings.TrimSuffix(name, "."); i < 0 {
		i = slices.IndexFunc(all, func(step *form.Item) bool { return step.Number == number })
	}
	if i < 0 {
		return false
	}
	s.Folds[all[i].Number] = fold
	return true
}

// ExpandAll shows everything.
func (s *Sheet) ExpandAll() {
	for _, step := range s.all() {
		s.Folds[step.Number] = planspec.Expanded
	}
}

// Names gives what steps can be called by beside their numbers.
func (s *Sheet) Names() []string {
	var out []string
	for _, step := range s.all() {
		if name := step.Get("step_name"); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// note says what a reader wants to know of a step next to its line: its id, and
// what it waits for or who works on it.
func (s *Sheet) note(step *form.Item) string { return s.noteText(step).String() }

func (s *Sheet) state(t *plan.Task) []string {
	switch {
	case s.ready[t]:
		return []string{"ready"}
	case t.Status == plan.Pending && len(t.Children) == 0:
		var needs []string
		for _, u := range s.plan.WaitsFor(t) {
			needs = append(needs, u.ID)
		}
		if len(needs) > 0 {
			return []string{"needs " + words.Few(needs, 5)}
		}
	case t.Status == plan.Blocked || t.Status == plan.Failed || t.Status == plan.Cancelled:
		return []string{string(t.Status)}
	case t.Status == plan.InProgress:
		var parts []string
		if who := t.Doc.Text("executed_by"); who != "" {
			parts = append(parts, diag.Printable(who))
		}
		if s.lapsed[t] {
			parts = append(parts, "lease over")
		}
		return parts
	}
	return nil
}
