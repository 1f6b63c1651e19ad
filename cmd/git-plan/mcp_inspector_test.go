package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/gittest"
)

const mcpGuide = "docs/mcp.md"

// The page names every tool once.
func TestMCPGuideTools(t *testing.T) {
	page := readRoot(t, mcpGuide)
	list, err := connectMCP(t, gittest.New(t)).session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if !strings.Contains(page, "| `"+tool.Name+"` |") {
			t.Errorf("%s has no row for %s", mcpGuide, tool.Name)
		}
	}
}

// inspectorVariable names the program of @modelcontextprotocol/inspector where it
// is not on PATH as mcp-inspector.
const inspectorVariable = "GIT_PLAN_TEST_INSPECTOR"

// A client of another make, the inspector of the protocol's authors, brings a
// plan to its end. Each of its calls is a session of its own.
func TestMCPInspector(t *testing.T) {
	inspector := os.Getenv(inspectorVariable)
	if inspector == "" {
		var err error
		if inspector, err = exec.LookPath("mcp-inspector"); err != nil {
			t.Skipf("mcp-inspector is not on PATH, and %s does not name it: `npm install --prefix DIR @modelcontextprotocol/inspector`", inspectorVariable)
		}
	}
	g := storeFor(t)
	inspect := func(args ...string) object {
		t.Helper()
		all := []string{"--cli"}
		for _, kv := range g.Env {
			all = append(all, "-e", kv)
		}
		all = append(all, "git-plan", "mcp", "--persist")
		cmd := exec.Command(inspector, append(all, args...)...)
		cmd.Dir = g.Dir
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, &stderr)
		}
		var doc object
		if err := json.Unmarshal(out, &doc); err != nil {
			t.Fatalf("%q prints %s", args, out)
		}
		return doc
	}
	call := func(tool string, args ...string) string {
		t.Helper()
		all := []string{"--method", "tools/call", "--tool-name", tool}
		for _, a := range args {
			all = append(all, "--tool-arg", a)
		}
		doc := inspect(all...)
		if doc["isError"] != nil {
			t.Fatalf("%s: %v", tool, doc)
		}
		return doc["content"].([]any)[0].(object)["text"].(string)
	}
	if tools := inspect("--method", "tools/list")["tools"].([]any); len(tools) != 16 {
		t.Errorf("%d tools", len(tools))
	}
	call("planning_setup_plan", "objective=Ship it", `initial_steps=[{"title":"Read"},{"title":"Write"}]`)
	call("planning_update_step", "step_id=S002", "details=With tests")
	call("planning_mark_step", "step_id=S001", "status=done")
	call("planning_mark_step", "step_id=S002", "status=done", "note=At last")
	if got := decoded(t, call("planning_read_plan")); got["status"] != "completed" {
		t.Errorf("%v", got)
	}
	if got := decoded(t, call("plan_next")); got["status"] != "none" || got["plan_status"] != "complete" {
		t.Errorf("%v", got)
	}
	contents := inspect("--method", "resources/read", "--uri", "plan://ship-it")["contents"].([]any)
	if text := contents[0].(object)["text"].(string); !strings.Contains(text, "Status: complete") {
		t.Error(text)
	}
	if prompts := inspect("--method", "prompts/list")["prompts"].([]any); len(prompts) < 9 {
		t.Errorf("%v", prompts)
	}
	call("planning_clear_plan")
	sound(t, g)
}
