package diff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// The marks of lines.
const (
	plus    = '+'
	minus   = '-'
	edited  = '~'
	shifted = '>'
	plain   = ' '
)

// line is a line for a person, before it is made harmless for where it goes.
type line struct {
	mark  rune
	depth int
	Spans []Span
}

// Class says on a page what became of what the line tells.
func (l line) Class() string {
	return map[rune]string{plus: "added", minus: "removed", edited: "changed", shifted: "moved", plain: "same"}[l.mark]
}

// Mark is the sign before the line on a page.
func (l line) Mark() string { return strings.TrimSpace(string(l.mark)) }

// Depth is how far the line is indented on a page.
func (l line) Depth() int { return max(0, l.depth) }

func say(mark rune, depth int, format string, args ...any) line {
	op := Same
	switch mark {
	case plus:
		op = Inserted
	case minus:
		op = Deleted
	}
	return line{mark, depth, []Span{{op, fmt.Sprintf(format, args...)}}}
}

// heading is the line of a plan.
func heading(p *Plan) line {
	now := p.now()
	title := diag.Cut(diag.Printable(now.Title()), 200)
	mark, what := edited, string(p.Change)
	switch {
	case p.Change == Added:
		mark, what = plus, "added, "+words.Count(len(now.All()), "task")
	case p.Change == Removed:
		mark, what = minus, "removed, "+words.Count(len(now.All()), "task")
	case p.Change == Changed && p.Before.Version() != now.Version():
		what = fmt.Sprintf("version %d -> %d", p.Before.Version(), now.Version())
	case p.Change == Changed:
		return say(mark, 0, "%s: %s", p.ID, title)
	}
	return say(mark, 0, "%s: %s (%s)", p.ID, title, what)
}

// plan gives what changed of the plan itself; tasks are told one by one.
func (v *prose) plan(p *Plan) []line {
	if p.Before == nil || p.After == nil {
		return nil
	}
	var out []line
	for _, f := range p.Fields {
		if id, ok := strings.CutPrefix(f.Name, signalPrefix); ok {
			out = append(out, signalLine(id, f))
		} else if f.Name != "version" {
			out = append(out, v.field(1, f)...)
		}
	}
	return out
}

// last gives what is told of a plan after its tasks.
func last(p *Plan) []line {
	var out []line
	if text := renumbered(p); text != "" {
		out = append(out, say(shifted, 1, "%s", text))
	}
	for _, path := range p.Spelling {
		out = append(out, say(plain, 1, "%s is written differently and means the same", path))
	}
	if p.Before != nil && p.After != nil && p.Critical.Changed() {
		out = append(out,
			say(minus, 1, "critical path: %s", p.Critical.text(p.Critical.Before)),
			say(plus, 1, "critical path: %s", p.Critical.text(p.Critical.After)))
	}
	return out
}

func signalLine(id string, f Field) line {
	level, message := signalWords(cmp.Or(f.New, f.Old))
	mark, what := edited, "says"
	switch {
	case f.Old == nil:
		mark, what = plus, "opened"
	case f.New == nil:
		mark, what = minus, "cleared"
	}
	return say(mark, 1, "signal %s %s (%s): %s", id, what, level, message)
}

func signalWords(v any) (level, message string) {
	m, _ := v.(map[string]any)
	level = valueText(m["level"])
	if task := valueText(m["task"]); m["task"] != nil {
		level += " on " + task
	}
	message, _, _ = strings.Cut(valueText(m["message"]), "\n")
	return level, message
}

// task gives the lines of a task, what it is first.
func (v *prose) task(t *Task) []line {
	now := t.now()
	head := graph.Label(now, t.ID, 200)
	switch t.Change {
	case Added, Removed:
		mark := plus
		if t.Change == Removed {
			mark = minus
		}
		if needs := now.Doc.List("depends_on"); len(needs) > 0 {
			head += " (needs " + words.Few(needs, 5) + ")"
		}
		return []line{say(mark, 1, "%s", head)}
	case Moved:
		return []line{say(shifted, 1, "%s (was %s)", head, formerPlace(t))}
	}
	var was []string
	if id := t.Field("id"); id != nil {
		was = append(was, valueText(cmp.Or(id.Old, any(t.Before.Doc.Path))))
	}
	if t.Field("path") != nil {
		was = append(was, formerPlace(t))
	}
	if len(was) > 0 {
		head += " (was " + strings.Join(was, ", ") + ")"
	}
	return append([]line{say(edited, 1, "%s", head)}, v.details(t)...)
}

// formerPlace tells where a task stood: its number, or its file where that is
// the same.
func formerPlace(t *Task) string {
	if n := t.Before.Number(); n != t.After.Number() {
		return n
	}
	return t.Before.Doc.Path
}

// details gives what changed in a task, a line or more a field. Stamps go with
// a new status unseen.
func (v *prose) details(t *Task) []line {
	var out []line
	status := t.Field("status") != nil
	for _, f := range t.Fields {
		switch {
		case f.Name == "path" || f.Name == "id":
		case status && slices.Contains([]string{"executed_by", "started_at", "completed_at", "lease_until"}, f.Name):
		case f.Name == "status":
			out = append(out, say(edited, 2, "status: %s -> %s", statusText(f.Old), statusText(f.New)))
		case f.Name == "depends_on":
			out = append(out, wires(t, f)...)
		default:
			out = append(out, v.field(2, f)...)
		}
	}
	return out
}

// statusText writes the status that a file sets, though it be none; a file that
// sets none means pending.
func statusText(v any) string { return cmp.Or(valueText(v), string(plan.Pending)) }

func wires(t *Task, f Field) []line {
	var out []line
	for _, id := range t.went {
		out = append(out, say(minus, 2, "needs %s", id))
	}
	for _, id := range t.came {
		out = append(out, say(plus, 2, "needs %s", id))
	}
	if len(out) == 0 {
		out = append(out, say(edited, 2, "depends_on: %s (another order)", strings.Join(items(f.New), ", ")))
	}
	return out
}

// field gives the lines of a changed field.
func (v *prose) field(depth int, f Field) []line {
	old, isOldList := f.Old.([]any)
	now, isNewList := f.New.([]any)
	a, b := valueText(f.Old), valueText(f.New)
	switch {
	case isOldList || isNewList:
		return v.list(depth, f, old, now)
	case f.Name == "body" || strings.Contains(a+b, "\n"):
		return append([]line{say(edited, depth, "%s:", f.Name)}, v.text(depth+1, a, b)...)
	case f.Old == nil:
		return []line{say(plus, depth, "%s: %s", f.Name, b)}
	case f.New == nil:
		return []line{say(minus, depth, "%s: %s", f.Name, a)}
	}
	if strings.Contains(a, " ") && strings.Contains(b, " ") {
		if spans, ok := v.worded(a, b); ok {
			return []line{{edited, depth, append([]Span{{Same, f.Name + ": "}}, spans...)}}
		}
	}
	return []line{say(edited, depth, "%s: %s -> %s", f.Name, a, b)}
}

// list gives the items that came and went. An item of a checklist that was
// only ticked is one that changed.
func (v *prose) list(depth int, f Field, old, now []any) []line {
	if sameItems(old, now) {
		return []line{say(edited, depth, "%s: the same in another order", f.Name)}
	}
	out := []line{say(edited, depth, "%s:", f.Name)}
	added, removed := surplus(items(now), items(old)), surplus(items(old), items(now))
	came, went := map[string]bool{}, map[string]bool{}
	if f.Name == "subtasks" {
		came, went = boxes(added), boxes(removed)
	}
	for _, it := range removed {
		if text, _ := plan.Subtask(it); !has(came, text) {
			out = append(out, say(minus, depth+1, "%s", it))
		}
	}
	for _, it := range added {
		switch text, ticked := plan.Subtask(it); {
		case !has(went, text):
			out = append(out, say(plus, depth+1, "%s", it))
		case ticked == went[text]:
			out = append(out, say(edited, depth+1, "written differently: %s", it))
		case ticked:
			out = append(out, say(edited, depth+1, "ticked: %s", text))
		default:
			out = append(out, say(edited, depth+1, "no longer ticked: %s", text))
		}
	}
	return out
}

// boxes gives the items of a checklist without their marks, and whether they are
// ticked.
func boxes(list []string) map[string]bool {
	out := map[string]bool{}
	for _, it := range list {
		text, ticked := plan.Subtask(it)
		out[text] = out[text] || ticked
	}
	return out
}

func has(items map[string]bool, text string) bool {
	_, there := items[text]
	return there
}

// surplus gives the items that list has more often than other, in order.
func surplus(list, other []string) []string {
	count := map[string]int{}
	for _, it := range other {
		count[it]++
	}
	var out []string
	for _, it := range list {
		if count[it]--; count[it] < 0 {
			out = append(out, it)
		}
	}
	return out
}

// text gives the changed lines of a text, and where lines between them stayed
// as they are, a line that says so.
func (v *prose) text(depth int, old, now string) []line {
	var out []line
	for _, h := range v.hunks(old, now) {
		switch {
		case h.same && len(out) > 0:
			out = append(out, say(plain, depth, "…"))
		case !h.same:
			out = append(out, v.hunk(depth, h)...)
		}
	}
	if n := len(out); n > 0 && out[n-1].mark == plain {
		out = out[:n-1]
	}
	return out
}

func (v *prose) hunk(depth int, h hunk) []line {
	if spans, ok := v.worded(strings.Join(h.old, "\n"), strings.Join(h.now, "\n")); ok {
		return splitLines(depth, spans)
	}
	var out []line
	for _, s := range h.old {
		out = append(out, say(minus, depth, "%s", s))
	}
	for _, s := range h.now {
		out = append(out, say(plus, depth, "%s", s))
	}
	return out
}

// splitLines cuts spans where their text has line feeds.
func splitLines(depth int, spans []Span) []line {
	out := []line{{edited, depth, nil}}
	for _, s := range spans {
		for i, part := range strings.Split(s.Text, "\n") {
			if i > 0 {
				out = append(out, line{edited, depth, nil})
			}
			if part != "" {
				l := &out[len(out)-1]
				l.Spans = append(l.Spans, Span{s.Op, part})
			}
		}
	}
	return slices.DeleteFunc(out, func(l line) bool { return len(l.Spans) == 0 })
}

// valueText writes a value of a field for a person.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
