package specmap

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/foreign"
	"github.com/git-plan/git-plan/internal/planspec"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Files makes the files of a plan that passed [Check]. Where the plan is
// stored already, onto, a step that has the name, else the title, of one of its
// tasks keeps that task's id, and what a PlanSpec has no place for stays as it
// is stored. What is not kept is told in losses, a phrase each.
func Files(p *planspec.Plan, onto *plan.Plan) (files []plan.File, losses []string) {
	m := newMaker(p, onto)
	m.add(m.planFile())
	m.steps("tasks", p.Steps)
	m.signals()
	return m.files, m.losses
}

// Place gives where in the text that was read a finding about a made file
// belongs.
func Place(p *planspec.Plan, file string) diag.Pos {
	number := ""
	for part := range strings.SplitSeq(strings.TrimPrefix(file, "tasks/"), "/") {
		nn, _, _ := strings.Cut(part, "-")
		if n, err := strconv.Atoi(nn); err == nil {
			number += "." + strconv.Itoa(n)
		}
	}
	if s := p.Find(strings.TrimPrefix(number, ".")); s != nil {
		return s.Pos
	}
	return diag.Pos{Line: 1, Column: 1}
}

// maker makes the files of one plan.
type maker struct {
	spec   *planspec.Plan
	onto   *plan.Plan
	tasks  map[*planspec.Step]*plan.Task // of onto
	was    map[*plan.Task]*planspec.Step // what these say
	ids    map[*planspec.Step]string
	here   map[string]bool // the ids of the plan that is made
	files  []plan.File
	errs   []stepError
	losses []string
}

// stepError is a file that cannot be made; the step is nil for plan.md.
type stepError struct {
	step *planspec.Step
	err  error
}

func newMaker(p *planspec.Plan, onto *plan.Plan) *maker {
	m := &maker{spec: p, onto: onto, tasks: match(p, onto), was: map[*plan.Task]*planspec.Step{},
		ids: map[*planspec.Step]string{}, here: map[string]bool{}}
	taken := map[string]bool{}
	if onto != nil { // an id that a task had is not another's
		m.remember(onto.Tasks, specOf(onto).Steps)
		for _, t := range onto.All() {
			taken[t.ID] = true
		}
	}
	p.Walk(func(s *planspec.Step) {
		if t := m.tasks[s]; t != nil {
			m.ids[s] = t.ID
		} else {
			m.ids[s] = plan.NewID(titleOf(s), "task", func(id string) bool { return taken[id] })
		}
		taken[m.ids[s]], m.here[m.ids[s]] = true, true
	})
	return m
}

func (m *maker) remember(tasks []*plan.Task, steps []*planspec.Step) {
	for i, t := range tasks {
		m.was[t] = steps[i]
		m.remember(t.Children, steps[i].Children)
	}
}

func (m *maker) lose(format string, args ...any) {
	m.losses = append(m.losses, fmt.Sprintf(format, args...))
}

func (m *maker) add(f plan.File) { m.files = append(m.files, f) }

// steps makes the files of siblings, which are in the folder dir.
func (m *maker) steps(dir string, steps []*planspec.Step) {
	byNumber := func(a, b *planspec.Step) int { return number(a) - number(b) }
	if !slices.IsSortedFunc(steps, byNumber) {
		m.lose("the order of %s: steps stand by their numbers", below(dir, steps))
	}
	for _, s := range steps {
		stem := path.Join(dir, fmt.Sprintf("%02d-%s", number(s), m.slug(s)))
		m.add(m.taskFile(stem+".md", s))
		m.steps(stem, s.Children)
	}
}

func below(dir string, steps []*planspec.Step) string {
	if dir == "tasks" {
		return "the steps at the top"
	}
	return "the steps below " + steps[0].ID[:strings.LastIndexByte(steps[0].ID, '.')]
}

// number gives a step's number among its siblings.
func number(s *planspec.Step) int {
	n, _ := strconv.Atoi(s.ID[strings.LastIndexByte(s.ID, '.')+1:])
	return n
}

func (m *maker) slug(s *planspec.Step) string {
	if t := m.tasks[s]; t != nil {
		return t.Slug
	}
	return m.ids[s]
}

func (m *maker) planFile() plan.File {
	p := m.spec
	title := p.Title
	if title == "" {
		title = p.Goal
	}
	if m.onto == nil || m.onto.Doc == nil || !m.onto.Doc.Readable {
		fields := map[string]any{"title": title}
		if p.Title != "" {
			fields["goal"] = p.Goal
		}
		fill(fields, "goal_detail", p.GoalDetail)
		fill(fields, "constraints", p.Constraints)
		f, err := plan.ComposePlan(fields, p.Goal)
		m.check(nil, err)
		return f
	}
	was := specOf(m.onto)
	b := &foreign.Builder{Doc: m.onto.Doc}
	if was.Title != p.Title || was.Goal != p.Goal {
		b.Set("title", &title)
		if b.Drop("goal"); p.Title != "" {
			b.Set("goal", &p.Goal)
		}
	}
	if p.Goal != was.Goal && body(m.onto.Doc) == was.Goal {
		b.Body("\n" + p.Goal + "\n")
	}
	setList(b, "goal_detail", was.GoalDetail, p.GoalDetail)
	setList(b, "constraints", was.Constraints, p.Constraints)
	return m.built("plan.md", b)
}

// built gives the file that edits of a stored one made.
func (m *maker) built(name string, b *foreign.Builder) plan.File {
	f, lost := b.File(name)
	m.losses = append(m.losses, lost...)
	return f
}

func (m *maker) check(s *planspec.Step, err error) {
	if err != nil {
		m.errs = append(m.errs, stepError{s, err})
	}
}

// signals keeps those of the stored plan that still have their task.
func (m *maker) signals() {
	kept, lost := foreign.Signals(m.onto, func(task string) bool { return m.here[task] })
	m.files, m.losses = append(m.files, kept...), append(m.losses, lost...)
}

func fill(fields map[string]any, key string, list []string) {
	if len(list) > 0 {
		fields[key] = list
	}
}

// setList brings a list to what it is to say; an empty one goes.
func setList(b *foreign.Builder, key string, was, want []string) {
	switch {
	case slices.Equal(was, want):
	case len(want) == 0:
		b.Drop(key)
	default:
		b.SetList(key, want)
	}
}

// setText brings a text to what it is to say; an empty one goes.
func setText(b *foreign.Builder, key, was, want string) {
	switch {
	case was == want:
	case want == "":
		b.Drop(key)
	default:
		b.Set(key, &want)
	}
}
