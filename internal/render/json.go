// Package render shows plans: as the JSON documents that programs read and as
// text for people.
//
// [Plan], [Task] and [Row] make documents for encoding/json; [Show] and [List]
// print. Text of a plan is made harmless for a terminal here and nowhere else.
package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// Object is a JSON object whose members keep their order.
type Object []member

// member is one member of an [Object].
type member struct {
	Name  string
	Value any
}

// Add appends a member.
func (o *Object) Add(name string, value any) { *o = append(*o, member{name, value}) }

// MarshalJSON writes the members in order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // what stands between values is white space
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(m.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(m.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Plan is the document of `show`.
func Plan(p *plan.Plan, commit string) Object {
	o := Object{
		{"id", p.ID}, {"title", p.Title()}, {"goal", p.Goal()}, {"status", p.Status()},
		{"version", p.Version()}, {"converged", p.Converged()}, {"progress", p.Progress()},
	}
	o.addFields(p.Doc, "title", "goal", "version")
	o.Add("body", p.Doc.Prose())
	tasks := make([]Object, 0, len(p.Tasks))
	for _, t := range p.Tasks {
		tasks = append(tasks, Tree(t))
	}
	signals := make([]Object, 0, len(p.Signals))
	for _, s := range p.Signals {
		signals = append(signals, Signal(s))
	}
	o.Add("tasks", tasks)
	o.Add("signals", signals)
	o.Add("commit", commit)
	return o
}

// Tree is a task with the tasks below it.
func Tree(t *plan.Task) Object {
	o := Task(t)
	children := make([]Object, 0, len(t.Children))
	for _, c := range t.Children {
		children = append(children, Tree(c))
	}
	o.Add("children", children)
	return o
}

// Task is a task without what is below it. Its title and status are always
// there; other fields only if the file sets them.
func Task(t *plan.Task) Object {
	o := Object{{"id", t.ID}, {"number", t.Number()}, {"path", t.Doc.Path}, {"title", t.Title()}, {"status", t.Status}}
	o.addFields(t.Doc, "id", "title", "status")
	o.Add("body", t.Doc.Prose())
	return o
}

// Signal is an open signal.
func Signal(s *plan.Signal) Object {
	o := Object{{"id", s.ID}}
	o.addFields(s.Doc)
	o.Add("message", s.Message())
	return o
}

func (o *Object) addFields(d *plan.Document, except ...string) {
	skip := " " + strings.Join(except, " ") + " "
	for _, v := range d.Values() {
		if !strings.Contains(skip, " "+v.Name+" ") {
			o.Add(v.Name, v.Value)
		}
	}
}

// Summary is a plan's row in a list.
type Summary struct {
	ID        string          `json:"id"`
	Title     string          `json:"title"`
	Goal      string          `json:"goal"`
	Status    plan.PlanStatus `json:"status"`
	Version   int             `json:"version"`
	Progress  plan.Progress   `json:"progress"`
	Ready     int             `json:"ready"`
	Archived  bool            `json:"archived"`
	UpdatedAt string          `json:"updated_at"`

	Updated time.Time `json:"-"`
}

// Row makes a plan's row. The time of its last change is empty where that is
// not known.
func Row(s store.Summary) Summary {
	at := ""
	if !s.Updated.IsZero() {
		at = plan.FormatTime(s.Updated)
	}
	return Summary{
		ID: s.ID, Title: s.Title, Goal: s.Goal, Status: s.Status, Version: s.Version, Progress: s.Progress,
		Ready: s.Ready, Archived: s.Archived(), UpdatedAt: at, Updated: s.Updated,
	}
}
