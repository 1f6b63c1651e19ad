package main

import (
	"reflect"

	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/diff"
	"github.com/git-plan/git-plan/internal/events"
	"github.com/git-plan/git-plan/internal/form/planspec"
	"github.com/git-plan/git-plan/internal/form/rawko"
	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/loop"
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
	row := func(name, title string, v any, commands ...string) documentSchema {
		return documentSchema{name, title, commands, m.Of(name, v)}
	}
	rows := []documentSchema{
		row("error", "The answer of any command that failed", failure{}),
		row("done", "The answer of a command that has nothing more to tell", statusOnly{},
			"use", "set-topic", "clear-current", "remove-thread", "textconv", "merge-driver"),
		row("check", "What a check found", report.Document{}, "check", "ci run"),
		row("commit", "What was committed", commitDocument{}, "commit"),
		row("import", "What was imported", importDocument{}, "import"),
		row("export", "Which files were written", exportDocument{}, "export", "convert"),
		row("change", "What was done to plans", changeDocument{}, "archive", "restore", "abandon", "rm"),
		row("propose", "What became of a proposal", proposeDocument{}, "propose"),
		row("replan", "The next version of a plan", replanDocument{}, "replan"),
		row("apply", "What became of the commands of a model", applyDocument{}, "apply"),
		row("sync", "What became of both sides", syncDocument{}, "sync"),
		row("fmt", "Files that were formatted", fmtDocument{}, "fmt"),
		row("fmt-renumber", "Files that were renamed", renumberDocument{}, "fmt"),
		row("list", "The plans of the store", listDocument{}, "list"),
		row("board", "Tasks by how they stand", render.Board{}, "board"),
		{"show", "A plan; also the form json of import and export", []string{"show", "export", "convert"}, planNode("#")},
		{"show-task", "A task with those below it", []string{"show"}, within(taskTreeAt("#/$defs/task"), "task")},
		{"log", "Revisions, newest first", []string{"log"}, schema.Object(property("revisions", schema.List(m.Of("log", revisionDocument{}))))},
		row("diff", "How plans differ", diff.Result{}, "diff"),
		row("graph", "What waits for what", graph.Document{}, "graph"),
		{"grep", "Lines that match", []string{"grep"}, schema.Object(property("matches", schema.List(m.Of("grep", match{}))))},
		row("verify", "Who signed the commits", verifyDocument{}, "verify"),
		row("events", "One line of events", events.Event{}, "events"),
		row("web", "Where the plans are shown", webDocument{}, "web"),
		row("report", "What was written to a folder", reportDocument{}, "report"),
		row("start", "The session that began", startDocument{}, "start"),
		row("status", "What an agent is to do now", statusDocument{}, "status"),
		row("update", "What became of a payload", updateDocument{}, "update"),
		{"update-payload", "What is handed to update", nil, payloadSchema()},
		row("next", "The task to work on", nextDocument{}, "next"),
		row("task", "A task that was claimed or moved", taskDocument{}, "next", "task"),
		{"prime", "What an agent must know", []string{"prime"}, schema.Object(property("status", schema.Text()), property("prime", schema.Text()))},
		row("alert", "A signal that was opened or cleared", alertDocument{}, "alert"),
		{"alert-list", "The open signals", []string{"alert"}, schema.Object(property("signals",
			schema.List(alertSchema().With(property("plan", schema.Text())))))},
		row("context", "Where plans are written", contextDocument{}, "context"),
		row("thread", "The folder of a thread", threadDocument{}, "dir", "request-thread-dir", "new", "edit", "checkout"),
		row("suggest", "Work that the project asks for", suggestDocument{}, "suggest"),
		row("judge", "The verdict of a model on a plan", judgeDocument{}, "judge"),
		row("brief", "What an orchestrating model is told", briefDocument{}, "brief"),
		row("brief-execution", "What a model is told that carries out a step", executionBrief{}, "brief"),
		row("brief-reflection", "What a model is told that reflects on a step", reflectionBrief{}, "brief"),
		row("brief-replan", "What a model is told that changes a plan", replanBrief{}, "brief"),
		row("prompt", "A prompt, or without a name their list", promptAnswer{}, "prompt"),
		{"guide", "The planning guide", []string{"guide"}, schema.Object(property("status", schema.Text()), property("guide", schema.Text()))},
		row("init", "The store as it is now", initDocument{}, "init"),
		row("setup", "Files of a coding agent", setupDocument{}, "setup"),
		row("hooks", "The hooks", hooksDocument{}, "hooks"),
		row("doctor", "What was looked at", doctorDocument{}, "doctor"),
		{"explain", "The rules", []string{"explain"}, schema.Object(property("rules", schema.List(m.Of("explain", ruleDocument{}))))},
		row("explain-rule", "A rule", ruleDocument{}, "explain"),
		row("version", "The program's version", struct {
			Version  string `json:"version"`
			Revision string `json:"revision"`
		}{}, "version"),
		row("schema", "The names of the schemas", schemaList{}, "schema"),
		row("rawko", "The form rawko as JSON", rawko.Plan{}, "export", "convert"),
		{"planspec-json", "The form planspec-json", []string{"export", "convert"}, specSchema()},
		{"hopspec", "The form hopspec", []string{"export", "convert"}, hopSchema()},
		{"planloop", "The form planloop", []string{"export", "convert"}, schema.Object(property("tasks", schema.List(m.Of("planloop", loop.Task{}))))},
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

// documentMaker knows the words of types, and the shape of properties that no type
// gives.
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
		Instead: shapes(),
	}
}

func eventWords() []string {
	return stringsOf(plan.Created, plan.Revised, plan.Replanned, plan.Started, plan.Completed, plan.TaskFailed, plan.TaskSkipped, plan.TaskBlocked,
		plan.Released, plan.Reopened, plan.TaskCancelled, plan.SignalOpened, plan.SignalCleared, plan.CheckPassed, plan.Archived, plan.Restored,
		plan.GivenUp, plan.Merged, plan.Removed)
}

func stringsOf[T ~string](words ...T) []string {
	return namesOf(words, func(w T) string { return string(w) })
}

// namesOf gives what each of a list is called, or becomes.
func namesOf[T, N any](all []T, name func(T) N) []N {
	var out []N
	for _, one := range all {
		out = append(out, name(one))
	}
	return out
}

// shapes are those of properties that no type gives.
func shapes() map[string]func() *schema.Node {
	number := func() *schema.Node { return &schema.Node{Type: []string{"integer", "string"}} }
	return map[string]func() *schema.Node{
		"error.error_type": func() *schema.Node { return schema.Word(errorTypes()...) },
		"error.status":     func() *schema.Node { return schema.Word("error") },
		"done.status":      func() *schema.Node { return schema.Word("success", "unchanged") },
		"check.status":     func() *schema.Node { return schema.Word("ok", "error") },
		"commit.status":    func() *schema.Node { return schema.Word("committed", "unchanged") },
		"import.status":    func() *schema.Node { return schema.Word("committed", "unchanged") },
		"next.status":      func() *schema.Node { return schema.Word("success", "none") },
		"task.status":      func() *schema.Node { return schema.Word("success", "unchanged", "none") },
		"thread.status":    func() *schema.Node { return schema.Word("success") },
		"start.status":     func() *schema.Node { return schema.Word("session_created") },
		"sync.status": func() *schema.Node {
			return schema.Word("up-to-date", "pushed", "pulled", "merged", "conflict", "rejected")
		},
		"log.event":    func() *schema.Node { return schema.Word(append(eventWords(), "")...) }, // of a commit that changed no plan
		"next.task":    func() *schema.Node { return schema.OrNull(taskFields()) },
		"task.task":    func() *schema.Node { return schema.OrNull(taskFields()) },
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
	return namesOf(plan.Statuses(), loop.StatusWord)
}

// property makes a property with a description from the glossary.
func property(name string, node *schema.Node) schema.Property {
	return schema.Property{Name: name, Node: node.About(schema.Meaning("", name))}
}

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

// taskTreeAt is a task with those below it, at its place in a document.
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
		fields := schema.Task().Properties
		n.Maybe(property("dependencies", schema.List(id)), property("description", schema.Text()))
		for _, name := range []string{"title", "type", "context_hints", "relevant_file_paths", "creates", "acceptance_criteria", "agent", "priority", "kind"} {
			n.Maybe(schema.Property{Name: name, Node: fields.Get(name)})
		}
		n.Others = false
		return n
	}
	update := defined(schema.Object(property("id", id)))
	update.Maybe(property("status", schema.Word(loopStatuses()...)), property("result", schema.Text()), property("error", schema.Text()),
		property("notes", schema.List(schema.Text())), property("affected_files", schema.List(schema.Text())))
	n := &schema.Node{Type: "object", Others: false}
	return n.Maybe(property("add_tasks", schema.List(defined(schema.Object()))), property("update_tasks", schema.List(update)),
		property("final_summary", schema.Text()), schema.Property{Name: "commit", Node: schema.Text().About("the revision that the payload is about, as `session.commit` told it")},
		schema.Property{Name: "request", Node: schema.Text().About("an id of the caller's for the change; a payload that is repeated with it changes nothing")})
}

// errorTypes are the types that an error may have.
func errorTypes() []string {
	return []string{"usage", "not_a_repository", "not_found", "ambiguous_plan", "plan_validation_failed", "invalid_payload", "invalid_transition",
		"limit_exceeded", "conflict", "locked", "read_only", "model_failed", "unsupported", "rejected", "io"}
}

// specSchema is a PlanSpec as JSON.
func specSchema() *schema.Node {
	steps := func() *schema.Node { return schema.List(schema.Ref("step")) }
	statuses := namesOf(planspec.Statuses(), func(s planspec.Status) string { return s.Word })
	m := schema.Maker{Instead: map[string]func() *schema.Node{
		"planspec.steps": steps, "planspec.children": steps, "planspec.status": func() *schema.Node { return schema.Word(statuses...) },
	}}
	n := m.Of("planspec", planspec.Document{})
	n.Defs = schema.Properties{{Name: "step", Node: m.Of("planspec", planspec.Step{})}}
	return n
}

// hopSchema is a HopSpec: a list of steps.
func hopSchema() *schema.Node {
	property := func(key string, n *schema.Node) schema.Property {
		return schema.Property{Name: key, Node: n.About(schema.Meaning("planspec", key))}
	}
	step := schema.Object(property("step_name", schema.Text()), property("step_type", schema.Word(planspec.HopTypes()...)))
	for _, key := range []string{"task", "description", "condition", "collection", "element", "verifier", "call_target", "return_format", "expand_mode"} {
		step.Maybe(property(key, schema.Text()))
	}
	for _, key := range []string{"inputs", "outputs"} {
		step.Maybe(property(key, schema.List(schema.Text())))
	}
	step.Maybe(property("children", schema.List(schema.Ref("step"))))
	n := schema.List(schema.Ref("step"))
	n.Defs = schema.Properties{{Name: "step", Node: step}}
	return n
}
