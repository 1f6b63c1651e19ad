package planspec

import (
	"strings"
	"unicode"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Document is a PlanSpec as JSON. No list of it is null.
type Document struct {
	Title       string   `json:"title"`
	Goal        string   `json:"goal"`
	GoalDetail  []string `json:"goal_detail"`
	Constraints []string `json:"constraints"`
	Steps       []Step   `json:"steps"`
}

// Step is a step of a [Document]. A nil total is not known.
type Step struct {
	ID          string   `json:"step_id"`
	Name        string   `json:"step_name"`
	Type        string   `json:"step_type"`
	Description string   `json:"description"`
	Inputs      []string `json:"inputs"`
	Outputs     []string `json:"outputs"`
	Detail      []string `json:"detail"`
	Result      string   `json:"result"`
	Status      string   `json:"status"`
	DoneCount   int      `json:"done_count"`
	TotalCount  *int     `json:"total_count"`
	Children    []Step   `json:"children"`
}

// EncodeJSON writes a plan as JSON, with every key.
func EncodeJSON(o *form.Outline) []byte {
	return form.JSON(Document{o.Plan.Title(), o.Plan.Get("goal"), full(o.Plan.List("goal_detail")), full(o.Plan.List("constraints")), jsonSteps(o.Items)})
}

func jsonSteps(items []*form.Item) []Step {
	out := []Step{}
	for _, it := range items {
		done, total, _ := parseProgress(it.Get("progress"))
		out = append(out, Step{it.Number, it.Get("step_name"), it.Get("kind"), it.Title(), full(it.List("inputs")), full(it.List("outputs")),
			full(Detail(it)), it.Get("result"), StatusOf(it).Word, done, total, jsonSteps(it.Children)})
	}
	return out
}

// full gives a list that is not nil.
func full(list []string) []string { return append([]string{}, list...) }

// ParseJSON reads a plan from JSON as [EncodeJSON] writes it. Keys that are
// not there stand for nothing. Like [Parse] it returns what it understood.
func ParseJSON(text string) (*form.Outline, []diag.Diagnostic) {
	o := &form.Outline{}
	j, n := readJSON(text)
	if len(j.found) == 0 {
		j.object(n, diag.Error, map[string]func(plan.Node){
			"title": j.line(&o.Plan, "title"), "goal": j.line(&o.Plan, "goal"),
			"goal_detail": func(n plan.Node) { o.Plan.Say("goal_detail", j.lines(n, true)) },
			"constraints": func(n plan.Node) { o.Plan.Say("constraints", j.lines(n, false)) },
			"steps":       func(n plan.Node) { o.Items = j.steps(n, "") },
		})
	}
	return o, j.found
}

// steps reads the children of the step with the number parent.
func (j *jsonText) steps(n plan.Node, parent string) (out []*form.Item) {
	seen := map[string]bool{}
	for _, item := range j.list(n) {
		it := j.step(item)
		switch id := it.Number; {
		case !isID(id):
			j.fail(it.Pos, RuleID, "write it as text, such as \"2.1\"", "`step_id` is no number of a step: %q", quoteShort(id))
		case form.Above(id) != parent:
			j.fail(it.Pos, RuleID, "give it the number of its parent and one part more", "step %s is not where its number says", quoteShort(id))
		case seen[id]:
			j.fail(it.Pos, RuleID, "give it a number of its own", "step %s is there twice", quoteShort(id))
		default:
			out = append(out, it)
		}
		seen[it.Number] = true
	}
	return out
}

func (j *jsonText) step(n plan.Node) *form.Item {
	it := &form.Item{Pos: n.Pos}
	var children plan.Node // read last, for they need the number
	var done, total *int
	j.object(n, diag.Error, map[string]func(plan.Node){
		"step_id": func(n plan.Node) { it.Number = j.string(n) }, "step_name": j.word(it, "step_name", isName), "step_type": j.word(it, "kind", isType),
		"description": j.line(it, "title"), "inputs": j.names(it, "inputs"), "outputs": j.names(it, "outputs"), "result": j.line(it, "result"), "status": func(n plan.Node) { j.status(it, n) },
		"detail":     func(n plan.Node) { SetDetail(it, j.lines(n, true)) },
		"done_count": func(n plan.Node) { done = j.count(n) }, "total_count": func(n plan.Node) { total = j.count(n) },
		"children": func(n plan.Node) { children = n },
	})
	if done == nil {
		done = new(int)
	}
	counted(it, *done, total)
	it.Children = j.steps(children, it.Number)
	return it
}

func (j *jsonText) status(it *form.Item, n plan.Node) {
	word, words := j.string(n), []string(nil)
	for _, s := range Statuses() {
		if s.Word == word {
			mark(it, s)
			return
		}
		words = append(words, s.Word)
	}
	if n.Kind == plan.String {
		j.fail(n.Pos, RuleJSON, "use one of "+strings.Join(words, ", "), "unknown status %q", quoteShort(word))
	}
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
	n, found := form.ReadValue(form.Bounds{Bounds: plan.Bounds{Bytes: MaxText, Keys: most, Items: most}, Depth: 10_000}, "", []byte(lineFeeds(text)))
	for _, d := range found {
		if d.Rule == plan.RuleFrontmatter {
			d.Rule = RuleJSON
		}
		d.Severity, d.Hint = diag.Error, "write JSON, as `git plan convert` does"
		j.found = append(j.found, d)
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

// oneLine gives text of one line without white space around it, but before it where
// that is allowed.
func (j *jsonText) oneLine(n plan.Node, indented bool) string {
	text, lead := j.string(n), 0
	if indented {
		lead = len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	}
	if strings.TrimSpace(text[lead:]) != text[lead:] || strings.ContainsAny(text, "\r\n") {
		j.fail(n.Pos, RuleJSON, "write one line", "this has a line break, or white space around it")
		return ""
	}
	return text
}

// line takes a line for a field.
func (j *jsonText) line(it *form.Item, field string) func(plan.Node) {
	return func(n plan.Node) { say(it, field, j.oneLine(n, false)) }
}

// lines gives the lines of a list.
func (j *jsonText) lines(n plan.Node, indented bool) (lines []string) {
	for _, item := range j.list(n) {
		lines = append(lines, j.oneLine(item, indented))
	}
	return lines
}

// word takes text for a field that is to be such a word, or nothing.
func (j *jsonText) word(it *form.Item, field string, is func(string) bool) func(plan.Node) {
	return func(n plan.Node) {
		if word := j.string(n); word == "" || is(word) {
			say(it, field, word)
		} else {
			j.noName(n)
		}
	}
}

// names takes a list of names for a field.
func (j *jsonText) names(it *form.Item, field string) func(plan.Node) {
	return func(n plan.Node) {
		var names []string
		for _, item := range j.list(n) {
			if name := j.string(item); isName(name) {
				names = append(names, name)
			} else if item.Kind == plan.String {
				j.noName(item)
			}
		}
		if len(names) > maxNames {
			j.fail(n.Pos, RuleJSON, "put them together", "these are more than %d names", maxNames)
			return
		}
		it.Say(field, names)
	}
}

func (j *jsonText) noName(n plan.Node) {
	j.fail(n.Pos, RuleJSON, "write it without white space, commas and brackets", "%q is no name", quoteShort(n.Text))
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
			j.fail(f.KeyPos, RuleJSON, "remove it", "the key %q is not known", quoteShort(f.Key))
			j.found[len(j.found)-1].Severity = unknown
		}
		seen[f.Key] = true
	}
}
