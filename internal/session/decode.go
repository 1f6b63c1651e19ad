package session

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// MaxArguments is how many bytes the arguments of one call may have.
const MaxArguments = 1 << 20

// Decode reads the arguments of a tool, a JSON object, strictly: an unknown
// key, a key twice and a wrong type are faults. No arguments at all stand for
// an empty object, and null for a key that was left out. The input is
// normal already; the error is a [*ValidationError] with all its faults.
func Decode(tool string, arguments []byte) (Input, error) {
	read := map[string]func(*object) Input{
		ToolSetup: readSetup, ToolAdd: readAdd, ToolUpdate: readUpdate, ToolMark: readMark,
		ToolClear: func(*object) Input { return ClearPlan{} },
		ToolRead:  func(*object) Input { return ReadPlan{} },
	}[tool]
	if read == nil {
		return nil, &ValidationError{quote(tool), []Fault{{"", "there is no such tool: the tools are " + strings.Join(names(), ", ")}}, ErrNoTool}
	}
	var f faults
	o := open(&f, "", whole(&f, arguments))
	in := read(o)
	o.close()
	var texts faults
	out := in.normal(&texts)
	if !o.unread {
		f.join(texts)
	}
	if err := f.err(tool); err != nil {
		return nil, err
	}
	return out, nil
}

func names() []string {
	return []string{ToolSetup, ToolAdd, ToolUpdate, ToolMark, ToolClear, ToolRead}
}

func readSetup(o *object) Input {
	return SetupPlan{Objective: o.required("objective"), InitialSteps: o.steps("initial_steps")}
}

func readAdd(o *object) Input {
	o.need("steps")
	return AddStep{Steps: o.steps("steps")}
}

func readUpdate(o *object) Input {
	return UpdateStep{StepID: o.required("step_id"), Title: o.optional("title"), Details: o.optional("details")}
}

func readMark(o *object) Input {
	return MarkStep{StepID: o.required("step_id"), Status: StepStatus(o.required("status")), Note: o.text("note")}
}

// whole gives the arguments if they can be read at all.
func whole(f *faults, arguments []byte) json.RawMessage {
	switch {
	case len(bytes.TrimSpace(arguments)) == 0:
		return json.RawMessage("{}")
	case len(arguments) > MaxArguments:
		f.add("", "the arguments have %d bytes, and at most %d are read: send fewer steps at once", len(arguments), MaxArguments)
	case !json.Valid(arguments):
		f.add("", "the arguments are no JSON: send one object")
	default:
		return arguments
	}
	return nil
}

// object is a JSON object that is being read. Its methods take keys out; what
// is left at the end is unknown.
type object struct {
	faults *faults
	path   string // before each key, as "steps[2]."
	values map[string]json.RawMessage
	known  []string
	unread bool // no object at all, so that nothing can be missing in it
}

// open reads an object, which must be valid JSON or nil after a fault.
func open(f *faults, path string, raw json.RawMessage) *object {
	o := &object{faults: f, path: path, values: map[string]json.RawMessage{}}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if raw == nil {
		o.unread = true
		return o
	}
	if t, _ := dec.Token(); t != json.Delim('{') {
		if t != nil || path != "" { // null stands for no arguments
			o.unread = true
			o.fail("", "not an object: send {...}")
		}
		return o
	}
	for dec.More() {
		key, _ := dec.Token()
		var value json.RawMessage
		_ = dec.Decode(&value) // it is valid
		o.put(key.(string), value)
	}
	return o
}

func (o *object) put(key string, value json.RawMessage) {
	if _, twice := o.values[key]; twice {
		o.fail(name(key), "given twice: give it once")
	}
	o.values[key] = value
}

func (o *object) fail(key, format string, args ...any) {
	field := o.path + key
	if key == "" {
		field = strings.TrimSuffix(o.path, ".")
	}
	o.faults.add(field, format, args...)
}

// take gives the value of a key, nil where it is absent or null.
func (o *object) take(key string) json.RawMessage {
	o.known = append(o.known, key)
	value := o.values[key]
	delete(o.values, key)
	if string(value) == "null" {
		return nil
	}
	return value
}

// need makes it a fault that a key is absent or null.
func (o *object) need(key string) {
	if value := o.values[key]; !o.unread && (value == nil || string(value) == "null") {
		o.fail(key, "missing: it is required")
	}
}

// optional gives a text, nil where it is absent.
func (o *object) optional(key string) *string {
	raw := o.take(key)
	if raw == nil {
		return nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		o.fail(key, "not a text: send a string")
	}
	return &text
}

func (o *object) text(key string) string {
	if text := o.optional(key); text != nil {
		return *text
	}
	return ""
}

func (o *object) required(key string) string {
	o.need(key)
	return o.text(key)
}

// steps gives a list of new steps.
func (o *object) steps(key string) []NewPlanStep {
	raw := o.take(key)
	if raw == nil {
		return nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		o.fail(key, "not a list: send [{\"title\": ...}, ...]")
		return nil
	}
	steps := make([]NewPlanStep, 0, len(list))
	for i, entry := range list {
		s := open(o.faults, o.path+item(key, i)+".", entry)
		steps = append(steps, NewPlanStep{Title: s.required("title"), Details: s.text("details")})
		s.close()
	}
	return steps
}

// close makes faults of the keys that nothing took.
func (o *object) close() {
	var unknown []string
	for key := range o.values {
		unknown = append(unknown, key)
	}
	slices.Sort(unknown)
	for _, key := range unknown {
		o.fail(name(key), "%s", unknownKey(o.known))
	}
}

func unknownKey(known []string) string {
	if len(known) == 0 {
		return "unknown: the tool takes no arguments"
	}
	return "unknown: leave it out; what may stand here is " + strings.Join(known, ", ")
}

// join adds the faults of texts where the form is right.
func (f *faults) join(texts faults) {
	form := f.list
	for _, t := range texts.list {
		if !slices.ContainsFunc(form, func(o Fault) bool { return o.Field == t.Field || strings.HasPrefix(t.Field, o.Field+".") }) {
			f.list = append(f.list, t)
		}
	}
}

// name gives a key of somebody else for a message.
func name(key string) string {
	if len(key) <= 40 && !strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > 0x7e }) {
		return key
	}
	return quote(key)
}
