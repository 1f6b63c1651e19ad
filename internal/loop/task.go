package loop

import (
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Brief is a task by name: what a list shows of one that is folded.
type Brief struct {
	ID     any    `json:"id"`
	Ref    string `json:"ref"`
	Title  string `json:"title"`
	Status string `json:"status"`
}

// Fold is a task by name.
func Fold(t *plan.Task) Brief {
	return Brief{TaskID(t), t.ID, diag.Head(t.Title(), maxNamed), StatusWord(t.Status)}
}

// maxNamed bounds, in characters, the title of a task that is only named.
const maxNamed = 300

// Task is a task in full. The keys up to relevant_file_paths are always there,
// the others where the task has something to say.
type Task struct {
	ID           any      `json:"id"`
	Ref          string   `json:"ref"`
	Title        string   `json:"title"`
	Type         string   `json:"type"`
	Status       string   `json:"status"`
	Dependencies []any    `json:"dependencies"`
	Hints        []string `json:"context_hints"`
	Paths        []string `json:"relevant_file_paths"`
	Creates      []string `json:"creates,omitempty"`
	Description  string   `json:"description,omitempty"`
	Criteria     []string `json:"acceptance_criteria,omitempty"`
	Agent        string   `json:"agent,omitempty"`
	Priority     string   `json:"priority,omitempty"`
	Kind         string   `json:"kind,omitempty"`
	Inputs       []string `json:"inputs,omitempty"`
	Outputs      []string `json:"outputs,omitempty"`
	Result       string   `json:"result,omitempty"`
	Error        string   `json:"error,omitempty"`
	Notes        []string `json:"notes,omitempty"`
	Affected     []string `json:"affected_files,omitempty"`
	ExecutedBy   string   `json:"executed_by,omitempty"`
	LeaseUntil   string   `json:"lease_until,omitempty"`
	// Cut says where the whole task is shown, if not here.
	Cut string `json:"cut,omitempty"`
	// Results are what came out of the tasks that the current one depends on.
	Results []Result `json:"dependency_results,omitempty"`
}

// Result is what came out of a task that another depends on.
type Result struct {
	ID     any    `json:"id"`
	Ref    string `json:"ref"`
	Result string `json:"result"`
}

// Full is a task with all that is planned and known of it.
func Full(p *plan.Plan, t *plan.Task) Task {
	d := t.Doc
	out := Task{
		ID: TaskID(t), Ref: t.ID, Title: t.Title(), Type: d.Text("type"), Status: StatusWord(t.Status),
		Dependencies: dependencies(p, t), Hints: filled(d.List("context_hints")), Paths: filled(d.List("relevant_file_paths")),
		Creates: d.List("creates"), Criteria: d.List("acceptance_criteria"), Agent: d.Text("agent"), Priority: d.Text("priority"), Kind: t.Kind,
		Inputs: d.List("inputs"), Outputs: d.List("outputs"), Result: d.Text("result"), Error: d.Text("error"), Notes: d.List("notes"),
		Affected: d.List("affected_files"), ExecutedBy: d.Text("executed_by"), LeaseUntil: d.Text("lease_until"),
	}
	if body := d.Prose(); body != out.Title {
		out.Description = body
	}
	return out
}

// filled makes a list that is there even if it is empty.
func filled(items []string) []string {
	if items == nil {
		return []string{}
	}
	return items
}

// dependencies names the tasks that t depends on as the loop does; one that is
// not there keeps its name.
func dependencies(p *plan.Plan, t *plan.Task) []any {
	out := []any{}
	for _, ref := range t.Doc.List("depends_on") {
		if to := p.Task(ref); to != nil {
			out = append(out, TaskID(to))
		} else {
			out = append(out, ref)
		}
	}
	return out
}

// maxResult bounds, in characters, what the current task says of each that it
// depends on.
const maxResult = 300

// results gives what came out of the tasks that t or an ancestor depends on.
func results(p *plan.Plan, t *plan.Task) []Result {
	var out []Result
	for a := t; a != nil; a = a.Parent {
		for _, e := range p.Graph().From(a) {
			if result := e.To.Doc.Text("result"); result != "" {
				out = append(out, Result{TaskID(e.To), e.To.ID, diag.OneLine(result, maxResult)})
			}
		}
	}
	return out
}
