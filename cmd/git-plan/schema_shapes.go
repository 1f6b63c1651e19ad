package main

import (
	"reflect"

	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/diff"
	"github.com/git-plan/git-plan/internal/events"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/schema"
	"github.com/git-plan/git-plan/internal/setup"
	"github.com/git-plan/git-plan/internal/workflow"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// documentMaker knows the words of types, the meaning of properties, and the shape
// of those that no type gives.
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
	return namesOf(plan.Statuses(), loop.StatusWord)
}

// property makes a property with a description from the glossary.
func property(name string, node *schema.Node) schema.Property {
	return schema.Property{Name: name, Node: node.About(glossary().About("", name))}
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
