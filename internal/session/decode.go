package session

import (
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
	read := map[string]func([]byte) Input{
		ToolSetup: into[SetupPlan], ToolAdd: into[AddStep], ToolUpdate: into[UpdateStep], ToolMark: into[MarkStep], ToolClear: into[ClearPlan], ToolRead: into[ReadPlan],
	}[tool]
	if read == nil {
		return nil, &ValidationError{quote(tool), []Fault{{"", "there is no such tool: the tools are " + strings.Join(names(), ", ")}}, ErrNoTool}
	}
	args, f := map[string]json.RawMessage(nil), faults{}
	switch {
	case len(arguments) > MaxArguments:
		f.add("", "the arguments have %d bytes, and at most %d are read: send fewer steps at once", len(arguments), MaxArguments)
	case len(strings.TrimSpace(string(arguments))) > 0 && !json.Valid(arguments):
		f.add("", "the arguments are no JSON: send one object")
	default:
		args, f.list = argumentsOf(tool).Arguments(arguments)
	}
	if args == nil { // no object at all, so that nothing can be missing in it
		return nil, f.err(tool)
	}
	var texts faults
	out := read(arguments).normal(&texts)
	f.join(texts)
	if err := f.err(tool); err != nil {
		return nil, err
	}
	return out, nil
}

// into reads arguments as an input, as far as they have its form.
func into[T Input](arguments []byte) Input {
	var in T
	_ = json.Unmarshal(arguments, &in) // what has another form is a fault already
	return in
}

func names() []string {
	var out []string
	for _, t := range Tools() {
		out = append(out, t.Name)
	}
	return out
}

// argumentsOf gives the schema of a tool's arguments.
func argumentsOf(tool string) Schema {
	tools := Tools()
	return tools[slices.IndexFunc(tools, func(t Tool) bool { return t.Name == tool })].Schema()
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
