package planspec

import (
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// hopJSON is a step of a HopSpec as it is written: keys of which it has no need
// are left out.
type hopJSON struct {
	Name         string     `json:"step_name"`
	Type         string     `json:"step_type"`
	Task         *string    `json:"task,omitzero"`
	Description  *string    `json:"description,omitzero"`
	Condition    *string    `json:"condition,omitzero"`
	Collection   *string    `json:"collection,omitzero"`
	Element      *string    `json:"element,omitzero"`
	Verifier     *string    `json:"verifier,omitzero"`
	CallTarget   *string    `json:"call_target,omitzero"`
	ReturnFormat *string    `json:"return_format,omitzero"`
	Inputs       []string   `json:"inputs,omitzero"`
	Outputs      []string   `json:"outputs,omitzero"`
	ExpandMode   *string    `json:"expand_mode,omitzero"`
	Children     *[]hopJSON `json:"children,omitzero"`
}

// EncodeHop writes the steps of a HopSpec as JSON.
func EncodeHop(steps []HopStep) []byte { return form.JSON(hopJSONs(steps)) }

func hopJSONs(steps []HopStep) []hopJSON {
	out := make([]hopJSON, 0, len(steps))
	for _, h := range steps {
		// text leaves empty text out, but for steps of these types.
		text := func(value string, types ...string) *string {
			if value == "" && !slices.Contains(types, h.Type) {
				return nil
			}
			return &value
		}
		j := hopJSON{Name: h.Name, Type: h.Type, Task: text(h.Task, HopLLM, HopCall), Description: text(h.Description, HopCode, HopSubtask, HopFlow),
			Condition: text(h.Condition, HopBranch), Collection: text(h.Collection), Element: text(h.Element), Verifier: text(h.Verifier, HopLLM),
			CallTarget: text(h.CallTarget), ReturnFormat: text(h.ReturnFormat), ExpandMode: text(h.ExpandMode)}
		if h.Type != HopFlow || len(h.Inputs)+len(h.Outputs) > 0 {
			j.Inputs, j.Outputs = append([]string{}, h.Inputs...), append([]string{}, h.Outputs...)
		}
		if len(h.Children) > 0 || h.Type == HopBranch || h.Type == HopSubtask || h.Type == HopLoop {
			children := hopJSONs(h.Children)
			j.Children = &children
		}
		out = append(out, j)
	}
	return out
}

// ParseHop reads the steps of a HopSpec from JSON. Keys that it does not know
// are warnings, for a HopSpec has more than a plan has use for.
func ParseHop(text string) ([]HopStep, []diag.Diagnostic) {
	j, n := readJSON(text)
	var steps []HopStep
	switch {
	case len(j.found) > 0:
	case n.Kind != plan.List:
		j.fail(n.Pos, RuleJSON, "write the steps as a list", "this is no HopSpec, which is a list of steps")
	default:
		steps = j.hopSteps(n)
	}
	j.close(1 + strings.Count(text, "\n"))
	return steps, j.found
}

func (j *jsonText) hopSteps(n plan.Node) []HopStep {
	var out []HopStep
	for _, item := range j.list(n) {
		out = append(out, j.hopStep(item))
	}
	return out
}

func (j *jsonText) hopStep(n plan.Node) HopStep {
	h := HopStep{Pos: n.Pos}
	j.object(n, diag.Warning, map[string]func(plan.Node){
		"step_name": j.text(&h.Name), "step_type": j.text(&h.Type), "task": j.text(&h.Task), "description": j.text(&h.Description),
		"condition": j.text(&h.Condition), "collection": j.text(&h.Collection), "element": j.text(&h.Element), "verifier": j.text(&h.Verifier),
		"call_target": j.text(&h.CallTarget), "return_format": j.text(&h.ReturnFormat), "expand_mode": j.text(&h.ExpandMode),
		"inputs": j.texts(&h.Inputs), "outputs": j.texts(&h.Outputs),
		"children": func(n plan.Node) { h.Children = j.hopSteps(n) },
	})
	if n.Kind == plan.Map && !slices.Contains(HopTypes(), h.Type) {
		j.fail(n.Pos, RuleJSON, "use one of "+strings.Join(HopTypes(), ", "), "unknown step_type %q", quoteShort(h.Type))
	}
	return h
}
