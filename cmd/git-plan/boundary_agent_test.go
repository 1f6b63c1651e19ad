package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What an agent tells its hooks may hold anything: paths, commands, a folder to
// work in. None of it is opened or run, whatever the moment.
func TestBoundaryAgentHook(t *testing.T) {
	g := withPlan(t)
	g.draft(plain())
	g.link("OUTSIDE", "away")
	g.link("OUTSIDE/secret", ".plans/thread-1/tasks/02-secret.md")
	g.plant(map[string]string{"p/signals/stop.md": "---\nlevel: blocker\n---\n\n\x1b]0;x\x07Stop: $(CANARY).\n"})
	g.arm()
	words := append(oddWords(), "away", "away/secret", ".plans/thread-1/tasks/02-secret.md", "OUTSIDE/plan.md", ".plans/thread-1/plan.md", "*** Begin Patch\n*** Update File: OUTSIDE/secret\n*** End Patch")
	held := 0
	for _, moment := range []string{"PreToolUse", "PostToolUse", "Stop", "stop", "afterFileEdit", "beforeShellExecution", "unknown"} {
		for _, word := range words {
			word = g.told(word)
			call := map[string]any{
				"hook_event_name": moment, "session_id": word, "cwd": word, "workspace_roots": []string{word}, "transcript_path": g.told("OUTSIDE/secret"), "tool_name": word, "file_path": word, "command": word,
				"tool_input": map[string]any{"file_path": word, "notebook_path": word, "path": word, "command": word, "input": word, "patch": word},
			}
			data, err := json.Marshal(call)
			if err != nil {
				t.Fatal(err)
			}
			status, said := g.tried(string(data), "agent-hook")
			harmless(t, "agent-hook", said)
			if status == exitHold {
				held++
			} else if status != 0 {
				t.Errorf("%s: status %d\n%s", data, status, said)
			}
		}
	}
	for _, text := range []string{"", "null", "[]", `{"hook_event_name":["Stop"]}`, strings.Repeat("[", 1<<20), `{"hook_event_name":"Stop","cwd":{"$ref":"file://OUTSIDE/secret"}}`} {
		if status, said := g.tried(g.told(text), "agent-hook"); status != 0 && status != exitHold {
			t.Errorf("%.60q: status %d\n%s", text, status, said)
		}
	}
	if held == 0 {
		t.Error("no agent was ever stopped")
	}
	g.whole()
}

// A server that is fetched from and pushed to says what it likes, and it is
// shown as text.
func TestBoundaryServer(t *testing.T) {
	g := withPlan(t)
	g.must("sync", "--manual")
	hook := filepath.Join(g.top, "srv.git", "hooks", "pre-receive")
	script := "#!/bin/sh\nprintf '\\033]0;x\\007\\033[2J\\342\\200\\256over\\rwritten\\n::error::x\\n\\377\\376\\nfatal: \\033[31mx\\nerror: $(" + g.canary() + ")\\n' >&2\nexit 1\n"
	if err := os.WriteFile(hook, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	g.arm()
	refused := 0
	for _, line := range []string{"task start p/one --push", "task start p/one", "sync", "sync --json", "propose p --push", "alert open x --plan p -m y --push --json", "doctor", "log"} {
		status, said := g.tried("", strings.Fields(line)...)
		harmless(t, line, said)
		if status != 0 {
			refused++
		}
	}
	if refused < 3 {
		t.Errorf("the server refused %d times", refused)
	}
	g.whole()
}
