package planspec

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// The types of steps in a HopSpec, an executable program of which a PlanSpec is
// the outline.
const (
	HopLLM     = "LLM"
	HopCode    = "code"
	HopCall    = "call"
	HopBranch  = "branch"
	HopLoop    = "loop"
	HopSubtask = "subtask"
	HopFlow    = "flow"
)

// HopTypes lists the types of steps in a HopSpec.
func HopTypes() []string {
	return []string{HopLLM, HopCall, HopLoop, HopBranch, HopCode, HopFlow, HopSubtask}
}

// The flow step that ends each HopSpec.
const (
	exitName   = "exit"
	exitAction = "EXIT_OK"
)

// static is how a subtask made from a plan expands: its children are there.
const static = "static"

// hopStep is a step of a HopSpec as it is written: keys of which it has no need
// are left out.
type hopStep struct {
	Name        string     `json:"step_name"`
	Type        string     `json:"step_type"`
	Task        *string    `json:"task,omitzero"`
	Description *string    `json:"description,omitzero"`
	Condition   *string    `json:"condition,omitzero"`
	Verifier    *string    `json:"verifier,omitzero"`
	Inputs      []string   `json:"inputs,omitzero"`
	Outputs     []string   `json:"outputs,omitzero"`
	ExpandMode  string     `json:"expand_mode,omitzero"`
	Children    *[]hopStep `json:"children,omitzero"`
}

// WriteHop writes a plan as the steps of a HopSpec, in JSON. Steps without a name
// get one made from their number. lacks names what of the plan a HopSpec cannot
// hold. It fails if a type is unknown, or a name is one that is to be made.
func WriteHop(o *form.Outline) (text []byte, lacks []string, err error) {
	names := map[string]string{exitName: "the step that ends a HopSpec"}
	for _, it := range o.All() {
		name, label := hopName(it), Label(it)
		if first, used := names[name]; used {
			return nil, nil, &StepError{it.Number, fmt.Sprintf("%s: its name in a HopSpec would be '%s', as that of %s: give one of them another name",
				label, quoteShort(name), first)}
		}
		if typ := it.Get("kind"); !slices.Contains(Types(), typ) {
			return nil, nil, &StepError{it.Number, fmt.Sprintf("%s: invalid type '%s'", label, quoteShort(typ))}
		}
		names[name] = label
	}
	action := exitAction
	return form.JSON(append(hopSteps(o.Items), hopStep{Name: exitName, Type: HopFlow, Description: &action})), hopLacks(o), nil
}

// hopName gives a step's name, made from its number if it has none.
func hopName(it *form.Item) string {
	if name := it.Get("step_name"); name != "" {
		return name
	}
	return "step_" + strings.ReplaceAll(it.Number, ".", "_")
}

func hopSteps(items []*form.Item) []hopStep {
	out := []hopStep{}
	for _, it := range items {
		h := hopStep{Name: hopName(it), Inputs: full(it.List("inputs")), Outputs: full(it.List("outputs"))}
		text, kind := it.Title(), it.Get("kind")
		switch kind {
		case Reason:
			h.Type, h.Task, h.Verifier = HopLLM, &text, new(string)
		case Act:
			h.Type, h.Description = HopCode, &text
		case Decide:
			h.Type, h.Condition = HopBranch, &text
		default:
			h.Type, h.Description, h.ExpandMode = HopSubtask, &text, static
		}
		if len(it.Children) > 0 || IsContainer(kind) {
			children := hopSteps(it.Children)
			h.Children = &children
		}
		out = append(out, h)
	}
	return out
}

// hopLacks names what of a plan has no place in a HopSpec.
func hopLacks(o *form.Outline) []string {
	var d dropped
	d.add("title", o.Plan.Title() != "")
	d.add("goal", o.Plan.Get("goal") != "" || len(o.Plan.List("goal_detail")) > 0)
	d.add("constraints", len(o.Plan.List("constraints")) > 0)
	d.add("gaps between numbers", gaps(o.Items, ""))
	for _, it := range o.All() {
		for _, field := range []string{"status", "result", "progress"} {
			d.add(field, it.Get(field) != "")
		}
		d.add("detail", it.Text != nil)
	}
	return d
}

// gaps reports whether the steps below one are not numbered as they stand, from 1.
func gaps(items []*form.Item, above string) bool {
	for i, it := range items {
		if it.Number != form.Below(above, i+1) || gaps(it.Children, it.Number) {
			return true
		}
	}
	return false
}

// dropped names what a conversion leaves out, each once.
type dropped []string

func (d *dropped) add(what string, is bool) {
	if is && !slices.Contains(*d, what) {
		*d = append(*d, what)
	}
}

// ReadHop reads the steps of a HopSpec from JSON as a plan, which has no goal. Names
// that [WriteHop] made vanish, and so do flow steps. lacks names what a plan cannot
// hold. Keys that are not known are warnings, for a HopSpec has more than a plan has
// use for.
func ReadHop(text string) (o *form.Outline, lacks []string, found []diag.Diagnostic) {
	j, n := readJSON(text)
	r := &hopReader{jsonText: j, made: regexp.MustCompile(`^step(_\d+)+$`)}
	o = &form.Outline{}
	switch {
	case len(j.found) > 0:
	case n.Kind != plan.List:
		j.fail(n.Pos, RuleJSON, "write the steps as a list", "this is no HopSpec, which is a list of steps")
	default:
		o.Items = r.steps(n, "")
	}
	return o, r.dropped, j.found
}

type hopReader struct {
	*jsonText
	dropped dropped
	made    *regexp.Regexp // names that are made from numbers
}

// steps reads the steps below one.
func (r *hopReader) steps(n plan.Node, above string) (out []*form.Item) {
	items := r.list(n)
	for i, item := range items {
		if it := r.step(item, form.Below(above, len(out)+1), above == "" && i == len(items)-1); it != nil {
			out = append(out, it)
		}
	}
	return out
}

// step reads a step, which may be the last of all. It is nil for a flow step.
func (r *hopReader) step(n plan.Node, number string, last bool) *form.Item {
	it := &form.Item{Number: number, Pos: n.Pos}
	h, children := map[string]string{}, plan.Node{}
	keys := map[string]func(plan.Node){"step_name": r.word(it, "step_name", isName), "inputs": r.names(it, "inputs"), "outputs": r.names(it, "outputs"),
		"children": func(n plan.Node) { children = n }}
	for _, key := range []string{"step_type", "task", "description", "condition", "collection", "element", "verifier", "call_target", "return_format", "expand_mode"} {
		keys[key] = func(n plan.Node) { h[key] = r.string(n) }
	}
	r.object(n, diag.Warning, keys)
	if n.Kind == plan.Map && !slices.Contains(HopTypes(), h["step_type"]) {
		r.fail(n.Pos, RuleJSON, "use one of "+strings.Join(HopTypes(), ", "), "unknown step_type %q", quoteShort(h["step_type"]))
	}
	if h["step_type"] == HopFlow {
		r.dropped.add("flow steps", !last || h["description"] != exitAction) // that one says nothing, and is put back
		return nil
	}
	for _, key := range []string{"verifier", "call_target", "return_format"} {
		r.dropped.add(key, h[key] != "")
	}
	r.dropped.add("expand_mode", h["expand_mode"] != "" && h["expand_mode"] != static)
	if r.made.MatchString(it.Get("step_name")) {
		it.Say("step_name", "")
	}
	kind, lines := hopTexts(h)
	say(it, "kind", kind)
	if len(lines) > 0 {
		say(it, "title", lines[0])
		SetDetail(it, lines[1:])
	}
	it.Children = r.steps(children, number)
	return it
}

// hopTexts gives the type that a step of a HopSpec has in a plan, and what it says
// there: the description, which is one line, and the detail.
func hopTexts(h map[string]string) (kind string, said []string) {
	each, condition := "", h["condition"]
	if c := h["collection"]; c != "" {
		each = "for each " + cmp.Or(h["element"], "item") + " in " + c
	}
	var texts []string
	switch h["step_type"] {
	case HopLLM, HopCall:
		kind, texts = Act, []string{h["task"], h["description"], condition, each}
	case HopBranch:
		kind, texts = Decide, []string{condition, h["description"], h["task"], each}
	case HopLoop:
		if condition != "" {
			each = strings.TrimSpace(each + " while " + condition)
		}
		kind, texts = Subtask, []string{each, h["description"], h["task"]}
	case HopSubtask:
		kind, texts = Subtask, []string{h["description"], h["task"], condition, each}
	default:
		kind, texts = Act, []string{h["description"], h["task"], condition, each}
	}
	if h["step_type"] == HopLLM {
		kind = Reason
	}
	for _, text := range texts {
		for _, line := range lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				said = append(said, line)
			}
		}
	}
	return kind, said
}
