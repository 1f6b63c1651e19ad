package loop

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Bounds on a payload. It may be as long as the plan it is about.
const (
	MaxPayload = plan.MaxPlan
	MaxAdded   = 9000   // tasks under add_tasks that are looked at
	MaxUpdated = 20_000 // and under update_tasks
	maxDepth   = 8      // of lists and objects; what a payload may hold needs 4
)

// Payload is what an agent hands to `update`.
type Payload struct {
	// Commit is the revision that the agent saw, or empty.
	Commit string
	// Request is the id of the change, or empty; see [store.Repo.Request].
	Request string
	Add     []Entry
	Update  []Entry
	// Summary is the final summary, if there is one.
	Summary *string

	faults faults
}

// Hopeless reports whether the payload cannot land whatever the plan is: what is
// wrong with it can then be found without keeping writers waiting.
func (p Payload) Hopeless() bool { return len(p.faults) > 0 || len(p.Add) > plan.MaxSiblings }

// Entry is what a payload says of one task.
type Entry struct {
	// where is the entry's place, such as add_tasks[0].
	where string
	// id is the task that an update is about.
	id *name
	// values are the fields that are set, by their names in a task's file: text,
	// or a list of texts.
	values map[string]any
	// body is the description, if it is set.
	body *string
	// depends are the dependencies, if they are set.
	depends *[]name
	// status is the status asked for, or empty.
	status plan.Status
	// faulty are the keys whose values could not be used.
	faulty map[string]bool
}

// name is how a payload names a task: by its number, or by text that is an id
// or a number.
type name struct {
	text     string
	isNumber bool
	where    string
}

func (n name) String() string {
	if n.isNumber {
		return n.text
	}
	return fmt.Sprintf("%q", n.text)
}

// taskKeys are the keys of an entry under add_tasks.
func taskKeys() []string {
	return []string{"title", "type", "dependencies", "context_hints", "relevant_file_paths", "creates", "description", "acceptance_criteria",
		"agent", "priority", "kind"}
}

// updateKeys are the keys of an entry under update_tasks.
func updateKeys() []string {
	return append([]string{"id", "status", "result", "error", "notes", "affected_files"}, taskKeys()...)
}

// ParsePayload reads a payload. What is wrong with it is kept, to be told
// together with what does not fit the plan; only a text that is no JSON object
// at all is refused here, by a *[Rejection].
func ParsePayload(data []byte) (Payload, error) {
	p, v, err := readPayload(data, `{"update_tasks": [{"id": 1, "status": "DONE"}]}`)
	if err != nil {
		return Payload{}, err
	}
	p.top(v)
	return p, nil
}

// readPayload reads a payload as JSON. What is no object at all is refused; the
// example is of one.
func readPayload(data []byte, example string) (Payload, plan.Node, error) {
	refuse := func(k Kind, format string, args ...any) (Payload, plan.Node, error) {
		var f faults
		f.add(k, format, args...)
		return Payload{}, plan.Node{}, &Rejection{Faults: f}
	}
	if len(data) > MaxPayload {
		return refuse(LimitExceeded, "the payload is longer than the limit of %d bytes: split it", MaxPayload)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // which no place counts
	if strings.TrimSpace(string(data)) == "" {
		return refuse(InvalidPayload, "the payload is empty: `{}` is the least there can be")
	}
	v, found := form.ReadValue(form.Bounds{Bounds: plan.Bounds{Bytes: MaxPayload, Keys: MaxPayload, Items: MaxPayload}, Depth: maxDepth}, "", data)
	switch {
	case found != nil && !strings.HasPrefix(strings.TrimLeft(string(data), " \t\r\n"), "{"):
		return refuse(InvalidPayload, "%s: %s; a payload is an object and begins with {: give it as it is, or - and its file on standard input", found[0].Pos, found[0].Message)
	case found != nil:
		return refuse(InvalidPayload, "%s: %s", found[0].Pos, found[0].Message)
	}
	if v.Kind != plan.Map {
		return refuse(InvalidPayload, "the payload must be an object such as %s, not %s", example, called(v))
	}
	return Payload{}, v, nil
}

// called is what JSON calls a value of that kind.
func called(n plan.Node) string {
	switch n.Kind {
	case plan.Map:
		return "an object"
	case plan.Int:
		return "a number"
	case plan.Bool:
		return "true or false"
	case plan.Null:
		return "null"
	}
	return n.Kind.String()
}

func (p *Payload) bad(format string, args ...any) {
	p.faults.add(InvalidPayload, format, args...)
}

func (p *Payload) top(v plan.Node) {
	names := []string{"add_tasks", "update_tasks", "final_summary", "commit", "request"}
	for _, m := range p.members("the payload", v, names) {
		switch m.Key {
		case "add_tasks":
			items := p.entries(m, MaxAdded, fmt.Sprintf(", and a plan has at most %d top-level tasks", plan.MaxSiblings))
			p.Add = p.each(m.Key, items, taskKeys())
		case "update_tasks":
			p.Update = p.each(m.Key, p.entries(m, MaxUpdated, ": split the payload"), updateKeys())
		case "final_summary":
			if s, ok := p.text("final_summary", m.Value); ok && strings.TrimSpace(s) == "" {
				p.bad("final_summary: it is empty: say what was done")
			} else if ok {
				p.Summary = &s
			}
		case "request":
			if s, ok := p.text("request", m.Value); ok {
				if why := store.CheckRequest(s); why != "" {
					p.bad("request: %s", why)
				}
				p.Request = s
			}
		case "commit":
			if s, ok := p.text("commit", m.Value); ok && !store.IsObjectName(s) {
				p.bad("commit: %q is no commit: give what `session.commit` said", diag.OneLine(s, 60))
			} else if ok {
				p.Commit = s
			}
		}
	}
}

// members gives the members of an object whose keys are known and stand once.
func (p *Payload) members(where string, v plan.Node, names []string) []plan.Field {
	var out []plan.Field
	for _, m := range v.Fields {
		switch first := slices.IndexFunc(out, func(o plan.Field) bool { return o.Key == m.Key }); {
		case first >= 0:
			p.bad("%s: the key %q stands twice, the second time at %s", where, m.Key, m.KeyPos)
		case !slices.Contains(names, m.Key):
			p.bad("%s: there is no key %q%s", where, diag.OneLine(m.Key, 60), didYouMean(m.Key, names))
		default:
			out = append(out, m)
		}
	}
	return out
}

// didYouMean suggests a key, or names all of them.
func didYouMean(word string, names []string) string {
	return cmp.Or(plan.DidYouMean(word, names), "; the keys are "+strings.Join(names, ", "))
}

// entries gives the items of a list of tasks, at most so many; where there are
// more it says so, and what to know of that.
func (p *Payload) entries(m plan.Field, most int, why string) []plan.Node {
	if m.Value.Kind != plan.List {
		p.bad("%s: it must be a list of tasks, not %s", m.Key, called(m.Value))
		return nil
	}
	items := m.Value.Items
	if len(items) > most {
		p.faults.add(LimitExceeded, "%s holds %d tasks: no more than %d are looked at%s", m.Key, len(items), most, why)
		items = items[:most]
	}
	return items
}

func (p *Payload) each(list string, items []plan.Node, keys []string) []Entry {
	var out []Entry
	for i, item := range items {
		e := Entry{where: list + "[" + strconv.Itoa(i) + "]", values: map[string]any{}, faulty: map[string]bool{}}
		if item.Kind != plan.Map {
			p.bad("%s: it must be an object, not %s", e.where, called(item))
			for _, k := range keys {
				e.faulty[k] = true
			}
		}
		for _, m := range p.members(e.where, item, keys) {
			if !p.field(&e, m.Key, m.Value) {
				e.faulty[m.Key] = true
			}
		}
		out = append(out, e)
	}
	return out
}

// field takes over one value and reports whether it is of the right form.
func (p *Payload) field(e *Entry, key string, v plan.Node) (ok bool) {
	where := e.where + "." + key
	switch key {
	case "context_hints", "relevant_file_paths", "creates", "acceptance_criteria", "notes", "affected_files":
		var items []string
		if items, ok = listOf(p, where, v, "strings", p.text); ok {
			e.values[key] = items
		}
	case "dependencies":
		var names []name
		if names, ok = listOf(p, where, v, "task ids", p.name); ok {
			e.depends = &names
		}
	case "id":
		var n name
		if n, ok = p.name(where, v); ok {
			e.id = &n
		}
	case "status":
		e.status, ok = p.status(where, v)
	default:
		var s string
		switch s, ok = p.text(where, v); {
		case ok && key == "description":
			e.body = &s
		case ok:
			e.values[key] = s
		}
	}
	return ok
}

func (p *Payload) status(where string, v plan.Node) (plan.Status, bool) {
	s, ok := p.text(where, v)
	if !ok {
		return "", false
	}
	status, ok := parseStatus(s)
	if !ok {
		p.bad("%s: there is no status %q%s; there are %s", where, diag.OneLine(s, 60), plan.DidYouMean(s, statusWords()), strings.Join(statusWords(), ", "))
	}
	return status, ok
}

// text reads a string that a plan file can hold.
func (p *Payload) text(where string, v plan.Node) (string, bool) {
	if v.Kind != plan.String {
		p.bad("%s: it must be a string, not %s", where, called(v))
		return "", false
	}
	s := strings.ReplaceAll(v.Text, "\r\n", "\n")
	if err := plan.CheckText(s); err != nil {
		p.bad("%s: %v", where, err)
		return "", false
	}
	return s, true
}

// listOf reads a list, each item by read; what says what the items are.
func listOf[T any](p *Payload, where string, v plan.Node, what string, read func(where string, v plan.Node) (T, bool)) ([]T, bool) {
	if v.Kind != plan.List {
		p.bad("%s: it must be a list of %s, not %s", where, what, called(v))
		return nil, false
	}
	out, all := []T{}, true
	for i, item := range v.Items {
		x, ok := read(where+"["+strconv.Itoa(i)+"]", item)
		all = all && ok
		out = append(out, x)
	}
	return out, all
}

// name reads a task's number or id. A fraction is no number of a task: 3.1 and
// 3.10 would be the same.
func (p *Payload) name(where string, v plan.Node) (name, bool) {
	isNumber := v.Kind == plan.Int || v.Kind == plan.Float
	switch {
	case isNumber && strings.Trim(v.Text, "0123456789") == "":
		return name{v.Text, true, where}, true
	case isNumber:
		p.bad("%s: %s is no number of a task; the number of a task below another is a string, such as \"3.1\"", where, diag.OneLine(v.Text, 40))
	case v.Kind != plan.String:
		p.bad("%s: it must be a task's number or its `ref`, not %s", where, called(v))
	case strings.TrimSpace(v.Text) == "":
		p.bad("%s: it is empty; give a task's number or its `ref`", where)
	default:
		return name{v.Text, false, where}, true
	}
	return name{}, false
}
