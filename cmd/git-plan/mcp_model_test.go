package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-plan/git-plan/internal/gittest"
)

// slowJudge is a store that wants a judge, whose model says yes when it is told
// to. It says that it was asked by making a file, and answers when there is
// another.
func slowJudge(t *testing.T) (g *gittest.Repo, asked, answers string) {
	g = storeFor(t)
	dir := t.TempDir()
	asked, answers = filepath.Join(dir, "asked"), filepath.Join(dir, "answer")
	script := "cat >/dev/null; echo $$ >'" + asked + "'; while [ ! -e '" + answers + "' ]; do sleep 0.1; done; echo '{\"is_approved\": true, \"feedback\": \"fine\"}'"
	folder := filepath.Join(dir, "store")
	g.Git("worktree", "add", "-q", folder, "plans")
	store := g.At(folder)
	store.Write("gates.yaml", "gate: base\njudge: required\n")
	store.Git("commit", "-qam", "Ask a judge")
	g.Git("worktree", "remove", "-f", folder)
	g.Git("config", "plan.llm.command", script)
	g.Git("config", "plan.instructionsFile", "")
	g.Git("plan", "start", "--no-model", "--goal", "Ship the parser")
	return g, asked, answers
}

// A change that waits for a model keeps nobody from reading, and lands when the
// answer comes. One that is cancelled ends the model, and writes nothing.
func TestMCPReadsWhileAModelThinks(t *testing.T) {
	t.Parallel()
	g, asked, answers := slowJudge(t)
	c := connectMCP(t, g)
	tasks := object{"add_tasks": []object{{"title": "Read the grammar", "type": "feature", "context_hints": []string{"Read it."}, "relevant_file_paths": []string{"."}, "creates": []string{"a"}}}}

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	change := func(ctx context.Context) {
		_, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: "plan_update", Arguments: tasks})
		ended <- err
	}
	go change(ctx)
	gittest.Until(t, "the model is asked", func() bool { return exists(asked) })
	if got := c.now(); got != "ready_for_task" {
		t.Errorf("the status is %q", got)
	}
	before := g.Git("rev-parse", "plans")
	pid, err := os.ReadFile(asked)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("a call that was cancelled has an answer")
	}
	gittest.Until(t, "the model has ended", func() bool { return !exists("/proc/" + strings.TrimSpace(string(pid))) })

	if err := os.Remove(asked); err != nil {
		t.Fatal(err)
	}
	go change(t.Context())
	gittest.Until(t, "the model is asked again", func() bool { return exists(asked) })
	if after := g.Git("rev-parse", "plans"); after != before {
		t.Error("a call that was cancelled was carried out")
	}
	if err := os.WriteFile(answers, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if log := g.Git("log", "-1", "--format=%B", "plans"); !strings.Contains(log, "Plan-Judge: approved") {
		t.Errorf("the commit says %s", log)
	}
	c.close()
	sound(t, g)
}

// What a model is waited for is told while it is so, on standard error. The answer
// has what came of it, and warnings alone.
func TestMCPStartByAModel(t *testing.T) {
	t.Parallel()
	g := storeFor(t)
	g.Write("a.md", "a\n")
	g.Git("add", "a.md")
	g.Git("config", "plan.llm.command", `cat >/dev/null; echo '{"add_tasks": [{"title": "Read the grammar", "type": "feature", "context_hints": ["Read `+"`a.md`"+`."], "relevant_file_paths": ["a.md"]}]}'`)
	c := connectMCP(t, g, "--tools=loop")
	answer, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "plan_start", Arguments: object{"goal": "Ship the parser"}})
	if err != nil || answer.IsError || len(answer.Content) != 1 {
		t.Errorf("the answer is %+v, %v", answer, err)
	}
	c.close()
	if !strings.Contains(c.stderr.String(), "asking the model for a plan") {
		t.Errorf("standard error is %q", c.stderr)
	}
	if got := g.Git("plan", "show"); !strings.Contains(got, "Read the grammar") {
		t.Errorf("the plan is %s", got)
	}
}

// A terminal that goes away ends the server with what it waits for, and writes
// nothing.
func TestMCPHangUpWhileAModelThinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such signals")
	}
	t.Parallel()
	g, asked, _ := slowJudge(t)
	before := g.Git("rev-parse", "plans")
	cmd := exec.Command("git-plan", "mcp")
	cmd.Dir, cmd.Env = g.Dir, g.Env
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plan_update","arguments":{"add_tasks":[{"title":"Read it","type":"docs","context_hints":["Read it."],"relevant_file_paths":["."]}]}}}`
	if _, err := io.WriteString(in, begun+call+"\n"); err != nil {
		t.Fatal(err)
	}
	gittest.Until(t, "the model is asked", func() bool { return exists(asked) })
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		t.Fatal("it goes on without anybody")
	}
	if after := g.Git("rev-parse", "plans"); after != before {
		t.Error("something was written")
	}
}
