package mcpserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/session"
)

// loopTool is a tool that is a command of the program.
type loopTool struct {
	session.Tool
	schema session.Schema
	form   form
}

// form says how the arguments of a tool become a command line. What a client
// sends is only ever the value of a flag, or stands behind "--".
type form struct {
	words []string
	// verb is the argument that is the last word of the command, one of those
	// that the schema lists.
	verb string
	// flags are the flags of the arguments, in the order of the line. The plan
	// that a tool is about is always --plan.
	flags [][2]string
	// last is the argument that stands behind "--"; it must be there but for the
	// verb bare, which has no use for it.
	last, bare string
	// fixed are words of ours behind "--".
	fixed []string
	// input makes the command's standard input of the arguments.
	input func(args arguments) ([]byte, error)
	// either is another form, for calls that lack the argument last.
	either *form
}

// forms are those of all tools of the loop.
func forms() map[string]form {
	same := func(keys ...string) (out [][2]string) {
		for _, k := range keys {
			out = append(out, [2]string{k, k})
		}
		return out
	}
	return map[string]form{
		"plan_start": {words: []string{"start"}, flags: append(same("goal", "spec", "id", "request"),
			[2]string{"constraints", "constraint"}, [2]string{"memories", "memory"}, [2]string{"code", "code"})},
		"plan_status": {words: []string{"status"}, flags: same("plan", "all")},
		"plan_update": {words: []string{"update"}, flags: same("plan"), fixed: []string{"-"}, input: payload},
		"plan_next":   {words: []string{"next"}, flags: same("plan", "claim", "another", "request")},
		"plan_task": {words: []string{"task"}, verb: "move", last: "task", flags: append(same("plan", "request"),
			[2]string{"message", "message"}, [2]string{"result", "result"}, [2]string{"affected_files", "affected"}, [2]string{"commit", "commit"}, [2]string{"cascade", "cascade"})},
		"plan_alert": {words: []string{"alert"}, verb: "action", last: "id", bare: "list", flags: same("plan", "task", "level", "message", "request")},
		"plan_replan": {words: []string{"replan", "--from=-", "--form=planloop"}, last: "plan", input: taskList, flags: append(same("reason", "request"),
			[2]string{"discoveries", "discovery"}, [2]string{"constraints", "constraint"}, [2]string{"force", "force"})},
		"plan_draft":  {words: []string{"checkout"}, last: "plan", either: &form{words: []string{"dir"}}},
		"plan_check":  {words: []string{"check"}},
		"plan_commit": {words: []string{"commit"}, flags: same("message", "id", "request")},
	}
}

// loopTools gives the tools of the loop in their documented order.
func loopTools() []loopTool {
	var out []loopTool
	all := forms()
	for _, t := range session.ReadTools(loopList) {
		out = append(out, loopTool{t, t.Schema(), all[t.Name]})
	}
	return out
}

// line makes the command line of a call and what the command reads. The error is a
// *[session.ValidationError].
func (t loopTool) line(raw []byte) (words []string, stdin []byte, err error) {
	args, err := t.read(raw)
	if err != nil {
		return nil, nil, err
	}
	f := t.form
	if f.either != nil && args.text(f.last) == "" {
		f = *f.either
	}
	if why := f.misplaced(args); why != "" {
		return nil, nil, t.refused(session.Fault{Message: why})
	}
	words = slices.Clone(f.words)
	if f.verb != "" {
		words = append(words, args.text(f.verb))
	}
	words = append(words, "--json")
	for _, flag := range f.flags {
		for _, value := range args.values(flag[0]) {
			words = append(words, "--"+flag[1]+"="+value)
		}
	}
	words = append(words, "--")
	words = append(words, f.fixed...)
	if f.last != "" {
		words = append(words, args.values(f.last)...)
	}
	if f.input != nil {
		stdin, err = f.input(args)
	}
	return words, stdin, err
}

// misplaced says what is wrong with the argument that stands behind "--".
func (f form) misplaced(args arguments) string {
	bare := f.bare != "" && args.text(f.verb) == f.bare
	switch given := f.last != "" && args.text(f.last) != ""; {
	case bare && given:
		return fmt.Sprintf("%s: leave it out with %s", f.last, f.bare)
	case !bare && !given && f.last != "":
		return f.last + ": missing: it is required"
	}
	return ""
}

// payload is what `update` reads: the arguments without the plan.
func payload(args arguments) ([]byte, error) {
	rest := arguments{}
	for key, value := range args {
		if key != "plan" {
			rest[key] = value
		}
	}
	return json.Marshal(rest)
}

// taskList is what `replan` reads: the tasks, each with its number.
func taskList(args arguments) ([]byte, error) {
	var tasks []arguments
	if err := json.Unmarshal(args["tasks"], &tasks); err != nil {
		return nil, err // the schema allows nothing else
	}
	for i, t := range tasks {
		if t["id"] == nil {
			t["id"] = fmt.Appendf(nil, "%d", i+1)
		}
	}
	return json.Marshal(map[string]any{"tasks": tasks})
}

// arguments are those of a call, each as JSON that the schema allows.
type arguments map[string]json.RawMessage

func (a arguments) text(key string) string { return strings.Join(a.values(key), "") }

// values gives an argument as the values of a flag that may be repeated. An
// empty text and false stand for no argument.
func (a arguments) values(key string) []string {
	var list []string
	var text string
	var yes bool
	switch raw := a[key]; {
	case raw == nil:
	case json.Unmarshal(raw, &text) == nil:
		if text != "" {
			list = []string{text}
		}
	case json.Unmarshal(raw, &yes) == nil:
		if yes {
			list = []string{"true"}
		}
	default:
		_ = json.Unmarshal(raw, &list) // the schema allows nothing else
	}
	return list
}

// read takes the arguments apart, strictly.
func (t loopTool) read(raw []byte) (arguments, error) {
	args, found := t.schema.Arguments(raw)
	for _, key := range slices.Sorted(maps.Keys(t.schema.Properties)) {
		p := t.schema.Properties[key]
		if text := arguments(args).text(key); text != "" && p.Enum != nil && !slices.Contains(p.Enum, text) {
			found = append(found, session.Fault{Field: key, Message: fmt.Sprintf("%.60q is none: give %s", text, strings.Join(p.Enum, ", "))})
		}
	}
	if len(found) > 0 {
		return nil, t.refused(found...)
	}
	return args, nil
}

// refused says why the tool does not take its arguments. Nothing was run.
func (t loopTool) refused(found ...session.Fault) error {
	return &session.ValidationError{Tool: t.Name, Faults: found}
}
