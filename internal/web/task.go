package web

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// detail is a field of a plan or task as pages show it: a text, a moment, a
// list, or tasks.
type detail struct {
	Name  string
	Text  string
	When  when
	Items []string
	Code  bool // the items are paths and names, not prose
	Tasks []ref
}

// details makes details of the fields that are set, but for some.
func details(d *plan.Document, except ...string) []detail {
	var out []detail
	for _, v := range d.Values() {
		if !slices.Contains(except, v.Name) {
			out = append(out, detailOf(v))
		}
	}
	return out
}

// detailOf shows a field: its name in words, unless it is of somebody else.
func detailOf(v plan.NamedValue) detail {
	out := detail{Name: v.Name, Code: slices.Contains([]string{
		"relevant_file_paths", "creates", "affected_files", "inputs", "outputs", "tags", "informed_by",
	}, v.Name)}
	if !strings.HasPrefix(v.Name, "x-") {
		out.Name = strings.ReplaceAll(v.Name, "_", " ")
	}
	switch value := v.Value.(type) {
	case []any:
		for _, item := range value {
			out.Items = append(out.Items, textOf(item))
		}
	case string:
		if out.Text = value; strings.HasSuffix(v.Name, "_at") || strings.HasSuffix(v.Name, "_until") {
			out.Text, out.When = "", stamp(value)
		}
	default:
		out.Text = textOf(value)
	}
	return out
}

func textOf(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

// planDetails are the fields of a plan that stand nowhere else on its page.
func planDetails(p *plan.Plan) []detail {
	return details(p.Doc, "title", "goal", "version", "final_summary", "abandoned")
}

// signal is an open signal.
type signal struct {
	ID, Level, Source, By string
	Opened                when
	Task                  *ref
	Code, Branch          string
	Message               template.HTML
}

func signalsOf(p *plan.Plan, list []*plan.Signal, l links) []signal {
	var out []signal
	for _, s := range list {
		x := signal{
			ID: s.ID, Level: s.Level, Source: s.Source(), By: s.Doc.Text("opened_by"), Opened: stamp(s.Doc.Text("opened_at")),
			Code: short(s.Doc.Text("code")), Branch: s.Doc.Text("branch"), Message: prose(s.Message()),
		}
		if t := p.Task(s.Task); t != nil && s.Task != "" {
			r := refOf(p, t, l)
			x.Task = &r
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b signal) int {
		return slices.Index(plan.SignalLevels(), a.Level) - slices.Index(plan.SignalLevels(), b.Level)
	})
	return out
}

// taskPage shows everything of a task.
type taskPage struct {
	Head     head
	Node     node
	Path     string
	Parents  []ref
	Body     template.HTML
	Criteria []template.HTML
	Subtasks []box
	Hints    []template.HTML
	Waits    []ref // what the task needs, settled or not
	Needed   []ref
	Missing  []string // entries of depends_on that name no task
	Result   template.HTML
	Error    template.HTML
	Notes    []template.HTML
	Evidence []evidence
	Signals  []signal
	Details  []detail
	// Before and After are the tasks beside it in file order.
	Before, After *ref
}

// box is an item of a checklist.
type box struct {
	Text   template.HTML
	Ticked bool
}

// evidence is an entry of a task's evidence.
type evidence struct {
	Kind, Text, Code string
	At               when
}

// taskPageOf makes the page of a task of a plan.
func (v *Viewer) taskPageOf(s *store.Stored, t *plan.Task, l links) *taskPage {
	p, d := s.Plan, t.Doc
	out := &taskPage{
		Head: headOf(s, "", l), Node: newTree(v, p, l).node(t), Path: d.Path, Body: prose(d.Prose()), Criteria: lines(d.List("acceptance_criteria")),
		Hints: lines(d.List("context_hints")), Result: prose(d.Text("result")), Error: prose(d.Text("error")), Notes: lines(d.List("notes")),
		Signals: signalsOf(p, p.Blockers(t), l),
		Details: details(d, "id", "title", "status", "depends_on", "acceptance_criteria", "subtasks", "context_hints", "result", "error", "notes", "evidence"),
	}
	for _, sig := range p.Signals {
		if sig.Task == t.ID && t.ID != "" && !slices.Contains(p.Blockers(t), sig) {
			out.Signals = append(out.Signals, signalsOf(p, []*plan.Signal{sig}, l)...)
		}
	}
	for a := t.Parent; a != nil; a = a.Parent {
		out.Parents = append([]ref{refOf(p, a, l)}, out.Parents...)
	}
	for _, item := range d.List("subtasks") {
		out.Subtasks = append(out.Subtasks, boxOf(item))
	}
	for _, text := range d.List("evidence") {
		out.Evidence = append(out.Evidence, evidenceOf(text))
	}
	out.wire(p, t, l)
	return out
}

// maxRefs bounds the tasks named in one list.
const maxRefs = 200

// wire tells what the task needs, what needs it, and what stands beside it.
func (out *taskPage) wire(p *plan.Plan, t *plan.Task, l links) {
	add := func(list *[]ref, u *plan.Task) {
		r := refOf(p, u, l)
		if len(*list) < maxRefs && !slices.Contains(*list, r) {
			*list = append(*list, r)
		}
	}
	for _, e := range p.Graph().From(t) {
		add(&out.Waits, e.To)
	}
	for _, u := range p.All() {
		if u != t && slices.ContainsFunc(p.Graph().From(u), func(e plan.Edge) bool { return e.To == t }) {
			add(&out.Needed, u)
		}
	}
	for _, id := range t.Doc.List("depends_on") {
		if p.Task(id) == nil {
			out.Missing = append(out.Missing, id)
		}
	}
	all := p.All()
	i := slices.Index(all, t)
	if i > 0 {
		r := refOf(p, all[i-1], l)
		out.Before = &r
	}
	if i >= 0 && i+1 < len(all) {
		r := refOf(p, all[i+1], l)
		out.After = &r
	}
}

func boxOf(item string) box {
	text, ticked := plan.Subtask(item)
	return box{line(text), ticked}
}

func evidenceOf(text string) evidence {
	e, ok := plan.ParseEvidence(text)
	switch {
	case !ok:
		return evidence{Kind: "note", Text: text}
	case e.Signal != "":
		return evidence{"check passed", e.Signal, short(e.Code), at(e.At)}
	}
	return evidence{Kind: "commit", Code: short(e.Commit)}
}
