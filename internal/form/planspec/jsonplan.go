package planspec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/plan/diag"
)

// EncodeJSON writes a plan as JSON, with every key and no list null.
func EncodeJSON(p *Plan) ([]byte, error) {
	q := p.Clone()
	for _, list := range []*[]string{&q.GoalDetail, &q.Constraints} {
		fill(list)
	}
	q.Walk(func(s *Step) {
		for _, list := range []*[]string{&s.Inputs, &s.Outputs, &s.Detail} {
			fill(list)
		}
	})
	var b bytes.Buffer
	enc := json.NewEncoder(diag.JSONWriter(&b))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(q); err != nil {
		return nil, fmt.Errorf("the plan cannot be written as JSON: %w", err)
	}
	return b.Bytes(), nil
}

func fill(list *[]string) {
	if *list == nil {
		*list = []string{}
	}
}

// ParseJSON reads a plan from JSON as [EncodeJSON] writes it. Keys that are
// not there stand for nothing. Like [Parse] it returns what it understood.
func ParseJSON(text string) (*Plan, []diag.Diagnostic) {
	p := &Plan{}
	j, n := readJSON(text)
	if n == nil {
		return p, j.found
	}
	j.object(n, diag.Error, func(name string, v *node) bool {
		switch name {
		case "title":
			p.Title = j.string(v)
		case "goal":
			p.Goal = j.string(v)
		case "goal_detail":
			p.GoalDetail = j.strings(v)
		case "constraints":
			p.Constraints = j.strings(v)
		case "steps":
			p.Steps = j.planSteps(v, "")
		default:
			return false
		}
		return true
	})
	j.close(j.pos.Line)
	return p, j.found
}

// planSteps reads the children of the step with the number parent.
func (j *jsonText) planSteps(n *node, parent string) []*Step {
	var out []*Step
	seen := map[string]bool{}
	for _, item := range j.list(n) {
		s := j.planStep(item)
		switch {
		case !isID(s.ID):
			j.fail(s.Pos, RuleID, "write it as text, such as \"2.1\"", "`step_id` is no number of a step: %q", quoteShort(s.ID))
		case parentID(s.ID) != parent:
			j.fail(s.Pos, RuleID, "give it the number of its parent and one part more", "step %s is not where its number says", quoteShort(s.ID))
		case seen[s.ID]:
			j.fail(s.Pos, RuleID, "give it a number of its own", "step %s is there twice", quoteShort(s.ID))
		default:
			out = append(out, s)
		}
		seen[s.ID] = true
	}
	return out
}

func (j *jsonText) planStep(n *node) *Step {
	s := &Step{Pos: n.pos}
	var children *node // read last, for they need the number
	j.object(n, diag.Error, func(name string, v *node) bool {
		switch name {
		case "status":
			s.Status = j.status(v)
		case "done_count":
			if c := j.count(v); c != nil {
				s.DoneCount = *c
			}
		case "total_count":
			s.TotalCount = j.count(v)
		case "children":
			children = v
		default:
			return j.planText(s, name, v)
		}
		return true
	})
	if children != nil {
		s.Children = j.planSteps(children, s.ID)
	}
	return s
}

// planText reads the keys of a step whose values are text.
func (j *jsonText) planText(s *Step, name string, v *node) bool {
	switch name {
	case "step_id":
		s.ID = j.string(v)
	case "step_name":
		s.Name = j.string(v)
	case "step_type":
		s.Type = j.string(v)
	case "description":
		s.Description = j.string(v)
	case "inputs":
		s.Inputs = j.strings(v)
	case "outputs":
		s.Outputs = j.strings(v)
	case "detail":
		s.Detail = j.strings(v)
	case "result":
		s.Result = j.string(v)
	default:
		return false
	}
	return true
}

func (j *jsonText) status(n *node) Status {
	s, ok := ParseStatus(j.string(n))
	if word, isText := n.value.(string); isText && !ok {
		var words []string
		for _, s := range Statuses() {
			words = append(words, s.String())
		}
		j.fail(n.pos, RuleJSON, "use one of "+strings.Join(words, ", "), "unknown status %q", quoteShort(word))
	}
	return s
}
