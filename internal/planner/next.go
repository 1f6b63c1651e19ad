package planner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/form/planloop"
	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// MaxPlan is how many bytes a plan may take in a prompt. Of a plan that is cut,
// a model would lose what it does not see.
const MaxPlan = 80_000

// Version is the next version of a plan as a model drafted it.
type Version struct {
	// Changes and Reasoning say what is different and why.
	Changes, Reasoning string
	// Faults are what makes it no plan, a line each; there are no files then.
	Faults []string

	list *planloop.Plan
}

// ReadNext reads the answer to the prompt `replan`, about a plan as it is. What
// prevents it from being a version of that plan is told at once.
func ReadNext(object []byte, now *plan.Plan) (Version, error) {
	var v Version
	err := llm.Decode(object, func(d *form.Decoder) []form.Key {
		return []form.Key{
			{Name: "plan", Required: true, Take: func(n plan.Node) { checkTasks(d, n, now) }},
			d.Filled("changes", &v.Changes).Must(), d.Filled("reasoning", &v.Reasoning).Must(),
		}
	})
	if err != nil {
		return v, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(object, &raw); err != nil {
		return v, err
	}
	list, found := planloop.Parse("plan", raw["plan"])
	v.list, v.Faults = list, llm.Told(found)
	if slices.ContainsFunc(found, isForm) {
		return v, errors.New(strings.Join(v.Faults, "; "))
	}
	return v, nil
}

// isForm tells a value of the wrong type, say, from a plan that the gate would
// not have.
func isForm(d diag.Diagnostic) bool {
	return slices.Contains([]string{plan.RuleFrontmatter, plan.RuleUnknownField, plan.RuleDuplicateField, plan.RuleEncoding, plan.RuleLimits}, d.Rule)
}

// nextKeys are what the prompt offers of a task. What a task was finished as is
// not for the model to say.
func nextKeys() []string {
	return []string{"id", "ref", "title", "type", "dependencies", "context_hints", "relevant_file_paths", "creates", "description",
		"acceptance_criteria", "agent", "priority"}
}

// checkTasks refuses keys that the prompt does not offer, and refs of no task.
// All else is the reader's of task lists to find.
func checkTasks(d *form.Decoder, n plan.Node, now *plan.Plan) {
	at := slices.IndexFunc(n.Fields, func(f plan.Field) bool { return f.Key == "tasks" })
	if at < 0 {
		d.Add(n.Pos, plan.RuleFrontmatter, "give the whole next version", "`plan` has no `tasks`")
		return
	}
	for i, task := range n.Fields[at].Value.Items {
		for _, f := range task.Fields {
			switch {
			case !slices.Contains(nextKeys(), f.Key):
				d.Add(f.KeyPos, plan.RuleUnknownField, "remove it; the keys are "+strings.Join(nextKeys(), ", "), "task %d of the list has no key `%s`", i+1, form.Short(f.Key))
			case f.Key == "ref" && now.Task(f.Value.Text) == nil:
				d.Add(f.Value.Pos, plan.RuleUnknownField, "leave `ref` out of a new task", "the plan has no task with the `ref` `%s`%s", form.Short(f.Value.Text), plan.DidYouMean(f.Value.Text, idsOf(now)))
			}
		}
	}
}

func idsOf(p *plan.Plan) []string {
	var ids []string
	for _, t := range p.All() {
		ids = append(ids, t.ID)
	}
	return ids
}

// Files are those of the version, which comes after a plan as it is stored.
func (v Version) Files(stored *plan.Plan) []plan.File {
	if v.list == nil {
		return nil
	}
	files, _ := v.list.Files(stored, stored.ID)
	return files
}

// Dropped tells of tasks that are done and that the version does not keep, a
// line each: what came of them would be lost.
func Dropped(before, after *plan.Plan) []string {
	var out []string
	for _, t := range before.All() {
		if t.Status == plan.Done && after.Task(t.ID) == nil {
			out = append(out, fmt.Sprintf("Task '%s' is done, and the draft leaves it out: keep it, with its `ref`, `%s`.", t.Title(), t.ID))
		}
	}
	return out
}

// settled is what a model is told of a task that is not to be done any more.
type settled struct {
	loop.Brief
	Dependencies []any  `json:"dependencies"`
	Result       string `json:"result,omitempty"`
}

// PlanText is a plan as JSON, a task a line, with what is settled cut short.
func PlanText(p *plan.Plan) string {
	var lines []string
	for _, t := range p.All() {
		full := loop.Full(p, t)
		full.ExecutedBy, full.LeaseUntil = "", ""
		var v any = full
		if t.Settled() {
			v = settled{loop.Fold(t), full.Dependencies, diag.OneLine(full.Result, 300)}
		}
		lines = append(lines, encode(v))
	}
	return "{\"tasks\": [\n" + strings.Join(lines, ",\n") + "\n]}"
}

// Failures tell what failed in a plan.
func Failures(p *plan.Plan) string {
	var out []string
	for _, t := range p.Failed() {
		text := fmt.Sprintf("Task %s, `%s`: %s", t.Number(), t.ID, t.Title())
		if e := t.Doc.Text("error"); e != "" {
			text += "\nError: " + e
		}
		for _, note := range t.Doc.List("notes") {
			text += "\nNote: " + note
		}
		out = append(out, text)
	}
	for _, s := range p.Signals {
		out = append(out, fmt.Sprintf("Open signal `%s` (%s): %s", s.ID, s.Level, s.Message()))
	}
	return strings.Join(out, "\n\n")
}

// encode writes a value of ours as JSON.
func encode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // it is made of text, numbers and lists
	return strings.TrimSpace(b.String())
}

// Reasons is what a model gave as its reasons, fit for the message of a commit.
func Reasons(text string) string {
	const most = 4000
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && plan.CheckText(string(r)) != nil {
			return -1
		}
		return r
	}, strings.ToValidUTF8(strings.TrimSpace(text), "\ufffd"))
	if r := []rune(text); len(r) > most {
		return strings.TrimSpace(string(r[:most])) + "…\n(cut: " + words.Count(len(r)-most, "more character") + ")"
	}
	return text
}
