package planspec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// hopText is a key of a HopSpec's step whose value is text.
type hopText struct {
	key   string
	value *string
}

// keys gives the keys of the step whose values are text, but for expand_mode,
// in the order in which they are written.
func (h *HopStep) keys() []hopText {
	return []hopText{
		{"step_name", &h.Name}, {"step_type", &h.Type}, {"task", &h.Task}, {"description", &h.Description},
		{"condition", &h.Condition}, {"collection", &h.Collection}, {"element", &h.Element}, {"verifier", &h.Verifier},
		{"call_target", &h.CallTarget}, {"return_format", &h.ReturnFormat},
	}
}

// always reports whether a key is written even if its value is empty.
func (h *HopStep) always(key string) bool {
	switch key {
	case "step_name", "step_type":
		return true
	case "task":
		return h.Type == HopLLM || h.Type == HopCall
	case "verifier":
		return h.Type == HopLLM
	case "condition":
		return h.Type == HopBranch
	case "description":
		return h.Type == HopCode || h.Type == HopSubtask || h.Type == HopFlow
	}
	return false
}

// EncodeHop writes the steps of a HopSpec as JSON.
func EncodeHop(steps []HopStep) ([]byte, error) {
	w := &hopWriter{}
	w.enc = json.NewEncoder(diag.JSONWriter(&w.out))
	w.enc.SetEscapeHTML(false)
	w.steps(steps)
	var b bytes.Buffer
	if w.err == nil {
		w.err = json.Indent(&b, w.out.Bytes(), "", "  ")
	}
	if w.err != nil {
		return nil, fmt.Errorf("the steps cannot be written as JSON: %w", w.err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

type hopWriter struct {
	out bytes.Buffer
	enc *json.Encoder
	err error
}

func (w *hopWriter) value(v any) {
	if err := w.enc.Encode(v); w.err == nil {
		w.err = err
	}
}

func (w *hopWriter) key(name string) {
	w.out.WriteString(`,"` + name + `":`)
}

func (w *hopWriter) steps(steps []HopStep) {
	w.out.WriteByte('[')
	for i := range steps {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.step(&steps[i])
	}
	w.out.WriteByte(']')
}

func (w *hopWriter) step(h *HopStep) {
	start := w.out.Len()
	for _, t := range h.keys() {
		if *t.value != "" || h.always(t.key) {
			w.key(t.key)
			w.value(*t.value)
		}
	}
	if h.Type != HopFlow || len(h.Inputs)+len(h.Outputs) > 0 {
		w.key("inputs")
		w.value(append([]string{}, h.Inputs...))
		w.key("outputs")
		w.value(append([]string{}, h.Outputs...))
	}
	if h.ExpandMode != "" {
		w.key("expand_mode")
		w.value(h.ExpandMode)
	}
	if len(h.Children) > 0 || h.Type == HopBranch || h.Type == HopSubtask || h.Type == HopLoop {
		w.key("children")
		w.steps(h.Children)
	}
	w.out.WriteByte('}')
	w.out.Bytes()[start] = '{' // instead of the first comma
}

// ParseHop reads the steps of a HopSpec from JSON. Keys that it does not know
// are warnings, for a HopSpec has more than a plan has use for.
func ParseHop(text string) ([]HopStep, []diag.Diagnostic) {
	j, n := readJSON(text)
	if n == nil {
		return nil, j.found
	}
	if n.value != json.Delim('[') {
		j.fail(n.pos, RuleJSON, "write the steps as a list", "this is no HopSpec, which is a list of steps")
		return nil, j.found
	}
	steps := j.hopSteps(n)
	j.close(j.pos.Line)
	return steps, j.found
}

func (j *jsonText) hopSteps(n *node) []HopStep {
	var out []HopStep
	for _, item := range j.list(n) {
		out = append(out, j.hopStep(item))
	}
	return out
}

func (j *jsonText) hopStep(n *node) HopStep {
	h := HopStep{Pos: n.pos}
	texts := h.keys()
	j.object(n, diag.Warning, func(name string, v *node) bool {
		switch i := slices.IndexFunc(texts, func(t hopText) bool { return t.key == name }); {
		case i >= 0:
			*texts[i].value = j.string(v)
		case name == "expand_mode":
			h.ExpandMode = j.string(v)
		case name == "inputs":
			h.Inputs = j.strings(v)
		case name == "outputs":
			h.Outputs = j.strings(v)
		case name == "children":
			h.Children = j.hopSteps(v)
		default:
			return false
		}
		return true
	})
	if n.value == json.Delim('{') && !slices.Contains(HopTypes(), h.Type) {
		j.fail(n.pos, RuleJSON, "use one of "+strings.Join(HopTypes(), ", "), "unknown step_type %q", quoteShort(h.Type))
	}
	return h
}
