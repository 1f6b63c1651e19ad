package web

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan"
)

// node is a task of a plan, wherever pages show one.
type node struct {
	*plan.Task
	View *view
}

func (x *view) nodes(tasks []*plan.Task) []node {
	var out []node
	for _, t := range tasks {
		out = append(out, node{t, x})
	}
	return out
}

// Key names the task's page.
func (n node) Key() string { return taskKey(n.View.Plan, n.Task) }

// Link leads to the task's page.
func (n node) Link() string { return n.View.To(taskPath(n.View.ID, n.Key())) }

// Mark is the task's status.
func (n node) Mark() mark { return taskMark(n.Status) }

// Priority is the one that the file sets, unless it is the usual one.
func (n node) Priority() string {
	if n.Task.Priority == 1 {
		return ""
	}
	return n.Doc.Text("priority")
}

// Ready reports whether the task can be begun.
func (n node) Ready() bool { return n.View.ready[n.Task] }

// Lapsed reports whether the lease of who works on it is over.
func (n node) Lapsed() bool { return n.View.lapsed[n.Task] }

// Signals are those that are open on the task.
func (n node) Signals() []*plan.Signal {
	var out []*plan.Signal
	for _, s := range n.View.Signals {
		if s.Task == n.ID && n.ID != "" {
			out = append(out, s)
		}
	}
	return out
}

// Stops reports whether one of them is a blocker.
func (n node) Stops() bool {
	return slices.ContainsFunc(n.Signals(), func(s *plan.Signal) bool { return s.Level == "blocker" })
}

// maxWaits is how many of the tasks that one waits for are named beside it.
const maxWaits = 4

// Waits are the ids of tasks that are to be settled first.
func (n node) Waits() []string {
	if n.Settled() {
		return nil
	}
	var out []string
	for _, w := range n.View.WaitsFor(n.Task) {
		if len(out) == maxWaits {
			return append(out, "…")
		}
		out = append(out, w.ID)
	}
	return out
}

// Note is what came out of the task, in a line.
func (n node) Note() template.HTML {
	text := n.Doc.Text("result")
	if n.Status == plan.Failed || n.Status == plan.Blocked {
		text = n.Doc.Text("error")
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return line(text)
}

// Share tells how many of the tasks below are settled, if there are any.
func (n node) Share() string {
	done, total := 0, 0
	var count func(*plan.Task)
	count = func(t *plan.Task) {
		for _, c := range t.Children {
			if count(c); len(c.Children) == 0 {
				if total++; c.Status.Settled() {
					done++
				}
			}
		}
	}
	if count(n.Task); total == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", done, total)
}

// Below are the tasks below.
func (n node) Below() []node { return n.View.nodes(n.Children) }

// Parents are the containers around the task, the outermost first.
func (n node) Parents() []node {
	var out []node
	for t := n.Parent; t != nil; t = t.Parent {
		out = append([]node{{t, n.View}}, out...)
	}
	return out
}

// Beside are the tasks before and after this one in file order, as far as there
// are any.
func (n node) Beside() (out struct{ Before, After []node }) {
	all := n.View.All()
	i := slices.Index(all, n.Task)
	out.Before, out.After = n.View.nodes(all[max(0, i-1):i]), n.View.nodes(all[i+1:min(i+2, len(all))])
	return out
}

// maxRefs bounds the tasks named in one list.
const maxRefs = 200

// Needs are the tasks that this one needs, settled or not.
func (n node) Needs() []node {
	var out []node
	for _, e := range n.View.Graph().From(n.Task) {
		if to := (node{e.To, n.View}); len(out) < maxRefs && !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	return out
}

// NeededBy are the tasks that need this one.
func (n node) NeededBy() []node {
	var out []node
	for _, t := range n.View.All() {
		if len(out) < maxRefs && t != n.Task && slices.ContainsFunc(n.View.Graph().From(t), func(e plan.Edge) bool { return e.To == n.Task }) {
			out = append(out, node{t, n.View})
		}
	}
	return out
}

// Missing are the entries of depends_on that name no task.
func (n node) Missing() []string {
	return slices.DeleteFunc(n.Doc.List("depends_on"), func(id string) bool { return n.View.Task(id) != nil })
}

// Open are the signals that stop the task, and then the others on it.
func (n node) Open() []signal {
	stop := n.View.Blockers(n.Task)
	others := slices.DeleteFunc(n.Signals(), func(s *plan.Signal) bool { return slices.Contains(stop, s) })
	return n.View.signals(append(stop, others...))
}

// Details are the fields of the task that stand nowhere else on its page.
func (n node) Details() []detail {
	return details(n.Doc, "id", "title", "status", "depends_on", "acceptance_criteria", "subtasks", "context_hints", "result", "error", "notes", "evidence")
}

// detail is a field of a plan or task as pages show it: a text, a moment or a
// list.
type detail struct {
	Name  string
	Text  string
	When  when
	Items []string
	Code  bool // the items are paths and names, not prose
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

// signal is an open signal.
type signal struct {
	*plan.Signal
	view *view
}

// On is the task that the signal is on, none for one on the plan.
func (s signal) On() []node {
	if t := s.view.Task(s.Task); t != nil && s.Task != "" {
		return []node{{t, s.view}}
	}
	return nil
}

// signals gives signals as pages show them, the gravest first.
func (x *view) signals(list []*plan.Signal) []signal {
	var out []signal
	for _, s := range list {
		out = append(out, signal{s, x})
	}
	slices.SortStableFunc(out, func(a, b signal) int {
		return slices.Index(plan.SignalLevels(), a.Level) - slices.Index(plan.SignalLevels(), b.Level)
	})
	return out
}

// box is an item of a checklist.
type box struct {
	Text   template.HTML
	Ticked bool
}

func boxOf(item string) box {
	text, ticked := plan.Subtask(item)
	return box{line(text), ticked}
}

// evidence is an entry of a task's evidence.
type evidence struct {
	Kind, Text, Code string
	At               when
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
