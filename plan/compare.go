package plan

import (
	"slices"
	"strings"
)

// Event names what happened to a plan between two revisions.
type Event string

// The events, in the words that commit trailers use.
const (
	Created       Event = "created"
	Revised       Event = "revised"
	Replanned     Event = "replanned"
	Started       Event = "started"
	Completed     Event = "completed"
	TaskFailed    Event = "failed"
	TaskSkipped   Event = "skipped"
	TaskBlocked   Event = "blocked"
	Released      Event = "released"
	Reopened      Event = "reopened"
	TaskCancelled Event = "cancelled"
	SignalOpened  Event = "signal-opened"
	SignalCleared Event = "signal-cleared"
	CheckPassed   Event = "check-passed"
	Archived      Event = "archived"
	Restored      Event = "restored"
	GivenUp       Event = "abandoned"
	Merged        Event = "merged"
	Removed       Event = "removed"
)

// Occurrence is an event and what it concerns.
type Occurrence struct {
	Event  Event
	Task   string // task id, empty where the event concerns the plan
	Signal string
}

// Compare tells from content alone what happened between two revisions of a
// plan, most telling first; either may be nil. A task taken over by another
// agent is Released, then Started. What no other event tells, be it a comment,
// is Revised; the list is empty when no file changed, or nothing but leases.
func Compare(before, after *Plan) []Occurrence {
	switch {
	case before == nil && after == nil:
		return nil
	case before == nil:
		return []Occurrence{{Event: Created}}
	case after == nil:
		return []Occurrence{{Event: Removed}}
	case after.Version() > before.Version():
		return []Occurrence{{Event: Replanned}}
	}
	var out []Occurrence
	if after.IsAbandoned() && !before.IsAbandoned() {
		out = append(out, Occurrence{Event: GivenUp})
	}
	out = append(out, compareTasks(before, after)...)
	out = append(out, compareSignals(before, after)...)
	if DefinitionChanged(before, after) || len(out) == 0 && !sameFiles(before, after) {
		out = append(out, Occurrence{Event: Revised})
	}
	return out
}

func compareTasks(before, after *Plan) []Occurrence {
	var out []Occurrence
	for _, t := range after.All() {
		old := before.Task(t.ID)
		switch {
		case old == nil || len(t.Children)+len(old.Children) > 0: // a container follows what is below it
		case changedHands(old, t):
			out = append(out, Occurrence{Event: Released, Task: t.ID}, Occurrence{Event: Started, Task: t.ID})
		case old.Status != t.Status:
			out = append(out, Occurrence{Event: moveEvent(old.Status, t.Status), Task: t.ID})
		}
	}
	return out
}

// changedHands reports whether another agent has the task in progress now.
func changedHands(old, now *Task) bool {
	was, began := old.Claim()
	is, ok := now.Claim()
	return began && ok && is.Agent != "" && is.Agent != was.Agent
}

// Leading gives the event that says most of what happened: the first, except
// that a task taken over was above all started. Without any it is empty.
func Leading(all []Occurrence) Event {
	switch {
	case len(all) == 0:
		return ""
	case len(all) > 1 && all[0].Event == Released && all[1] == (Occurrence{Event: Started, Task: all[0].Task}):
		return Started
	}
	return all[0].Event
}

func moveEvent(from, to Status) Event {
	switch to {
	case InProgress:
		return Started
	case Done:
		return Completed
	case Failed:
		return TaskFailed
	case Skipped:
		return TaskSkipped
	case Cancelled:
		return TaskCancelled
	case Blocked:
		return TaskBlocked
	}
	if from.Settled() || from == Failed {
		return Reopened
	}
	return Released
}

func compareSignals(before, after *Plan) []Occurrence {
	out := signalsOnlyIn(after, before, SignalOpened)
	return append(out, signalsOnlyIn(before, after, SignalCleared)...)
}

func signalsOnlyIn(p, other *Plan, e Event) []Occurrence {
	has := map[string]bool{}
	for _, s := range other.Signals {
		has[s.ID] = true
	}
	var out []Occurrence
	for _, s := range p.Signals {
		if !has[s.ID] {
			out = append(out, Occurrence{e, s.Task, s.ID})
		}
	}
	return out
}

// sameFiles compares all but the leases.
func sameFiles(a, b *Plan) bool {
	if len(a.all) != len(b.all) || len(a.Signals) != len(b.Signals) {
		return false
	}
	other, renewed := b.Files(), map[string]bool{}
	for _, t := range Renewed(a, b) {
		renewed[t.Doc.Path] = true
	}
	for path, data := range a.Files() {
		if string(other[path]) != string(data) && !renewed[path] {
			return false
		}
	}
	return true
}

// DefinitionChanged reports whether the two differ in what is planned, not
// only in how far it has come.
func DefinitionChanged(before, after *Plan) bool {
	if len(before.all) != len(after.all) || !sameDefinition(before.Doc, after.Doc) {
		return true
	}
	for _, t := range after.all {
		old := before.Task(t.ID)
		if old == nil || old.Doc.Path != t.Doc.Path || !sameDefinition(old.Doc, t.Doc) {
			return true
		}
	}
	return false
}

// TaskChanged reports whether the task's definition differs from the one it
// had in before. A task that is new there has changed; one whose file only
// moved has not.
func TaskChanged(before *Plan, t *Task) bool {
	if before == nil {
		return true
	}
	old := before.Task(t.ID)
	return old == nil || !sameDefinition(old.Doc, t.Doc)
}

// sameDefinition compares the body and every field that does not record
// progress. A ticked item of a checklist is progress too.
func sameDefinition(a, b *Document) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a == b || a.Source == b.Source {
		return true
	}
	if a.Body != b.Body {
		return false
	}
	x, y := a.definition(), b.definition()
	if len(x) != len(y) {
		return false
	}
	for key, v := range x {
		w, ok := y[key]
		if !ok || !v.Equal(w) {
			return false
		}
	}
	return true
}

// Subtask parts an item of a task's checklist into what it says and whether it is
// ticked. One without a box is not.
func Subtask(item string) (text string, ticked bool) {
	for _, mark := range []string{"[ ] ", "[x] ", "[X] "} {
		if rest, ok := strings.CutPrefix(item, mark); ok {
			return rest, mark != "[ ] "
		}
	}
	return item, false
}

func (d *Document) definition() map[string]Node {
	out := map[string]Node{}
	for _, f := range d.Fields {
		if s := specOf(d.kind, f.Key); s != nil && s.Runtime || f.Value.Kind == Null {
			continue
		}
		v := f.Value
		if f.Key == "subtasks" {
			v.Items = slices.Clone(v.Items)
			for i := range v.Items {
				v.Items[i].Text, _ = Subtask(v.Items[i].Text)
			}
		}
		out[f.Key] = v
	}
	return out
}
