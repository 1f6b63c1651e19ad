package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-plan/git-plan/internal/gittest"
)

// storeFor makes a repository with a store.
func storeFor(t *testing.T, args ...string) *gittest.Repo {
	t.Helper()
	g := gittest.New(t).With("GIT_PLAN_AGENT=agent-a")
	g.Git(append([]string{"plan", "init", "--no-hooks"}, args...)...)
	return g
}

// sound requires that every commit of the store is one that the gate lets pass.
func sound(t *testing.T, g *gittest.Repo) {
	t.Helper()
	for _, what := range []string{"plans", g.Git("rev-list", "--max-parents=0", "plans") + "..plans"} {
		if out, err := g.TryGit("plan", "check", what); err != nil {
			t.Errorf("check %s: %v\n%s", what, err, out)
		}
	}
}

// A plan that is kept in the store is there again after a restart, and every
// step of it is a commit like any other.
func TestMCPPlanInStore(t *testing.T) {
	g := storeFor(t)
	c := connectMCP(t, g, "--persist")
	planAndComplete(c)
	c.close()
	c = connectMCP(t, g, "--persist")
	if got := c.reads(); got != "completed S001d S002d S003d" {
		t.Error(got)
	}
	c.call("planning_mark_step", object{"step_id": "S001", "status": "blocked", "note": "it came back"})
	if got := c.reads(); got != "active S001b S002d S003d" {
		t.Error(got)
	}
	if got := c.call("planning_setup_plan", object{"objective": "The next one"}); got != "The plan is set up, without steps: add some with planning_add_step." {
		t.Error(got)
	}
	if got := c.reads(); got != "active" {
		t.Error(got)
	}
	if got := g.Git("plan", "list"); !strings.Contains(got, "ship-the-parser  abandoned") || !strings.Contains(got, "the-next-one     draft") {
		t.Error(got)
	}
	c.close()
	sound(t, g)
	trailers := g.Git("log", "--reverse", "--format=%(trailers:key=Plan-Event,valueonly,separator=%x2C) %(trailers:key=Plan-Task,valueonly,separator=%x2C)", "plans")
	const want = `created
revised
revised
started ship-the-parser/s001
completed ship-the-parser/s001
started ship-the-parser/s002
completed ship-the-parser/s002
completed ship-the-parser/s003
reopened ship-the-parser/s001
blocked ship-the-parser/s001
`
	if !strings.Contains(compact(trailers)+"\n", want) {
		t.Errorf("the events are\n%s", compact(trailers))
	}
	if agents := g.Git("log", "--format=%(trailers:key=Plan-Agent,valueonly,separator=%x2C)", "plans"); strings.Count(agents, "agent-a\n") < 10 {
		t.Error(agents)
	}
	task := g.Git("show", "plans:ship-the-parser/tasks/02-s002.md")
	if !strings.Contains(task, "id: s002\n") || !strings.HasSuffix(task, "\nWith tests") {
		t.Error(task)
	}
}

// compact takes the spaces off the ends of lines.
func compact(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Every status of a step leads to every other, in moves that the gate knows.
func TestMCPMarksInStore(t *testing.T) {
	g := storeFor(t)
	c := connectMCP(t, g, "--persist", "--tools", "planning")
	c.call("planning_setup_plan", object{"objective": "Marks", "initial_steps": []object{{"title": "one"}, {"title": "two"}}})
	statuses := []string{"pending", "in_progress", "blocked", "done"}
	for _, from := range statuses {
		for _, to := range statuses {
			c.call("planning_mark_step", object{"step_id": "S001", "status": from})
			c.call("planning_mark_step", object{"step_id": "S001", "status": to, "note": from + " to " + to})
			if got, want := c.reads(), "active S001"+to[:1]+" S002p"; got != want {
				t.Errorf("from %s to %s it is %s", from, to, got)
			}
		}
	}
	if notes := c.document("planning_read_plan", nil)["steps"].([]any)[0].(object)["notes"].([]any); len(notes) != 16 {
		t.Errorf("%d notes: %v", len(notes), notes)
	}
	// What others did to the tasks is shown in the tools' words.
	g.Git("plan", "task", "reopen", "s001")
	g.Git("plan", "task", "fail", "s001", "-m", "no")
	g.Git("plan", "task", "skip", "s002")
	if got := c.reads(); got != "active S001b S002d" {
		t.Error(got)
	}
	c.call("planning_mark_step", object{"step_id": "S001", "status": "done"})
	if got := c.reads(); got != "completed S001d S002d" {
		t.Error(got)
	}
	c.close()
	sound(t, g)
}

func TestMCPLimitInStore(t *testing.T) {
	g := storeFor(t)
	c := connectMCP(t, g, "--persist")
	steps := func(n int) (out []object) {
		for i := range n {
			out = append(out, object{"title": fmt.Sprint("step ", i)})
		}
		return out
	}
	c.refuses("limit_exceeded", "planning_setup_plan", object{"objective": "Much", "initial_steps": steps(100)})
	c.refuses("not_found", "planning_read_plan", nil)
	c.call("planning_setup_plan", object{"objective": "Much", "initial_steps": steps(98)})
	c.refuses("limit_exceeded", "planning_add_step", object{"steps": steps(2)})
	if got := c.call("planning_add_step", object{"steps": steps(1)}); got != "Added step S099; the plan is active, with 0 of 99 steps done." {
		t.Error(got)
	}
	c.refuses("limit_exceeded", "planning_add_step", object{"steps": steps(1)})
	c.call("planning_clear_plan", nil)
	if got := c.reads(); got != "abandoned" {
		t.Error(got)
	}
	if files := g.Git("ls-tree", "-r", "--name-only", "plans", "much"); files != "much/plan.md" {
		t.Error(files)
	}
	c.refuses("not_found", "planning_mark_step", object{"step_id": "S001", "status": "done"})
	c.refuses("invalid_transition", "planning_add_step", object{"steps": steps(1)})
	c.call("planning_clear_plan", nil) // again is no fault
	c.close()
	sound(t, g)
}

// A strict store takes what passes its gate, and says all that does not.
func TestMCPStrictStore(t *testing.T) {
	g := storeFor(t, "--gate", "strict")
	before := g.Git("rev-parse", "plans")
	c := connectMCP(t, g, "--persist")
	doc := c.refuses("plan_validation_failed", "planning_setup_plan", object{"objective": "Ship", "initial_steps": []object{{"title": "Read"}, {"title": "Write"}}})
	if found := doc["findings"].([]any); len(found) < 4 || len(doc["details"].([]any)) != len(found) || found[0].(object)["rule"] == "" {
		t.Errorf("%v", doc)
	}
	if after := g.Git("rev-parse", "plans"); after != before {
		t.Error("something was written")
	}
	c.refuses("not_found", "planning_read_plan", nil)
	c.close()
}

// What a store advises without insisting is told after the answer.
func TestMCPWarnings(t *testing.T) {
	g := storeFor(t)
	folder := filepath.Join(t.TempDir(), "store")
	g.Git("worktree", "add", "-q", folder, "plans")
	store := g.At(folder)
	store.Write("gates.yaml", "gate: base\nevidence: advisory\n")
	store.Git("commit", "-qam", "Ask for evidence")
	c := connectMCP(t, g, "--persist")
	tell := func(tool string, arguments object) string {
		t.Helper()
		result, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil || result.IsError {
			t.Fatalf("%s: %+v, %v", tool, result, err)
		}
		var texts []string
		for _, part := range result.Content {
			texts = append(texts, part.(*mcp.TextContent).Text)
		}
		return strings.Join(texts, "|")
	}
	if got := tell("planning_setup_plan", object{"objective": "Ship"}); strings.Contains(got, "|") {
		t.Errorf("a plan is set up: %s", got)
	}
	tell("planning_add_step", object{"steps": []object{{"title": "Read"}}})
	const want = "S001 is done; the plan is completed, with 1 of 1 steps done.|warning: ship/tasks/01-s001.md:4:9: task `s001` is done, and nothing shows it [evidence]: "
	if got := tell("planning_mark_step", object{"step_id": "S001", "status": "done"}); !strings.HasPrefix(got, want) {
		t.Errorf("a step is marked: %s", got)
	}
	c.close()
}

// Plans that others made are shown and marked, and never given up or reworded.
func TestMCPForeignPlan(t *testing.T) {
	g := storeFor(t)
	c := connectMCP(t, g, "--persist")
	id := c.document("plan_start", object{"goal": "Keep the caf\u00e9 open"})["session_id"].(string)
	if got := c.reads(); got != "active S001p" {
		t.Error(got)
	}
	c.call("planning_mark_step", object{"step_id": "S001", "status": "in_progress"})
	for tool, arguments := range map[string]object{
		"planning_add_step": {"steps": []object{{"title": "x"}}}, "planning_update_step": {"step_id": "S001", "title": "x"}, "planning_clear_plan": {},
	} {
		c.refuses("invalid_transition", tool, arguments)
	}
	if got := c.call("planning_setup_plan", object{"objective": "Mine"}); !strings.Contains(got, "The plan "+id+" was not made by these tools") {
		t.Error(got)
	}
	if got := g.Git("plan", "show", id); !strings.Contains(got, "Status: in_progress") {
		t.Error(got)
	}
	// A task that somebody adds to a plan of the tools is a step of it.
	c.call("planning_add_step", object{"steps": []object{{"title": "one"}}})
	c.call("plan_update", object{"add_tasks": []object{{"title": "two"}}})
	c.call("planning_add_step", object{"steps": []object{{"title": "three"}}})
	if got := c.reads(); got != "active S001p S002p S003p" {
		t.Error(got)
	}
	c.refuses("invalid_transition", "planning_update_step", object{"step_id": "S002", "title": "x"})
	c.call("planning_update_step", object{"step_id": "S003", "title": "x"})
	c.call("planning_mark_step", object{"step_id": "S002", "status": "done"})
	c.close()
	sound(t, g)
}

// The plan that is meant is found as everywhere; one that is set up is the one
// that is meant from then on.
func TestMCPWhichPlan(t *testing.T) {
	g := storeFor(t)
	c := connectMCP(t, g, "--persist")
	c.call("planning_setup_plan", object{"objective": "One", "initial_steps": []object{{"title": "a"}}})
	c.call("planning_mark_step", object{"step_id": "S001", "status": "done"})
	c.call("planning_setup_plan", object{"objective": "Two", "initial_steps": []object{{"title": "b"}, {"title": "c"}}})
	for _, c := range []*mcpClient{connectMCP(t, g, "--persist", "--plan", "one"), connectMCP(t, g.With("GIT_PLAN=one"), "--persist")} {
		if got := c.reads(); got != "completed S001d" {
			t.Error(got)
		}
		c.call("planning_setup_plan", object{"objective": "Three"})
		if got := c.reads(); got != "active" {
			t.Error(got)
		}
		c.close()
	}
	g.Git("plan", "use", "two")
	if got := c.reads(); got != "active S001p S002p" {
		t.Error(got) // also in a server that runs
	}
	// Two are unfinished now, and a worktree that remembers none must be told.
	other := g.At(t.TempDir() + "/wt")
	g.Git("worktree", "add", "-q", other.Dir)
	d := connectMCP(t, other, "--persist")
	d.refuses("ambiguous_plan", "planning_read_plan", nil)
	d.refuses("ambiguous_plan", "plan_status", nil)
	// It may begin one all the same, which takes the place of nobody else's.
	d.call("planning_setup_plan", object{"objective": "Elsewhere", "initial_steps": []object{{"title": "d"}}})
	if got, also := d.reads(), c.reads(); got != "active S001p" || also != "active S001p S002p" {
		t.Errorf("%s, and the other has %s", got, also)
	}
}

// In a repository without a working tree the server itself remembers.
func TestMCPBare(t *testing.T) {
	bare := gittest.NewBare(t).With("GIT_PLAN_AGENT=agent-a")
	bare.Git("plan", "init", "--no-hooks")
	c := connectMCP(t, bare, "--persist")
	planAndComplete(c)
	c.call("planning_setup_plan", object{"objective": "Again"})
	if got := c.reads(); got != "active" {
		t.Error(got)
	}
	// A plan that somebody removed is in nobody's way.
	bare.Git("update-ref", "refs/heads/plans", "plans~1")
	c.refuses("not_found", "planning_add_step", object{"steps": []object{{"title": "x"}}})
	c.call("planning_setup_plan", object{"objective": "Anew"})
	if got := c.reads(); got != "active" {
		t.Error(got)
	}
	c.close()
	sound(t, bare)
}
