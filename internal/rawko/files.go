package rawko

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/foreign"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Files makes the files of one of our plans. Where the plan is stored already,
// onto, a step that has the title of one of its tasks keeps that task's id,
// and what this form has no place for stays as it is stored. What our form
// cannot hold is told in losses, a phrase each.
func (p *Plan) Files(onto *plan.Plan) (files []plan.File, losses []string) {
	m := &maker{from: p, onto: onto, tasks: p.match(onto)}
	m.ids = m.nameAll()
	m.place()
	files = append(files, m.file("plan.md", m.planDoc()))
	for i, name := range m.paths {
		files = append(files, m.file(name, m.taskDoc(i)))
	}
	files = append(files, m.treeFiles()...)
	files = append(files, m.signals()...)
	m.told(files)
	return files, m.losses
}

// Place gives where in the file that was read a finding about a made file
// belongs. It has to be one of those that were made last.
func (p *Plan) Place(file, rule string) diag.Pos {
	switch i := slices.Index(p.pos.files, file); {
	case i >= 0 && i < len(p.pos.steps):
		return p.pos.steps[i]
	case rule == plan.RuleVersion:
		return p.pos.version
	case rule == plan.RuleIDFormat:
		return p.pos.id
	}
	return diag.Pos{Line: 1, Column: 1}
}

// match finds for each step the task that it is in a stored plan, or nil.
func (p *Plan) match(onto *plan.Plan) []*plan.Task {
	out := make([]*plan.Task, len(p.Steps))
	if onto == nil {
		return out
	}
	known := map[string][]*plan.Task{}
	for _, t := range Leaves(onto) {
		title := oneLine(t.Title())
		known[title] = append(known[title], t)
	}
	for i, s := range p.Steps {
		title := oneLine(s.Description)
		if tasks := known[title]; len(tasks) > 0 {
			out[i], known[title] = tasks[0], tasks[1:]
		}
	}
	return out
}

// maker makes the files of one plan.
type maker struct {
	from   *Plan
	onto   *plan.Plan
	tasks  []*plan.Task // of onto, by step
	ids    []string
	paths  []string // by step
	kept   bool     // the tree of onto
	losses []string
}

func (m *maker) lose(format string, args ...any) {
	m.losses = append(m.losses, fmt.Sprintf(format, args...))
}

// nameAll gives every step its task's id.
func (m *maker) nameAll() []string {
	taken := map[string]bool{}
	ids := make([]string, len(m.from.Steps))
	for i, t := range m.tasks {
		if t != nil && plan.IsKebab(t.ID) && !taken[t.ID] {
			ids[i], taken[t.ID] = t.ID, true
		}
	}
	foreign.NewIDs(ids, func(i int) string { return m.from.Steps[i].Description }, m.onto)
	return ids
}

func (m *maker) slug(i int) string {
	if t := m.tasks[i]; t != nil {
		return t.Slug
	}
	return m.ids[i]
}

// file makes a file of a document that was built.
func (m *maker) file(name string, b *foreign.Builder) plan.File {
	f, lost := b.File(name)
	m.losses = append(m.losses, lost...)
	return f
}

func (m *maker) planDoc() *foreign.Builder {
	p := m.from
	b := foreign.NewBuilder("plan.md", p.Task)
	kept := m.onto != nil && m.onto.Doc != nil && m.onto.Doc.Readable
	if kept {
		b.Doc = m.onto.Doc
	}
	if !kept || Task(m.onto) != p.Task {
		title := oneLine(firstLine(p.Task))
		b.Set("title", &title)
		b.Drop("goal")
		if title != p.Task {
			b.Set("goal", &p.Task)
		}
	}
	data := Metadata{}
	if p.Metadata != nil {
		data = *p.Metadata
	}
	b.SetList("constraints", data.Constraints)
	b.SetList("tags", data.Tags)
	b.SetList("informed_by", data.InformedByMemories)
	b.SetNumber("complexity", data.Complexity)
	if p.Version > 1 || b.Doc.Has("version") {
		b.SetNumber("version", &p.Version)
	}
	b.Set("created_at", &p.CreatedAt)
	b.Set("created_by", &p.CreatedBy)
	m.endings(b)
	return b
}

// endings writes what makes the plan's status what it is, as far as its steps
// do not.
func (m *maker) endings(b *foreign.Builder) {
	failed := slices.ContainsFunc(m.from.Steps, func(s Step) bool { return s.Status == "failed" })
	replans := m.from.Version - 1
	limit := 3
	if m.onto != nil {
		limit = m.onto.MaxReplans()
	}
	switch {
	case m.from.Status == "failed" && failed && replans < limit:
		b.SetNumber("max_replans", &replans)
	case m.from.Status == "replanning" && failed && replans >= limit:
		more := replans + 1
		b.SetNumber("max_replans", &more)
	case m.from.Status == "failed" && !failed:
		b.Edit("abandoned", plan.Value(true))
	case m.onto != nil && m.onto.IsAbandoned():
		b.Drop("abandoned")
	}
}

func (m *maker) taskDoc(i int) *foreign.Builder {
	s := m.from.Steps[i]
	b := foreign.NewBuilder(m.paths[i], s.Description)
	old := m.tasks[i]
	if old != nil && old.Doc.Readable {
		b.Doc = old.Doc
	} else {
		old = nil
	}
	b.Set("id", &m.ids[i])
	title := oneLine(s.Description)
	if old == nil || old.Title() != title {
		b.Set("title", &title)
	}
	if old == nil || stepStatus(old.Status) != s.Status { // else ours says more
		status := string(taskStatus(s.Status))
		if old != nil || s.Status != "pending" {
			b.Set("status", &status)
			b.Stamps(taskStatus(s.Status))
		}
	}
	if ids := m.needs(i); old == nil || !m.saysSo(old, ids) {
		b.SetList("depends_on", ids)
	}
	b.Set("agent", s.SuggestedAgent)
	b.SetList("acceptance_criteria", s.AcceptanceCriteria)
	b.Set("executed_by", s.ExecutedBy)
	b.Set("started_at", s.StartedAt)
	b.Set("completed_at", s.CompletedAt)
	b.Set("result", s.Output)
	b.Set("error", s.Error)
	b.SetList("affected_files", s.AffectedFiles)
	m.body(i, b, title)
	return b
}

// body writes what is below the frontmatter: the instructions, else the title.
func (m *maker) body(i int, b *foreign.Builder, title string) {
	s := m.from.Steps[i]
	text := title
	switch {
	case s.Instructions == nil:
	case strings.TrimSpace(*s.Instructions) == "":
		m.lose("step %d: its instructions are blank", i)
	case *s.Instructions == title:
		m.lose("step %d: its instructions say what its description says", i)
	default:
		text = *s.Instructions
	}
	if title != s.Description {
		m.lose("step %d: line breaks and outer blanks of its description", i)
	}
	if bodyText(b.Doc.Body) != text {
		b.Body("\n" + text + "\n")
	}
}

// needs gives the ids that a step waits for.
func (m *maker) needs(i int) []string {
	s := m.from.Steps[i]
	if s.DependsOn == nil {
		return nil
	}
	ids := []string{}
	for _, to := range s.DependsOn {
		ids = append(ids, m.ids[to])
	}
	return ids
}

// saysSo reports whether a stored task waits for just these in its own way, by
// data flow say, and goes on to.
func (m *maker) saysSo(t *plan.Task, ids []string) bool {
	for _, id := range t.Doc.List("depends_on") {
		if !m.has(id) {
			return false
		}
	}
	var was []string
	c := newConverter(m.onto)
	for _, i := range c.needs(t) {
		was = append(was, c.leaves[i].ID)
	}
	slices.Sort(was)
	if !slices.Equal(was, slices.Sorted(slices.Values(ids))) || t.Parent != nil && !m.kept {
		return false
	}
	return t.Doc.Has("depends_on") == (ids != nil) || len(ids) > 0 && m.inOrder()
}

// signals keeps those of the stored plan that still have their task.
func (m *maker) signals() []plan.File {
	kept, lost := foreign.Signals(m.onto, m.has)
	m.losses = append(m.losses, lost...)
	return kept
}

// told compares what was made with what was read, where that is derived.
func (m *maker) told(files []plan.File) {
	p := m.from
	made, _ := plan.Read(p.BaseID(), "", files)
	if !made.Readable() {
		return
	}
	if now := planStatus(made.Status()); now != p.Status {
		m.lose("the status %s: by its steps the plan is %s", p.Status, now)
	}
	if again, _ := FromPlan(made, time.Time{}); again.CurrentStepIndex != p.CurrentStepIndex {
		m.lose("currentStepIndex %d: by its steps it is %d", p.CurrentStepIndex, again.CurrentStepIndex)
	}
	if p.Metadata != nil && metadataOf(made.Doc) == nil {
		m.lose("metadata without a value")
	}
	if base := p.BaseID(); p.ID != versioned(base, p.Version) {
		m.lose("its id %s: it is written as %s from now on", foreign.Short(p.ID), versioned(base, p.Version))
	}
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
