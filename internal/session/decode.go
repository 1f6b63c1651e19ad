package session

import (
	"encoding/json"
	"errors"
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
	in, tools := Input{Tool: tool}, Tools()
	at := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == tool })
	if at < 0 {
		var names []string
		for _, t := range tools {
			names = append(names, t.Name)
		}
		return in, &ValidationError{Tool: quote(tool), Faults: []Fault{{"", "there is no such tool: the tools are " + strings.Join(names, ", ")}}}
	}
	args, f := map[string]json.RawMessage(nil), faults{}
	switch {
	case len(arguments) > MaxArguments:
		f.add("", "the arguments have %d bytes, and at most %d are read: send fewer steps at once", len(arguments), MaxArguments)
	case len(strings.TrimSpace(string(arguments))) > 0 && !json.Valid(arguments):
		f.add("", "the arguments are no JSON: send one object")
	default:
		args, f = tools[at].Schema().Arguments(arguments)
	}
	if args == nil { // no object at all, so that nothing can be missing in it
		return in, f.err(tool)
	}
	_ = json.Unmarshal(arguments, &in) // what has another form is a fault already
	out, err := in.normal()
	var texts *ValidationError
	if errors.As(err, &texts) {
		f = append(f, slices.DeleteFunc(texts.Faults, func(t Fault) bool { // of what has the right form
			return slices.ContainsFunc(f, func(o Fault) bool { return o.Field == t.Field || strings.HasPrefix(t.Field, o.Field+".") })
		})...)
	}
	return out, f.err(tool)
}
