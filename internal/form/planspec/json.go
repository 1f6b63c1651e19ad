package planspec

import (
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// EncodeJSON writes a plan as JSON, with every key and no list null.
func EncodeJSON(p *Plan) []byte {
	q := p.Clone()
	lists := []*[]string{&q.GoalDetail, &q.Constraints}
	q.Walk(func(s *Step) { lists = append(lists, &s.Inputs, &s.Outputs, &s.Detail) })
	for _, list := range lists {
		*list = append([]string{}, *list...)
	}
	return form.JSON(q)
}

// ParseJSON reads a plan from JSON as [EncodeJSON] writes it. Keys that are
// not there stand for nothing. Like [Parse] it returns what it understood.
func ParseJSON(text string) (*Plan, []diag.Diagnostic) {
	p := &Plan{}
	j, n := readJSON(text)
	if len(j.found) == 0 {
		j.object(n, diag.Error, map[string]func(plan.Node){
			"title": j.text(&p.Title), "goal": j.text(&p.Goal), "goal_detail": j.texts(&p.GoalDetail), "constraints": j.texts(&p.Constraints),
			"steps": func(n plan.Node) { p.Steps = j.planSteps(n, "") },
		})
	}
	j.close(1 + strings.Count(text, "\n"))
	return p, j.found
}

// planSteps reads the children of the step with the number parent.
func (j *jsonText) planSteps(n plan.Node, parent string) []*Step {
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

func (j *jsonText) planStep(n plan.Node) *Step {
	s := &Step{Pos: n.Pos}
	var children plan.Node // read last, for they need the number
	j.object(n, diag.Error, map[string]func(plan.Node){
		"step_id": j.text(&s.ID), "step_name": j.text(&s.Name), "step_type": j.text(&s.Type), "description": j.text(&s.Description), "result": j.text(&s.Result),
		"inputs": j.texts(&s.Inputs), "outputs": j.texts(&s.Outputs), "detail": j.texts(&s.Detail),
		"status": func(n plan.Node) { s.Status = j.status(n) },
		"done_count": func(n plan.Node) {
			if c := j.count(n); c != nil {
				s.DoneCount = *c
			}
		},
		"total_count": func(n plan.Node) { s.TotalCount = j.count(n) },
		"children":    func(n plan.Node) { children = n },
	})
	s.Children = j.planSteps(children, s.ID)
	return s
}

func (j *jsonText) status(n plan.Node) Status {
	s, ok := ParseStatus(j.string(n))
	if n.Kind == plan.String && !ok {
		var words []string
		for _, s := range Statuses() {
			words = append(words, s.String())
		}
		j.fail(n.Pos, RuleJSON, "use one of "+strings.Join(words, ", "), "unknown status %q", quoteShort(n.Text))
	}
	return s
}

// jsonText is JSON being read.
type jsonText struct{ findings }

// readJSON reads a text as one value. What is no JSON is a finding.
func readJSON(text string) (*jsonText, plan.Node) {
	j := &jsonText{}
	if len(text) > MaxText {
		j.limit(len(text))
		return j, plan.Node{}
	}
	const most = 400_000
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	n, found := form.ReadValue(form.Bounds{Bounds: plan.Bounds{Bytes: MaxText, Keys: most, Items: most}, Depth: 10_000}, "", []byte(text))
	for _, d := range found {
		if d.Rule == plan.RuleFrontmatter {
			d.Rule = RuleJSON
		}
		d.Severity, d.Hint = diag.Error, "write JSON, as `git plan convert` does"
		j.report(d)
	}
	return j, n
}

// wrong reports a value of another type than it should have. Null stands for
// nothing everywhere.
func (j *jsonText) wrong(n plan.Node, want string) {
	if n.Kind != plan.Null {
		j.fail(n.Pos, RuleJSON, "write a "+want, "this is no %s", want)
	}
}

// string gives a value that should be text.
func (j *jsonText) string(n plan.Node) string {
	if n.Kind != plan.String {
		j.wrong(n, "string")
		return ""
	}
	return n.Text
}

// count gives a value that should be a number of things, or nil.
func (j *jsonText) count(n plan.Node) *int {
	v, ok := parseCount(n.Text)
	if !ok || n.Kind != plan.Int {
		j.wrong(n, "whole number, 0 or more")
		return nil
	}
	return &v
}

// list gives the items of a value that should be a list.
func (j *jsonText) list(n plan.Node) []plan.Node {
	if n.Kind != plan.List {
		j.wrong(n, "list")
	}
	return n.Items
}

// text and texts take values that should be text, and lists of it.
func (j *jsonText) text(to *string) func(plan.Node) {
	return func(n plan.Node) { *to = j.string(n) }
}

func (j *jsonText) texts(to *[]string) func(plan.Node) {
	return func(n plan.Node) {
		for _, item := range j.list(n) {
			*to = append(*to, j.string(item))
		}
	}
}

// object takes the values of the keys of what should be an object. Keys that are
// there twice are errors; unknown is how much others weigh.
func (j *jsonText) object(n plan.Node, unknown diag.Severity, keys map[string]func(plan.Node)) {
	if n.Kind != plan.Map {
		j.fail(n.Pos, RuleJSON, "write an object", "this is no object")
		return
	}
	seen := map[string]bool{}
	for _, f := range n.Fields {
		take := keys[f.Key]
		switch {
		case seen[f.Key]:
			j.fail(f.KeyPos, RuleJSON, "keep one", "the key %q is there twice", quoteShort(f.Key))
		case take != nil:
			take(f.Value)
		default:
			j.report(diag.Diagnostic{Pos: f.KeyPos, Severity: unknown, Rule: RuleJSON, Hint: "remove it",
				Message: "the key " + strconv.Quote(quoteShort(f.Key)) + " is not known"})
		}
		seen[f.Key] = true
	}
}
