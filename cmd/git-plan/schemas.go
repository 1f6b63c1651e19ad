package main

import (
	"reflect"

	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/diff"
	"github.com/git-plan/git-plan/internal/events"
	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/rawko"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/report"
	"github.com/git-plan/git-plan/internal/schema"
	"github.com/git-plan/git-plan/internal/setup"
	"github.com/git-plan/git-plan/internal/workflow"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// documentSchema is the schema of a JSON document.
type documentSchema struct {
	name, title string
	// commands are those that print it, as in "task done"; "task" stands for all
	// that are below it. A document that no command prints is one that is read.
	commands []string
	schema   *schema.Node
}

// documents is the table of the JSON documents: most are what encoding/json
// makes of the very types that the commands print. What a command prints that
// failed is the document "error".
func documents() []documentSchema {
	m := documentMaker()
	rows := []documentSchema{
		{"error", "The answer of any command that failed", nil, m.Of("error", failure{})},
		{"done", "The answer of a command that has nothing more to tell", []string{"use", "set-topic", "clear-current", "remove-thread", "textconv", "merge-driver"}, m.Of("done", statusOnly{})},
		{"check", "What a check found", []string{"check", "ci run"}, m.Of("check", report.Document{})},
		{"commit", "What was committed", []string{"commit"}, m.Of("commit", commitDocument{})},
		{"import", "What was imported", []string{"import"}, m.Of("import", importDocument{})},
		{"export", "Which files were written", []string{"export", "convert"}, m.Of("export", exportDocument{})},
		{"change", "What was done to plans", []string{"archive", "restore", "abandon"}, m.Of("change", changeDocument{})},
		{"propose", "What became of a proposal", []string{"propose"}, m.Of("propose", proposeDocument{})},
		{"replan", "The next version of a plan", []string{"replan"}, m.Of("replan", replanDocument{})},
		{"list", "The plans of the store", []string{"list"}, m.Of("list", struct {
			Plans []render.Summary `json:"plans"`
		}{})},
		{"board", "Tasks by how they stand", []string{"board"}, m.Of("board", render.Board{})},
		{"show", "A plan; also the form json of import and export", []string{"show", "export", "convert"}, planSchema()},
		{"show-task", "A task with those below it", []string{"show"}, within(taskTree(), "task")},
		{"log", "Revisions, newest first", []string{"log"}, m.Of("log", struct {
			Revisions []revisionDocument `json:"revisions"`
		}{})},
		{"diff", "How plans differ", []string{"diff"}, m.Of("diff", diff.Document{})},
		{"graph", "What waits for what", []string{"graph"}, m.Of("graph", graph.Document{})},
		{"grep", "Lines that match", []string{"grep"}, m.Of("grep", struct {
			Matches []match `json:"matches"`
		}{})},
		{"explain", "The rules", []string{"explain"}, m.Of("explain", struct {
			Rules []ruleDocument `json:"rules"`
		}{})},
		{"explain-rule", "A rule", []string{"explain"}, m.Of("explain-rule", ruleDocument{})},
		{"next", "The task to work on, or a task that was moved", []string{"next", "task"}, m.Of("next", taskDocument{})},
		{"web", "Where the plans are shown", []string{"web"}, m.Of("web", webDocument{})},
		{"report", "What was written to a folder", []string{"report"}, m.Of("report", reportDocument{})},
		{"events", "One line of events", []string{"events"}, m.Of("events", events.Event{})},
		{"brief", "What an orchestrating model is told", []string{"brief"}, m.Of("brief", briefDocument{})},
		{"brief-execution", "What a model is told that carries out a step", []string{"brief"}, m.Of("brief-execution", executionBrief{})},
		{"brief-reflection", "What a model is told that reflects on a step", []string{"brief"}, m.Of("brief-reflection", reflectionBrief{})},
		{"brief-replan", "What a model is told that changes a plan", []string{"brief"}, m.Of("brief-replan", replanBrief{})},
		{"start", "The session that began", []string{"start"}, m.Of("start", startDocument{})},
		{"status", "What an agent is to do now", []string{"status"}, m.Of("status", loop.Document{})},
		{"update", "What became of a payload", []string{"update"}, m.Of("update", updateDocument{})},
		{"update-payload", "What is handed to update", nil, payloadSchema()},
		{"alert", "A signal that was opened or cleared", []string{"alert"}, m.Of("alert", alertDocument{})},
		{"alert-list", "The open signals", []string{"alert"}, schema.Object(property("signals",
			schema.List(alertSchema().With(property("plan", schema.Text())))))},
		{"suggest", "Work that the project asks for", []string{"suggest"}, m.Of("suggest", suggestDocument{})},
		{"judge", "The verdict of a model on a plan", []string{"judge"}, m.Of("judge", judgeDocument{})},
		{"context", "Where plans are written", []string{"context"}, m.Of("context", contextDocument{}).Maybe(
			schema.Property{Name: "prompt", Node: schema.Text().About("what to tell an overseeing model; with --prompt")})},
		{"thread", "The folder of a thread", []string{"dir", "request-thread-dir", "checkout"}, m.Of("thread", threadDocument{}).Maybe(
			schema.Property{Name: "status", Node: schema.Word("success").About("only of checkout")})},
		{"apply", "What became of the commands of a model", []string{"apply"}, m.Of("apply", applyDocument{})},
		{"prompt", "A prompt, or without a name their list", []string{"prompt"}, m.Of("prompt", promptAnswer{})},
		{"sync", "What became of both sides", []string{"sync"}, m.Of("sync", syncDocument{})},
		{"fmt", "Files that were formatted", []string{"fmt"}, m.Of("fmt", fmtDocument{})},
		{"fmt-renumber", "Files that were renamed", []string{"fmt"}, m.Of("fmt-renumber", renumberDocument{})},
		{"init", "The store as it is now", []string{"init"}, m.Of("init", initDocument{})},
		{"setup", "Files of a coding agent", []string{"setup"}, m.Of("setup", setupDocument{})},
		{"hooks", "The hooks", []string{"hooks"}, m.Of("hooks", hooksDocument{})},
		{"doctor", "What was looked at", []string{"doctor"}, m.Of("doctor", doctorDocument{})},
		{"guide", "The planning guide", []string{"guide"}, m.Of("guide", struct {
			Status string `json:"status"`
			Guide  string `json:"guide"`
		}{})},
		{"prime", "What an agent must know", []string{"prime"}, m.Of("prime", struct {
			Status string `json:"status"`
			Prime  string `json:"prime"`
		}{})},
		{"verify", "Who signed the commits", []string{"verify"}, m.Of("verify", verifyDocument{})},
		{"version", "The program's version", []string{"version"}, m.Of("version", struct {
			Version  string `json:"version"`
			Revision string `json:"revision"`
		}{})},
		{"schema", "The names of the schemas", []string{"schema"}, m.Of("schema", schemaList{})},
		{"rawko", "The form rawko as JSON", []string{"export", "convert"}, m.Of("rawko", rawko.Plan{})},
		{"planspec-json", "The form planspec-json", []string{"export", "convert"}, specSchema()},
		{"hopspec", "The form hopspec", []string{"export", "convert"}, hopSchema()},
		{"planloop", "The form planloop", []string{"export", "convert"}, m.Of("planloop", struct {
			Tasks []loop.Task `json:"tasks"`
		}{})},
	}
	for i := range rows {
		rows[i].schema.Schema, rows[i].schema.Title = schema.Draft, rows[i].title
	}
	return append(rows, []documentSchema{
		{"plan-frontmatter", schema.Plan().Title, nil, schema.Plan()},
		{"task-frontmatter", schema.Task().Title, nil, schema.Task()},
		{"signal-frontmatter", schema.Signal().Title, nil, schema.Signal()},
		{"gates.yaml", schema.Gates().Title, nil, schema.Gates()},
	}...)
}

// statusOnly is the answer of a command that has no document of its own.
type statusOnly struct {
	Status string `json:"status"`
}

// documentMaker knows the words of types, what properties mean, and the shape
// of those whose type does not tell.
func documentMaker() schema.Maker {
	return schema.Maker{
		Words: schema.Words{
			reflect.TypeFor[plan.Status]():     stringsOf(plan.Statuses()...),
			reflect.TypeFor[plan.PlanStatus](): stringsOf(plan.PlanStatuses()...),
			reflect.TypeFor[plan.Event]():      eventWords(),
			reflect.TypeFor[diag.Severity]():   {"warning", "error"},
			reflect.TypeFor[loop.Reason](): stringsOf(loop.SyncInstructions, loop.WaitingOnSignal, loop.ReadyForTask, loop.ReplanRequired, loop.WaitingOnTasks,
				loop.PlanCompleted),
			reflect.TypeFor[diff.Change]():    stringsOf(diff.Added, diff.Removed, diff.Changed, diff.Moved, diff.Archived, diff.Restored),
			reflect.TypeFor[hooks.Event]():    stringsOf(hooks.Events()...),
			reflect.TypeFor[workflow.Forge](): stringsOf(workflow.GitHub, workflow.GitLab),
			reflect.TypeFor[workflow.State](): stringsOf(workflow.Added, workflow.Updated, workflow.Unchanged, workflow.Edited),
			reflect.TypeFor[setup.Action](): stringsOf(setup.Created, setup.Changed, setup.Removed, setup.Unchanged,
				setup.Left),
		},
		Glossary: glossary(),
		Instead:  shapes(),
	}
}

func eventWords() []string {
	return stringsOf(plan.Created, plan.Revised, plan.Replanned, plan.Started, plan.Completed, plan.TaskFailed, plan.TaskSkipped, plan.TaskBlocked,
		plan.Released, plan.Reopened, plan.TaskCancelled, plan.SignalOpened, plan.SignalCleared, plan.CheckPassed, plan.Archived, plan.Restored,
		plan.GivenUp, plan.Merged, plan.Removed)
}

func stringsOf[T ~string](words ...T) []string {
	var out []string
	for _, w := range words {
		out = append(out, string(w))
	}
	return out
}

// shapes are those of properties that hold what no type tells.
func shapes() map[string]func() *schema.Node {
	number := func() *schema.Node { return &schema.Node{Type: []string{"integer", "string"}} }
	return map[string]func() *schema.Node{
		"error.error_type": func() *schema.Node { return schema.Word(errorTypes()...) },
		"error.status":     func() *schema.Node { return schema.Word("error") },
		"done.status":      func() *schema.Node { return schema.Word("success", "unchanged") },
		"check.status":     func() *schema.Node { return schema.Word("ok", "error") },
		"commit.status":    func() *schema.Node { return schema.Word("committed", "unchanged") },
		"import.status":    func() *schema.Node { return schema.Word("committed", "unchanged") },
		"next.status":      func() *schema.Node { return schema.Word("success", "unchanged", "none") },
		"start.status":     func() *schema.Node { return schema.Word("session_created") },
		"sync.status": func() *schema.Node {
			return schema.Word("up-to-date", "pushed", "pulled", "merged", "conflict", "rejected")
		},
		"log.event":    func() *schema.Node { return schema.Word(append(eventWords(), "")...) }, // of a commit that changed no plan
		"next.task":    func() *schema.Node { return schema.OrNull(taskFields()) },
		"alert.signal": func() *schema.Node { return schema.OrNull(alertSchema()) },
		"events.document": func() *schema.Node {
			return schema.AnyOf(planNode("#/properties/document/anyOf/0"), &schema.Node{Type: "null"})
		},
		"events.type": func() *schema.Node {
			return schema.Word(events.PlanCreated, events.PlanReplanned, events.PlanCompleted, events.StepStarted, events.StepCompleted, events.StepFailed,
				events.StepSkipped, events.SignalOpened, events.SignalCleared)
		},
		"planloop.id": number, "update.id": number, "signal.task_id": func() *schema.Node {
			return &schema.Node{Type: []string{"integer", "string", "null"}}
		},
		"planloop.dependencies": func() *schema.Node { return schema.List(number()) },
		"planloop.status":       func() *schema.Node { return schema.Word(loopStatuses()...) },
		"diff.old":              schema.Anything, "diff.new": schema.Anything,
		"status.tasks": func() *schema.Node {
			return schema.List(schema.AnyOf(documentMaker().Of("planloop", loop.Task{}), documentMaker().Of("update", loop.Brief{})))
		},
		"status.current_task": func() *schema.Node { return documentMaker().Of("planloop", loop.Task{}) },
		"status.failed_tasks": func() *schema.Node { return schema.List(documentMaker().Of("planloop", loop.Task{})) },
		"status.session":      func() *schema.Node { return documentMaker().Of("session", loop.Session{}) },
		"status.signal":       func() *schema.Node { return documentMaker().Of("signal", loop.Signal{}) },
	}
}

// loopStatuses are the statuses in the words of the agent's loop.
func loopStatuses() []string {
	var out []string
	for _, s := range plan.Statuses() {
		out = append(out, loop.StatusWord(s))
	}
	return out
}

// property makes a property with a description from the glossary.
func property(name string, node *schema.Node) schema.Property {
	return schema.Property{Name: name, Node: node.About(glossary()[name])}
}

// planSchema is the document of `show`.
func planSchema() *schema.Node { return planNode("#") }

// planNode is the document of `show` as a part of another, in which at is its
// place.
func planNode(at string) *schema.Node {
	m := documentMaker()
	n := schema.Object(property("id", schema.Text()), property("title", schema.Text()), property("goal", schema.Text()),
		property("status", m.Of("show", plan.PlanStatus(""))), property("version", schema.Number()), property("converged", schema.Flag()),
		property("progress", m.Of("show", plan.Progress{})), property("body", schema.Text()),
		property("tasks", schema.List(&schema.Node{Ref: at + "/$defs/task"})), property("signals", schema.List(signalSchema())), property("commit", schema.Text()))
	schema.Fields(n, plan.PlanFields(), "title", "goal", "version")
	n.Defs = schema.Properties{{Name: "task", Node: taskTreeAt(at + "/$defs/task")}}
	return n
}

// taskTree is a task with those below it.
func taskTree() *schema.Node { return taskTreeAt("#/$defs/task") }

func taskTreeAt(at string) *schema.Node {
	return taskFields().With(property("children", schema.List(&schema.Node{Ref: at})))
}

// within makes a document of a schema that refers to itself by a name.
func within(n *schema.Node, name string) *schema.Node {
	return &schema.Node{Ref: "#/$defs/" + name, Defs: schema.Properties{{Name: name, Node: n}}}
}

// taskFields is a task without those below it.
func taskFields() *schema.Node {
	n := schema.Object(property("id", schema.Text()), property("number", schema.Text()), property("path", schema.Text()), property("title", schema.Text()),
		property("status", schema.Word(stringsOf(plan.Statuses()...)...)), property("body", schema.Text()))
	return schema.Fields(n, plan.TaskFields(), "id", "title", "status")
}

func signalSchema() *schema.Node {
	n := schema.Object(property("id", schema.Text()), property("message", schema.Text()))
	return schema.Fields(n, plan.SignalFields())
}

// alertSchema is a signal as the agent's loop has it.
func alertSchema() *schema.Node {
	n := schema.Object(property("id", schema.Text()), property("task_id", &schema.Node{Type: []string{"integer", "string", "null"}}),
		property("ref", &schema.Node{Type: []string{"string", "null"}}), property("level", schema.Text()), property("message", schema.Text()),
		property("opened_at", schema.Text()))
	return schema.Fields(n, plan.SignalFields(), "level", "task", "opened_at")
}

// payloadSchema is what `update` takes.
func payloadSchema() *schema.Node {
	id := &schema.Node{Type: []string{"integer", "string"}}
	defined := func(n *schema.Node) *schema.Node {
		fields := map[string]*schema.Node{}
		for _, p := range schema.Task().Properties {
			fields[p.Name] = p.Node
		}
		n.Maybe(property("dependencies", schema.List(id)), property("description", schema.Text()))
		for _, name := range []string{"title", "type", "context_hints", "relevant_file_paths", "creates", "acceptance_criteria", "agent", "priority", "kind"} {
			n.Maybe(schema.Property{Name: name, Node: fields[name]})
		}
		n.Others = false
		return n
	}
	update := defined(schema.Object(property("id", id)))
	update.Maybe(property("status", schema.Word(loopStatuses()...)), property("result", schema.Text()), property("error", schema.Text()),
		property("notes", schema.List(schema.Text())), property("affected_files", schema.List(schema.Text())))
	n := &schema.Node{Type: "object", Others: false}
	return n.Maybe(property("add_tasks", schema.List(defined(schema.Object()))), property("update_tasks", schema.List(update)),
		property("final_summary", schema.Text()), schema.Property{Name: "commit", Node: schema.Text().About("the revision that the payload is about, as `session.commit` told it")})
}

// errorTypes are the types that an error may have.
func errorTypes() []string {
	return []string{"usage", "not_a_repository", "not_found", "ambiguous_plan", "plan_validation_failed", "invalid_payload", "invalid_transition",
		"limit_exceeded", "conflict", "locked", "read_only", "model_failed", "unsupported", "rejected", "io"}
}
