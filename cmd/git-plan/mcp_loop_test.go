package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-plan/git-plan/internal/gittest"
)

// good gives a task that passes the strict gate.
func good(title string, more ...any) object {
	task := object{"title": title, "type": "chore", "context_hints": []string{"Read `README.md`."}, "relevant_file_paths": []string{"README.md"}}
	for i := 0; i < len(more); i += 2 {
		task[more[i].(string)] = more[i+1]
	}
	return task
}

// now gives the reason of plan_status.
func (c *mcpClient) now() string {
	c.t.Helper()
	return c.document("plan_status", nil)["now"].(object)["reason"].(string)
}

// An agent goes from an empty store to a plan that is completed, with a signal
// and a replan on the way, by tools alone.
func TestMCPLoop(t *testing.T) {
	g := storeFor(t)
	g.Git("config", "plan.instructionsFile", "")
	c := connectMCP(t, g, "--tools=loop")
	id := c.document("plan_start", object{"goal": "Ship the parser", "constraints": []string{"--force", "no new dependency"}})["session_id"].(string)
	if got := c.now(); got != "ready_for_task" {
		t.Fatal(got)
	}
	doc := c.refuses("plan_validation_failed", "plan_update", object{"add_tasks": []object{good("Write it", "relevant_file_paths", []string{"nope.md"}), {"title": "Test it"}}})
	if len(doc["details"].([]any)) < 4 {
		t.Errorf("%v", doc)
	}
	c.call("plan_update", object{
		"add_tasks":    []object{good("Write it"), good("Test it", "dependencies", []int{2})},
		"update_tasks": []object{{"id": 1, "status": "DONE"}},
	})
	if got := c.document("plan_next", object{"claim": true})["task"].(object); got["id"] != "write-it" || got["executed_by"] != "agent-a" {
		t.Errorf("%v", got)
	}
	c.call("plan_alert", object{"action": "open", "id": "tests", "task": "write-it", "message": "they fail"})
	c.refuses("invalid_transition", "plan_task", object{"task": "write-it", "move": "done"})
	if got := c.now(); got != "waiting_on_signal" {
		t.Error(got)
	}
	if got := c.document("plan_alert", object{"action": "list"})["signals"].([]any); len(got) != 1 {
		t.Errorf("%v", got)
	}
	c.call("plan_alert", object{"action": "clear", "id": "tests"})
	c.call("plan_task", object{"task": "2", "move": "fail", "message": "the grammar is ambiguous"})
	if got := c.now(); got != "replan_required" {
		t.Error(got)
	}
	replanned := c.document("plan_replan", object{
		"plan": id, "reason": "the grammar is ambiguous", "discoveries": []string{"--x"}, "constraints": []string{"LL(1)"},
		"tasks": []object{good("Decompose", "ref", "decompose"), good("Mend the grammar"), good("Write it", "dependencies", []int{2}), good("Test it", "dependencies", []int{3})},
	})
	if replanned["version"] != 2.0 {
		t.Errorf("%v", replanned)
	}
	for _, task := range []string{"mend-the-grammar", "write-it", "test-it"} {
		if got := c.now(); got != "ready_for_task" {
			t.Error(got)
		}
		c.call("plan_task", object{"task": task, "move": "start"})
		c.call("plan_task", object{"task": task, "move": "done", "result": "--done", "affected_files": []string{"README.md"}})
	}
	c.refuses("invalid_payload", "plan_update", object{"final_summary": 7})
	c.call("plan_update", object{"final_summary": "It ships."})
	if got := c.now(); got != "plan_completed" {
		t.Error(got)
	}
	c.close()
	sound(t, g)
}

// A plan is written in files, checked and stored by tools.
func TestMCPDrafts(t *testing.T) {
	g := storeFor(t)
	c := connectMCP(t, g, "--tools=loop")
	dir := c.document("plan_draft", nil)["plan_dir"].(string)
	for name, text := range map[string]string{"plan.md": "---\ntitle: Sign in\n---\n\nBody.\n", "tasks/01-a.md": "---\nid: A\n---\n\nDo it.\n"} {
		writeTo(t, dir, name, text)
	}
	if doc, isError := c.try("plan_check", nil); !isError || len(decoded(t, doc)["findings"].([]any)) == 0 {
		t.Errorf("%s", doc)
	}
	c.refuses("plan_validation_failed", "plan_commit", nil)
	writeTo(t, dir, "tasks/01-a.md", "---\nid: a\n---\n\nDo it.\n")
	if doc := c.document("plan_check", nil); doc["status"] != "ok" {
		t.Errorf("%v", doc)
	}
	if doc := c.document("plan_commit", object{"message": "Begin\n\nWith care."}); doc["status"] != "committed" {
		t.Errorf("%v", doc)
	}
	if got := c.document("plan_draft", object{"plan": "sign-in"})["plan_dir"]; got != dir {
		t.Errorf("%v", got)
	}
	c.close()
	sound(t, g)
}

func writeTo(t *testing.T, dir, name, text string) {
	t.Helper()
	g := (&gittest.Repo{Dir: dir}).For(t, dir)
	g.Write(name, text)
}

// A tool of the loop answers with the very document of its command.
func TestMCPAnswersLikeTheCommand(t *testing.T) {
	g := storeFor(t)
	c := connectMCP(t, g)
	c.call("plan_start", object{"goal": "Ship it", "id": "ship"})
	for _, same := range []struct {
		tool      string
		arguments object
		command   []string
	}{
		{"plan_status", object{"all": true}, []string{"status", "--all"}},
		{"plan_status", object{"plan": "no"}, []string{"status", "no"}},
		{"plan_next", nil, []string{"next"}},
		{"plan_alert", object{"action": "list"}, []string{"alert", "list"}},
		{"plan_task", object{"task": "9", "move": "done"}, []string{"task", "done", "9"}},
		{"plan_replan", object{"plan": "ship", "reason": "r", "tasks": []object{{"title": "a"}}}, []string{"replan", "ship", "--reason", "r", "--from", "x.json"}},
		{"plan_update", object{"add_tasks": []object{{"title": ""}}, "commit": "x"}, []string{"update", `{"add_tasks":[{"title":""}],"commit":"x"}`}},
	} {
		g.Write("x.json", `{"tasks":[{"id":1,"title":"a"}]}`)
		answer, isError := c.try(same.tool, same.arguments)
		out, err := g.TryGit(append(append([]string{"plan"}, same.command...), "--json")...)
		if answer != out || isError != (err != nil) {
			t.Errorf("%s answers %s\nand the command %s", same.tool, answer, out)
		}
	}
}

// Who subscribes to a plan is told when anybody changes it.
func TestMCPResources(t *testing.T) {
	g := storeFor(t)
	g.Git("plan", "start", "--goal", "Ship it", "--id", "ship")
	c := connectMCP(t, g)
	list, err := c.session.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 2 || list.Resources[1].URI != "plan://ship" || list.Resources[1].Title != "Ship it" {
		t.Fatalf("%+v, %v", list, err)
	}
	templates, err := c.session.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 {
		t.Fatalf("%+v, %v", templates, err)
	}
	read := func(uri string) string {
		got, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimRight(got.Contents[0].Text, "\n")
	}
	if got := read("plan://ship"); got != g.Git("plan", "show", "ship") || read("plan://current") != got {
		t.Error(got)
	}
	if _, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "plan://README.md"}); err == nil {
		t.Error("a file is read")
	}
	if err := c.session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "plan://ship"}); err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	gittest.Until(t, "the news that ship changed", func() bool {
		if len(told) == 0 { // the subscription may still be under way
			if _, err := g.TryGit("plan", "task", "start", "ship/1", "-m", time.Now().String()); err != nil {
				t.Fatal(err)
			}
		}
		select {
		case uri := <-c.updated:
			told[uri] = true
		case <-time.After(700 * time.Millisecond):
		}
		return told["plan://ship"]
	})
	g.Git("pack-refs", "--all")
	g.Git("plan", "start", "--goal", "Sail", "--id", "sail")
	gittest.Until(t, "the news of another plan", func() bool {
		list, err := c.session.ListResources(t.Context(), nil)
		return err == nil && slices.ContainsFunc(list.Resources, func(r *mcp.Resource) bool { return r.URI == "plan://sail" })
	})
	gittest.Until(t, "being told of it", func() bool { return len(c.listChanged) > 0 })
	c.close()
}

// Many agents, each with a server of its own, work on one repository at once,
// and nothing of what they do is lost.
func TestMCPCrowd(t *testing.T) {
	const agents, tasks = 8, 4
	g := storeFor(t)
	g.Git("plan", "start", "--goal", "Together", "--id", "together")
	g.Git("plan", "task", "done", "1")
	var clients []*mcpClient
	for i := range agents {
		clients = append(clients, connectMCP(t, g.With(fmt.Sprintf("GIT_PLAN_AGENT=agent-%d", i)), "--plan=together"))
	}
	// Who is told that others hold the lock, as on a machine that is busy with much
	// else, asks again.
	try := func(c *mcpClient, tool string, args object) (answer string, isError bool) {
		for range 5 {
			if answer, isError = c.tryQuietly(tool, args); !isError || !strings.Contains(answer, `"error_type":"locked"`) {
				break
			}
		}
		return answer, isError
	}
	var wg sync.WaitGroup
	for i, c := range clients {
		wg.Go(func() {
			for n := range tasks {
				answer, isError := try(c, "plan_update", object{"add_tasks": []object{good(fmt.Sprintf("Task %d of agent %d", n, i))}})
				if isError {
					t.Errorf("agent %d: %s", i, answer)
				}
			}
			for {
				answer, isError := try(c, "plan_next", object{"claim": true})
				var next taskDocument
				if err := json.Unmarshal([]byte(answer), &next); err != nil || isError {
					t.Errorf("agent %d: %s", i, answer)
					return
				}
				task, ok := next.Task.(object)
				if !ok {
					return
				}
				if answer, isError := try(c, "plan_task", object{"task": task["id"], "move": "done"}); isError {
					t.Errorf("agent %d: %s", i, answer)
					return
				}
			}
		})
	}
	wg.Wait()
	for _, c := range clients {
		c.close()
	}
	var shown struct {
		Status   string
		Progress struct{ Total, Done int }
	}
	if err := json.Unmarshal([]byte(g.Git("plan", "show", "together", "--json")), &shown); err != nil || shown.Status != "complete" || shown.Progress.Total != 1+agents*tasks {
		t.Errorf("%+v, %v", shown, err)
	}
	starts := g.Git("log", "--format=%(trailers:key=Plan-Event,valueonly)", "plans")
	if n := strings.Count(starts, "started"); n != agents*tasks {
		t.Errorf("%d tasks were started, of %d", n, agents*tasks)
	}
	sound(t, g)
}

// tryQuietly is try for a goroutine, which must not end the test.
func (c *mcpClient) tryQuietly(tool string, arguments any) (answer string, isError bool) {
	result, err := c.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return err.Error(), true
	}
	return result.Content[0].(*mcp.TextContent).Text, result.IsError
}

// begun is what a client says first.
const begun = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// A session can be a text: it ends with the text, everything in it is answered,
// and lines that are none of the protocol do no harm. Nothing else is printed.
func TestMCPRawLines(t *testing.T) {
	g := storeFor(t)
	cmd := exec.Command("git-plan", "mcp", "--persist")
	cmd.Dir, cmd.Env = g.Dir, g.Env
	cmd.Stdin = strings.NewReader(begun + `Content-Length: 12
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"planning_setup_plan","arguments":{"objective":"Ship it"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"planning_add_step","arguments":{"steps":[{"title":"a"},{"title":"b"}]}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"planning_mark_step","arguments":{"step_id":"S002","status":"done"}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"planning_read_plan"}}`)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for line := range strings.Lines(string(out)) {
		var m struct {
			Version string `json:"jsonrpc"`
			ID      any    `json:"id"`
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.Version != "2.0" {
			t.Errorf("it prints %q", line)
		}
		ids = append(ids, fmt.Sprint(m.ID))
	}
	slices.Sort(ids)
	if got := strings.Join(ids, " "); got != "0 1 2 3 4 <nil>" || !strings.Contains(string(out), "-32700") {
		t.Errorf("answers to %s:\n%s", got, out)
	}
	if !strings.Contains(string(out), `\"step_id\":\"S002\",\"title\":\"b\",\"details\":null,\"status\":\"done\"`) {
		t.Errorf("the calls did not happen in order:\n%s", out)
	}
}

// A line that does not end is not read for ever.
func TestMCPLongLine(t *testing.T) {
	cmd := exec.Command("git-plan", "mcp")
	cmd.Dir, cmd.Env = t.TempDir(), gittest.New(t).Env
	cmd.Stdin = io.LimitReader(endless{}, 1<<30)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitNo || !bytes.Contains(out, []byte("-32600")) || !bytes.Contains(exit.Stderr, []byte("send less at once")) {
		t.Errorf("%v: %s", err, out)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A signal ends the server, also while it waits for its client.
func TestMCPSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such signals")
	}
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		cmd := exec.Command("git-plan", "mcp")
		cmd.Dir, cmd.Env = t.TempDir(), gittest.New(t).Env
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(in, begun); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			if err != nil || stderr.Len() > 0 {
				t.Errorf("%v: %v\n%s", sig, err, &stderr)
			}
		case <-time.After(patience):
			_ = cmd.Process.Kill()
			t.Errorf("%v does not end it", sig)
		}
	}
}
