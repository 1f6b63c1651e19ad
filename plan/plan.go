package plan

import (
	"slices"
	"strings"
)

// Plan is one plan, as far as its files could be read.
type Plan struct {
	// ID is the folder's name.
	ID string
	// Prefix is what the paths of findings begin with, the ID for a stored
	// plan.
	Prefix string
	// Doc is plan.md; nil where it is missing.
	Doc *Document
	// Tasks are the top-level tasks in file order.
	Tasks []*Task
	// Signals are the open signals by id.
	Signals []*Signal
	// Aside are the files that would be tasks but for their name or mode. They
	// were read for what is wrong with them and are no part of the plan.
	Aside []*Document

	all   []*Task
	ids   map[string]*Task // the first of each id in file order
	graph *Graph
}

// Task is one task file. Tasks are changed through their [Plan].
type Task struct {
	Doc      *Document
	Parent   *Task
	Children []*Task // in file order
	// Dir is the folder the file is in, "tasks" for a top-level task.
	Dir string
	// NN orders siblings.
	NN   int
	Slug string

	ID       string
	Status   Status
	Kind     string // reason, act, decide, subtask or empty
	Priority int    // 0 low, 1 medium, 2 high, 3 critical

	index int // in Plan.all
}

// Signal is one open signal.
type Signal struct {
	Doc *Document
	ID  string
	// Level is blocker, warning or info.
	Level string
	// Task is the id of the task the signal is on, empty for the plan.
	Task string
}

// Message is the signal's text.
func (s *Signal) Message() string { return s.Doc.Prose() }

// Title is the plan's title.
func (p *Plan) Title() string { return strings.TrimSpace(p.Doc.Text("title")) }

// Goal is the plan's goal, by default its title.
func (p *Plan) Goal() string {
	if g := strings.TrimSpace(p.Doc.Text("goal")); g != "" {
		return g
	}
	return p.Title()
}

// Version is 1 for a new plan and one more at each replan.
func (p *Plan) Version() int { return p.number("version", 1) }

// MaxReplans bounds how often the plan may be replanned.
func (p *Plan) MaxReplans() int { return p.number("max_replans", 3) }

func (p *Plan) number(key string, def int) int {
	if f := p.Doc.Field(key); f != nil {
		if n, ok := f.Value.integer(); ok {
			return n
		}
	}
	return def
}

// Gates is the least gate the plan wants for itself, or empty.
func (p *Plan) Gates() string { return p.Doc.Text("gates") }

// IsAbandoned reports whether the plan was given up.
func (p *Plan) IsAbandoned() bool {
	f := p.Doc.Field("abandoned")
	return f != nil && f.Value.Kind == Bool && strings.EqualFold(f.Value.Text, "true")
}

// Empty reports whether the folder holds no plan file at all.
func (p *Plan) Empty() bool { return p.Doc == nil && len(p.all) == 0 && len(p.Signals) == 0 }

// Readable reports whether plan.md is there and the frontmatter of every file
// could be read.
func (p *Plan) Readable() bool {
	return p.Doc != nil && p.Doc.Readable && !slices.ContainsFunc(p.all, func(t *Task) bool { return !t.Doc.Readable })
}

// All gives every task in file order, a container before its children.
func (p *Plan) All() []*Task { return p.all }

// Task finds a task by id, or nil; of several with that id it gives the first
// in file order.
func (p *Plan) Task(id string) *Task { return p.ids[id] }

// Find resolves what a person may type for a task: its id or its number; an
// id wins over a number.
func (p *Plan) Find(name string) *Task {
	if t := p.Task(name); t != nil {
		return t
	}
	for _, t := range p.all {
		if t.Number() == name {
			return t
		}
	}
	return nil
}

// Signal finds an open signal by id, or nil.
func (p *Plan) Signal(id string) *Signal {
	i := slices.IndexFunc(p.Signals, func(s *Signal) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return p.Signals[i]
}

// Files gives every file of the plan by its path within the folder, as it is
// stored.
func (p *Plan) Files() map[string][]byte {
	out := map[string][]byte{}
	for _, d := range p.Documents() {
		out[d.Path] = []byte(d.Source)
	}
	return out
}

// FileList gives the files of [Plan.Files] as [Read] takes them.
func (p *Plan) FileList() []File {
	var out []File
	for _, d := range p.Documents() {
		out = append(out, File{Path: d.Path, Data: []byte(d.Source)})
	}
	return out
}

// Number is the task's place for people: the sort indices from the top
// without leading zeros, "3" or "3.1".
func (t *Task) Number() string {
	if t.Parent == nil {
		return itoa(t.NN)
	}
	return t.Parent.Number() + "." + itoa(t.NN)
}

// Title is the task's title: the field, else the body's first heading, else
// the file's slug in words.
func (t *Task) Title() string {
	if s := strings.TrimSpace(t.Doc.Text("title")); s != "" {
		return s
	}
	if h := strings.TrimSpace(firstHeading(t.Doc.Body)); h != "" {
		return h
	}
	return strings.ReplaceAll(t.Slug, "-", " ")
}

var headingForm = Pattern(`^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$`)

// firstHeading gives the text of the first ATX heading outside code fences.
func firstHeading(body string) string {
	fence := ""
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\n")
		inside := fence != ""
		if fence = FenceAfter(fence, line); inside || fence != "" {
			continue
		}
		if m := headingForm().FindStringSubmatch(line); m != nil && m[1] != "" {
			return m[1]
		}
	}
	return ""
}

// IsAncestorOf reports whether u is below t.
func (t *Task) IsAncestorOf(u *Task) bool {
	for a := u.Parent; a != nil; a = a.Parent {
		if a == t {
			return true
		}
	}
	return false
}

// Settled reports whether nothing is left to do below t: for a container, all
// its leaves are settled, whatever its own status says.
func (t *Task) Settled() bool {
	if len(t.Children) == 0 {
		return t.Status.Settled()
	}
	return !slices.ContainsFunc(t.Children, func(c *Task) bool { return !c.Settled() })
}

// walk visits t and everything below it in file order.
func (t *Task) walk(visit func(*Task)) {
	visit(t)
	for _, c := range t.Children {
		c.walk(visit)
	}
}

// refresh takes over what the document says.
func (t *Task) refresh(d *Document) {
	t.Doc = d
	t.ID = d.Text("id")
	t.Kind = d.Text("kind")
	t.Status = Pending
	if s := Status(d.Text("status")); slices.Contains(Statuses(), s) {
		t.Status = s
	}
	t.Priority = 1
	if i := slices.Index([]string{"low", "medium", "high", "critical"}, d.Text("priority")); i >= 0 {
		t.Priority = i
	}
}

// Documents gives every file of the plan: plan.md, the tasks in file order,
// the signals.
func (p *Plan) Documents() []*Document {
	var out []*Document
	if p.Doc != nil {
		out = append(out, p.Doc)
	}
	for _, t := range p.all {
		out = append(out, t.Doc)
	}
	for _, s := range p.Signals {
		out = append(out, s.Doc)
	}
	return out
}

// Conflicts gives the conflict markers in the plan's files.
func (p *Plan) Conflicts() []Marker {
	var all []Marker
	for _, d := range p.Documents() {
		all = append(all, d.Markers...)
	}
	return all
}
