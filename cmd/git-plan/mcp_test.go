package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-plan/git-plan/internal/gittest"
)

// mcpClient is an agent that speaks with a running `git plan mcp` through the
// official client.
type mcpClient struct {
	t       *testing.T
	cmd     *exec.Cmd
	session *mcp.ClientSession
	stderr  *bytes.Buffer
	// updated and listChanged tell of plans that changed.
	updated     chan string
	listChanged chan struct{}
}

// connectMCP starts a server in a repository, or in any folder.
func connectMCP(t *testing.T, g *gittest.Repo, args ...string) *mcpClient {
	t.Helper()
	c := &mcpClient{t: t, stderr: &bytes.Buffer{}, updated: make(chan string, 1000), listChanged: make(chan struct{}, 1000)}
	c.cmd = exec.Command("git-plan", append([]string{"mcp"}, args...)...)
	c.cmd.Dir, c.cmd.Env, c.cmd.Stderr = g.Dir, g.Env, c.stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) { c.updated <- req.Params.URI },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) {
			select {
			case c.listChanged <- struct{}{}:
			default:
			}
		},
	})
	var err error
	if c.session, err = client.Connect(t.Context(), &mcp.CommandTransport{Command: c.cmd}, nil); err != nil {
		t.Fatalf("%v\n%s", err, c.stderr)
	}
	t.Cleanup(func() { _ = c.session.Close() })
	return c
}

// close leaves the server, which must end with status 0 and have said nothing
// but what these tests know.
func (c *mcpClient) close() {
	c.t.Helper()
	if err := c.session.Close(); err != nil || c.cmd.ProcessState.ExitCode() != 0 {
		c.t.Errorf("the server ends with %v: %v\n%s", c.cmd.ProcessState, err, c.stderr)
	}
}

// object is the arguments of a call.
type object = map[string]any

// try calls a tool and gives what it answers.
func (c *mcpClient) try(tool string, arguments any) (answer string, isError bool) {
	c.t.Helper()
	result, err := c.session.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		c.t.Fatalf("%s: %v\n%s", tool, err, c.stderr)
	}
	if len(result.Content) == 0 || result.StructuredContent != nil {
		c.t.Fatalf("%s answers %+v", tool, result)
	}
	return result.Content[0].(*mcp.TextContent).Text, result.IsError
}

// call calls a tool that must take its arguments.
func (c *mcpClient) call(tool string, arguments any) string {
	c.t.Helper()
	answer, isError := c.try(tool, arguments)
	if isError {
		c.t.Fatalf("%s %v: %s", tool, arguments, answer)
	}
	return answer
}

// document calls a tool whose answer is a document.
func (c *mcpClient) document(tool string, arguments any) object {
	c.t.Helper()
	return decoded(c.t, c.call(tool, arguments))
}

func decoded(t *testing.T, answer string) object {
	t.Helper()
	var doc object
	if err := json.Unmarshal([]byte(answer), &doc); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	return doc
}

// refuses calls a tool that must answer with an error of this type, and gives
// the error's document.
func (c *mcpClient) refuses(kind, tool string, arguments any) object {
	c.t.Helper()
	answer, isError := c.try(tool, arguments)
	doc := object{}
	if isError {
		doc = decoded(c.t, answer)
	}
	if doc["error_type"] != kind || doc["status"] != "error" || doc["message"] == "" || doc["details"] == nil {
		c.t.Fatalf("%s %v: %s", tool, arguments, answer)
	}
	return doc
}

// reads gives the plan as planning_read_plan shows it, short: its status, and of
// each step the id and the first letter of the status.
func (c *mcpClient) reads() string {
	c.t.Helper()
	doc := c.document("planning_read_plan", nil)
	out := doc["status"].(string)
	for _, s := range doc["steps"].([]any) {
		step := s.(object)
		out += " " + step["step_id"].(string) + step["status"].(string)[:1]
	}
	return out
}

// planAndComplete is what an agent does with the planning tools, from the
// beginning to the end of a plan.
func planAndComplete(c *mcpClient) {
	t := c.t
	t.Helper()
	c.refuses("not_found", "planning_read_plan", nil)
	if got := c.call("planning_setup_plan", object{"objective": "Ship the parser", "initial_steps": []object{{"title": "Read"}, {"title": "Write", "details": "With tests"}}}); got != "The plan is set up, with steps S001 to S002." {
		t.Error(got)
	}
	c.call("planning_add_step", object{"steps": []object{{"title": "Tell"}}})
	c.call("planning_update_step", object{"step_id": "S003", "title": "Tell them", "details": "By mail"})
	for _, id := range []string{"S001", "S002"} {
		c.call("planning_mark_step", object{"step_id": id, "status": "in_progress"})
		c.call("planning_mark_step", object{"step_id": id, "status": "done", "note": "as it should be"})
	}
	if got := c.reads(); got != "active S001d S002d S003p" {
		t.Error(got)
	}
	if got := c.call("planning_mark_step", object{"step_id": "S003", "status": "done"}); got != "S003 is done; the plan is completed, with 3 of 3 steps done." {
		t.Error(got)
	}
	c.refuses("invalid_transition", "planning_add_step", object{"steps": []object{{"title": "More"}}})
	step := c.document("planning_read_plan", nil)["steps"].([]any)[1].(object)
	if step["title"] != "Write" || step["details"] != "With tests" || len(step["notes"].([]any)) != 1 || step["notes"].([]any)[0] != "as it should be" {
		t.Errorf("%v", step)
	}
}

// A session's plan is gone with it, and nothing of it was written.
func TestMCPPlanInMemory(t *testing.T) {
	g := gittest.New(t)
	c := connectMCP(t, g)
	planAndComplete(c)
	c.call("planning_mark_step", object{"step_id": "S001", "status": "blocked"})
	if got := c.reads(); got != "active S001b S002d S003d" {
		t.Error(got)
	}
	c.call("planning_clear_plan", nil)
	if got := c.reads(); got != "abandoned" {
		t.Error(got)
	}
	c.call("planning_setup_plan", object{"objective": "The next"})
	c.close()
	if again := connectMCP(t, g); again.refuses("not_found", "planning_read_plan", nil) == nil || c.stderr.Len() > 0 {
		t.Errorf("the server says %s", c.stderr)
	}
	if refs, status := g.Git("for-each-ref", "refs/heads/plans"), g.Git("status", "--porcelain", "--ignored"); refs != "" || status != "" {
		t.Errorf("there are refs %q and files %q", refs, status)
	}
}

// The faults of a call come at once, with where each is.
func TestMCPPlanningFaults(t *testing.T) {
	c := connectMCP(t, gittest.New(t))
	doc := c.refuses("invalid_payload", "planning_setup_plan", object{
		"objective": strings.Repeat("x", 241), "initial_steps": []object{{"title": strings.Repeat("x", 161)}, {"title": "caf\u00e9", "details": strings.Repeat("x", 513)}}, "more": 1,
	})
	if details := doc["details"].([]any); len(details) != 5 {
		t.Errorf("%q", details)
	}
	c.call("planning_setup_plan", object{
		"objective": strings.Repeat("x", 240) + " \n", "initial_steps": []object{{"title": strings.Repeat("x", 160), "details": strings.Repeat("x", 512)}},
	})
	c.refuses("invalid_payload", "planning_update_step", object{"step_id": "S001"})
	c.refuses("not_found", "planning_mark_step", object{"step_id": "S002", "status": "done"})
	if _, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "planning_drop_plan"}); err == nil {
		t.Error("a tool that is not there is called")
	}
}

// Outside a repository the planning tools work, and the others say why not.
func TestMCPOutsideARepository(t *testing.T) {
	g := gittest.New(t).At(t.TempDir())
	c := connectMCP(t, g)
	planAndComplete(c)
	c.refuses("not_a_repository", "plan_status", nil)
	c.refuses("not_a_repository", "plan_start", object{"goal": "x"})
	list, err := c.session.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	c.close()
	c = connectMCP(t, g, "--persist")
	c.refuses("not_a_repository", "planning_setup_plan", object{"objective": "x"})
	c.close()
}

func TestMCPTools(t *testing.T) {
	g := gittest.New(t)
	for args, want := range map[string]int{"": 16, "--tools=planning": 6, "--tools=loop": 10, "--tools=loop,planning": 16} {
		list, err := connectMCP(t, g, strings.Fields(args)...).session.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != want {
			t.Errorf("%q offers %d tools, %v", args, len(list.Tools), err)
		}
	}
	for _, args := range [][]string{{"--tools", "all"}, {"--tools", ""}, {"--tools", "planning,"}, {"--strategy", "x"}, {"--persist", "--tools", "loop"}, {"x"}} {
		cmd := exec.Command("git-plan", append([]string{"mcp"}, args...)...)
		cmd.Dir, cmd.Env = g.Dir, g.Env
		var stdout bytes.Buffer
		cmd.Stdout = &stdout
		var exit *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != exitUsage || stdout.Len() > 0 {
			t.Errorf("mcp %q ends with %v, and prints %s", args, err, &stdout)
		}
	}
}

// The strategy is that of the command line, else that of the configuration.
func TestMCPStrategy(t *testing.T) {
	g := gittest.New(t)
	mindset := func(args ...string) string {
		c := connectMCP(t, g, args...)
		got, err := c.session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "planning"})
		if err != nil {
			t.Fatal(err)
		}
		text := got.Messages[0].Content.(*mcp.TextContent).Text
		if !strings.HasSuffix(c.session.InitializeResult().Instructions, text) {
			t.Errorf("the instructions are %s", c.session.InitializeResult().Instructions)
		}
		return strings.Split(text, "\n")[2]
	}
	react := mindset()
	g.Git("config", "plan.strategy", "plan-act-reflect")
	reflect := mindset()
	if goal := mindset("--strategy", "goal-decompose-route-synthesise"); react == reflect || reflect == goal || goal == react {
		t.Errorf("%q, %q, %q", react, reflect, goal)
	}
}
