package planloop

import (
	"strconv"
	"strings"

	"github.com/git-plan/git-plan/internal/form"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Parse reads a list strictly. All findings are errors, with their places in
// the file; where there is one the plan is nil.
func Parse(name string, data []byte) (*Plan, []diag.Diagnostic) {
	fields, found := form.ReadJSON(bounds(), name, data)
	r := &reader{Decoder: form.Decoder{Path: name, Found: found}, plan: &Plan{}, byNumber: map[string]*task{}, byRef: map[string]*task{}}
	if len(found) == 0 {
		r.Object("the list", diag.Pos{Line: 1, Column: 1}, fields, []form.Key{{Name: "tasks", Required: true, Take: r.tasks}})
		r.references()
		r.Found = append(r.Found, r.plan.check(name)...)
	}
	if found := r.Refused(); len(found) > 0 {
		return nil, found
	}
	return r.plan, nil
}

type reader struct {
	form.Decoder
	plan            *Plan
	byNumber, byRef map[string]*task
}

func (r *reader) tasks(n plan.Node) {
	if n.Kind != plan.List {
		r.Wrong("tasks", n, "a list")
		return
	}
	if len(n.Items) > plan.MaxFiles {
		r.Add(n.Items[plan.MaxFiles].Pos, plan.RuleLimits, "make several plans of it", "a plan holds less than %d tasks, not %d", plan.MaxFiles, len(n.Items))
		return
	}
	for _, it := range n.Items {
		if it.Kind != plan.Map {
			r.Wrong("a task", it, "an object")
			continue
		}
		r.task(it)
	}
	for _, t := range r.plan.tasks {
		if up := form.Above(t.Number); up != "" && r.byNumber[up] == nil {
			r.Add(t.Places["number"], plan.RuleContainer, "add task "+up+", or give this one another number", "task %s is below %s, which is not there", t.Number, up)
		}
	}
}

// task takes one task.
func (r *reader) task(n plan.Node) {
	t := &task{Item: form.Item{Pos: n.Pos, Places: map[string]diag.Pos{}, Silent: true}}
	var title string
	taken := []form.Key{
		{Name: "id", Required: true, Take: func(n plan.Node) { r.number(t, n) }},
		r.Line("title", &title).Then(func(n plan.Node) {
			if title != "" && strings.TrimSpace(n.Text) != "" && !strings.ContainsAny(n.Text, "\n\r") {
				t.keep("title", n) // what is wrong with another was told
			}
		}).Must(),
		r.Text("description", new(string)).Then(func(n plan.Node) {
			text := strings.Trim(strings.ReplaceAll(n.Text, "\r\n", "\n"), "\n")
			t.Text, t.Places["body"] = &text, n.Pos
		}),
	}
	for _, k := range keys() {
		switch k.name {
		case "title":
		case "ref":
			taken = append(taken, r.Line("ref", &t.ID).Then(func(n plan.Node) { t.Places["id"] = n.Pos }))
		case "status":
			taken = append(taken, form.Key{Name: "status", Take: func(n plan.Node) { r.status(t, n) }})
		case "dependencies":
			taken = append(taken, form.Key{Name: k.name, Take: func(n plan.Node) { r.dependencies(t, n) }})
		default:
			taken = append(taken, form.Key{Name: k.name, Take: func(n plan.Node) { t.keep(k.field, n) }})
		}
	}
	r.Object("the task", n.Pos, n.Fields, taken)
	if t.Title() == "" { // told
		t.Text = &[]string{"task"}[0]
	}
	r.plan.tasks = append(r.plan.tasks, t)
	if t.ID != "" && r.byRef[t.ID] == nil {
		r.byRef[t.ID] = t
	} else if t.ID != "" {
		r.Add(t.Places["id"], "id-duplicate", "give it another `ref`", "two tasks have the `ref` `%s`", form.Short(t.ID))
	}
}

// keep takes a value over for a field of ours.
func (t *task) keep(field string, n plan.Node) {
	t.Fields = append(t.Fields, plan.Field{Key: field, KeyPos: n.Pos, Value: something(n)})
	t.Places[field] = n.Pos
}

// number takes the id of a task, which is its number.
func (r *reader) number(t *task, n plan.Node) {
	t.Places["number"] = n.Pos
	switch {
	case n.Kind != plan.Int && n.Kind != plan.String || !isNumber(n.Text):
		r.Add(n.Pos, "sort-index", `number tasks from 1 to 99, and those below another as text such as "3.1"`, "`id` must be a task's number, not `%s`", form.Short(n.Text))
	case strings.Count(n.Text, ".") >= plan.MaxDepth:
		r.Add(n.Pos, plan.RuleLimits, "move it up", "tasks nest deeper than %d levels", plan.MaxDepth)
	case r.byNumber[n.Text] != nil:
		r.Add(n.Pos, "sort-index", "give it another number", "two tasks have the `id` %s", n.Text)
	default:
		t.Number, r.byNumber[n.Text] = n.Text, t
	}
}

// isNumber reports whether s is the number of a task, such as 3 or 3.1.
func isNumber(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		v, err := strconv.Atoi(part)
		if err != nil || v < 1 || v > plan.MaxSiblings || strconv.Itoa(v) != part {
			return false
		}
	}
	return true
}

func (r *reader) status(t *task, n plan.Node) {
	var all []string
	for _, s := range plan.Statuses() {
		if n.Kind == plan.String && n.Text == loop.StatusWord(s) {
			n.Text = string(s)
			t.keep("status", n)
			return
		}
		all = append(all, loop.StatusWord(s))
	}
	r.Word("status", new(string), all).Take(n)
}

func (r *reader) dependencies(t *task, n plan.Node) {
	if n.Kind != plan.List {
		r.Wrong("dependencies", n, "a list")
		return
	}
	t.depends, t.Silent, t.Places["depends_on"] = n.Items, false, n.Pos
}

// references finds the tasks that others depend on: by number, or by ref, which
// wins.
func (r *reader) references() {
	for _, t := range r.plan.tasks {
		for _, it := range t.depends {
			to := r.byNumber[it.Text]
			if other := r.byRef[it.Text]; it.Kind == plan.String && other != nil {
				to = other
			}
			switch {
			case it.Kind != plan.String && it.Kind != plan.Int:
				r.Wrong("an item of dependencies", it, "the number or `ref` of a task")
			case to == nil:
				r.Add(it.Pos, "depends-unknown", "name a task of the list by its `id` or its `ref`", "dependencies names no task %s", form.Short(it.Text))
			case to == t:
				r.Add(it.Pos, "depends-cycle", "leave it out", "task %s depends on itself", t.Number)
			default:
				t.needs = append(t.needs, to)
			}
		}
	}
}
