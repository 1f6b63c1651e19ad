package main

import (
	"slices"

	"github.com/git-plan/git-plan/internal/diff"
	"github.com/git-plan/git-plan/internal/events"
	"github.com/git-plan/git-plan/internal/form/rawko"
	"github.com/git-plan/git-plan/internal/graph"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/render"
	"github.com/git-plan/git-plan/internal/report"
	"github.com/git-plan/git-plan/internal/schema"
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
	table := documentTable{documentMaker()}
	rows := slices.Concat(table.ofChanges(), table.ofReading(), table.ofWork(), table.ofBriefs(), table.ofUpkeep(), table.ofForms())
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

// documentTable makes the rows of the table.
type documentTable struct{ schema.Maker }

// row is that of a document which is printed from a value of v's type.
func (t documentTable) row(name, title string, v any, commands ...string) documentSchema {
	return documentSchema{name, title, commands, t.Of(name, v)}
}

// ofChanges are what commands answer that change plans, and those that have
// little to tell.
func (t documentTable) ofChanges() []documentSchema {
	return []documentSchema{
		t.row("error", "The answer of any command that failed", failure{}),
		t.row("done", "The answer of a command that has nothing more to tell", statusOnly{},
			"use", "set-topic", "clear-current", "remove-thread", "textconv", "merge-driver"),
		t.row("check", "What a check found", report.Document{}, "check", "ci run"),
		t.row("commit", "What was committed", commitDocument{}, "commit"),
		t.row("import", "What was imported", importDocument{}, "import"),
		t.row("export", "Which files were written", exportDocument{}, "export", "convert"),
		t.row("change", "What was done to plans", changeDocument{}, "archive", "restore", "abandon", "rm"),
		t.row("propose", "What became of a proposal", proposeDocument{}, "propose"),
		t.row("replan", "The next version of a plan", replanDocument{}, "replan"),
		t.row("apply", "What became of the commands of a model", applyDocument{}, "apply"),
		t.row("sync", "What became of both sides", syncDocument{}, "sync"),
		t.row("fmt", "Files that were formatted", fmtDocument{}, "fmt"),
		t.row("fmt-renumber", "Files that were renamed", renumberDocument{}, "fmt"),
	}
}

// ofReading are what is shown of plans.
func (t documentTable) ofReading() []documentSchema {
	return []documentSchema{
		t.row("list", "The plans of the store", struct {
			Plans []render.Summary `json:"plans"`
		}{}, "list"),
		t.row("board", "Tasks by how they stand", render.Board{}, "board"),
		{"show", "A plan; also the form json of import and export", []string{"show", "export", "convert"}, planSchema()},
		{"show-task", "A task with those below it", []string{"show"}, within(taskTree(), "task")},
		t.row("log", "Revisions, newest first", struct {
			Revisions []revisionDocument `json:"revisions"`
		}{}, "log"),
		t.row("diff", "How plans differ", diff.Document{}, "diff"),
		t.row("graph", "What waits for what", graph.Document{}, "graph"),
		t.row("grep", "Lines that match", struct {
			Matches []match `json:"matches"`
		}{}, "grep"),
		t.row("verify", "Who signed the commits", verifyDocument{}, "verify"),
		t.row("events", "One line of events", events.Event{}, "events"),
		t.row("web", "Where the plans are shown", webDocument{}, "web"),
		t.row("report", "What was written to a folder", reportDocument{}, "report"),
	}
}

// ofWork are what agents read and hand in that work by a plan.
func (t documentTable) ofWork() []documentSchema {
	return []documentSchema{
		t.row("start", "The session that began", startDocument{}, "start"),
		t.row("status", "What an agent is to do now", loop.Document{}, "status"),
		t.row("update", "What became of a payload", updateDocument{}, "update"),
		{"update-payload", "What is handed to update", nil, payloadSchema()},
		t.row("next", "The task to work on, or a task that was moved", taskDocument{}, "next", "task"),
		t.row("prime", "What an agent must know", struct {
			Status string `json:"status"`
			Prime  string `json:"prime"`
		}{}, "prime"),
		t.row("alert", "A signal that was opened or cleared", alertDocument{}, "alert"),
		{"alert-list", "The open signals", []string{"alert"}, schema.Object(property("signals",
			schema.List(alertSchema().With(property("plan", schema.Text())))))},
		{"context", "Where plans are written", []string{"context"}, t.Of("context", contextDocument{}).Maybe(
			schema.Property{Name: "prompt", Node: schema.Text().About("what to tell an overseeing model; with --prompt")})},
		{"thread", "The folder of a thread", []string{"dir", "request-thread-dir", "new", "edit", "checkout"}, t.Of("thread", threadDocument{}).Maybe(
			schema.Property{Name: "status", Node: schema.Word("success").About("only of checkout")})},
		t.row("suggest", "Work that the project asks for", suggestDocument{}, "suggest"),
		t.row("judge", "The verdict of a model on a plan", judgeDocument{}, "judge"),
	}
}

// ofBriefs are what models are told.
func (t documentTable) ofBriefs() []documentSchema {
	return []documentSchema{
		t.row("brief", "What an orchestrating model is told", briefDocument{}, "brief"),
		t.row("brief-execution", "What a model is told that carries out a step", executionBrief{}, "brief"),
		t.row("brief-reflection", "What a model is told that reflects on a step", reflectionBrief{}, "brief"),
		t.row("brief-replan", "What a model is told that changes a plan", replanBrief{}, "brief"),
		t.row("prompt", "A prompt, or without a name their list", promptAnswer{}, "prompt"),
		t.row("guide", "The planning guide", struct {
			Status string `json:"status"`
			Guide  string `json:"guide"`
		}{}, "guide"),
	}
}

// ofUpkeep are what the commands answer that set up, mend and explain.
func (t documentTable) ofUpkeep() []documentSchema {
	return []documentSchema{
		t.row("init", "The store as it is now", initDocument{}, "init"),
		t.row("setup", "Files of a coding agent", setupDocument{}, "setup"),
		t.row("hooks", "The hooks", hooksDocument{}, "hooks"),
		t.row("doctor", "What was looked at", doctorDocument{}, "doctor"),
		t.row("explain", "The rules", struct {
			Rules []ruleDocument `json:"rules"`
		}{}, "explain"),
		t.row("explain-rule", "A rule", ruleDocument{}, "explain"),
		t.row("version", "The program's version", struct {
			Version  string `json:"version"`
			Revision string `json:"revision"`
		}{}, "version"),
		t.row("schema", "The names of the schemas", schemaList{}, "schema"),
	}
}

// ofForms are plans in the forms of other programs.
func (t documentTable) ofForms() []documentSchema {
	return []documentSchema{
		t.row("rawko", "The form rawko as JSON", rawko.Plan{}, "export", "convert"),
		{"planspec-json", "The form planspec-json", []string{"export", "convert"}, specSchema()},
		{"hopspec", "The form hopspec", []string{"export", "convert"}, hopSchema()},
		t.row("planloop", "The form planloop", struct {
			Tasks []loop.Task `json:"tasks"`
		}{}, "export", "convert"),
	}
}

// statusOnly is the answer of a command that has no document of its own.
type statusOnly struct {
	Status string `json:"status"`
}
