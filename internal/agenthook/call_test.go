package agenthook

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// What the agents write, by their own manuals.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     Call
	}{
		{
			"Claude Code, before an edit",
			`{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/p","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/p/a.go","old_string":"x","new_string":"y"},"tool_use_id":"u"}`,
			Call{Name: "PreToolUse", Moment: Before, Session: "s", Dir: "/p", Tool: "Edit", Files: []string{"/p/a.go"}},
		},
		{
			"Claude Code, after a command",
			`{"session_id":"s","cwd":"/p","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make test","description":"Run"},"tool_response":{"stdout":"ok"}}`,
			Call{Name: "PostToolUse", Moment: After, Session: "s", Dir: "/p", Tool: "Bash", Command: "make test"},
		},
		{
			"Claude Code, held once already",
			`{"session_id":"s","cwd":"/p","hook_event_name":"Stop","stop_hook_active":true}`,
			Call{Name: "Stop", Moment: End, Session: "s", Dir: "/p", Again: true},
		},
		{
			"Claude Code, a prompt",
			`{"session_id":"s","cwd":"/p","hook_event_name":"UserPromptSubmit","prompt":"go"}`,
			Call{Name: "UserPromptSubmit", Session: "s", Dir: "/p"},
		},
		{
			"Codex, a patch",
			`{"session_id":"s","turn_id":"t","cwd":"/p","hook_event_name":"PostToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a.go\n@@\n-x\n+y\n*** Add File: b/c.go\n+z\n*** End Patch"}}`,
			Call{
				Name: "PostToolUse", Moment: After, Session: "s", Dir: "/p", Tool: "apply_patch",
				Command: "*** Begin Patch\n*** Update File: a.go\n@@\n-x\n+y\n*** Add File: b/c.go\n+z\n*** End Patch", Files: []string{"a.go", "b/c.go"},
			},
		},
		{
			"Codex, a command in words",
			`{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"shell","tool_input":{"command":["bash","-lc","ls"]}}`,
			Call{Name: "PreToolUse", Moment: Before, Session: "s", Dir: "/p", Tool: "shell", Command: "bash -lc ls"},
		},
		{
			"Gemini CLI, after a file was written",
			`{"session_id":"s","cwd":"/p","hook_event_name":"AfterTool","timestamp":"2026-01-02T03:04:05Z","tool_name":"write_file","tool_input":{"file_path":"a.md","content":"x"},"tool_response":{}}`,
			Call{Name: "AfterTool", Moment: After, Session: "s", Dir: "/p", Tool: "write_file", Files: []string{"a.md"}},
		},
		{
			"Gemini CLI, at the end",
			`{"session_id":"s","cwd":"/p","hook_event_name":"AfterAgent","prompt":"go","prompt_response":"done","stop_hook_active":false}`,
			Call{Name: "AfterAgent", Moment: End, Session: "s", Dir: "/p"},
		},
		{
			"Cursor, before a command",
			`{"conversation_id":"c","generation_id":"g","hook_event_name":"beforeShellExecution","workspace_roots":["/p"],"command":"npm test","cwd":""}`,
			Call{Name: "beforeShellExecution", Moment: Before, Session: "c", Dir: "/p", Command: "npm test"},
		},
		{
			"Cursor, before a tool whose input is a text",
			`{"conversation_id":"c","hook_event_name":"beforeMCPExecution","workspace_roots":["/p"],"tool_name":"write","tool_input":"{\"path\":\"a\"}"}`,
			Call{Name: "beforeMCPExecution", Moment: Before, Session: "c", Dir: "/p", Tool: "write", Files: []string{"a"}},
		},
		{
			"Cursor, after an edit",
			`{"conversation_id":"c","hook_event_name":"afterFileEdit","workspace_roots":["/p"],"file_path":"/p/a","edits":[{"old_string":"x","new_string":"y"}]}`,
			Call{Name: "afterFileEdit", Moment: After, Session: "c", Dir: "/p", Files: []string{"/p/a"}},
		},
		{
			"Cursor, at the end, once more",
			`{"conversation_id":"c","hook_event_name":"stop","workspace_roots":["/p"],"status":"completed","loop_count":1}`,
			Call{Name: "stop", Moment: End, Session: "c", Dir: "/p", Again: true, FollowUp: true},
		},
		{
			"a field of another type",
			`{"session_id":7,"cwd":"/p","hook_event_name":"Stop"}`,
			Call{Name: "Stop", Moment: End, Dir: "/p"},
		},
		{"an event to come", `{"hook_event_name":"Teleport"}`, Call{Name: "Teleport"}},
	} {
		got, err := Read(strings.NewReader(c.in))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n%+v, %v, want\n%+v", c.name, got, err, c.want)
		}
	}
}

func TestReadOfNoCall(t *testing.T) {
	for _, in := range []string{"", "x", "[]", "null", "7", "{}", `{"hook_event_name":""}`, `{"hook_event_name":3}`, `{"hook_event_name":"Stop"`, `{"type":"agent-turn-complete"}`} {
		if c, err := Read(strings.NewReader(in)); !errors.Is(err, ErrNoCall) {
			t.Errorf("%q: %+v, %v", in, c, err)
		}
	}
}

// endless never ends, as the pipe of an agent that does not close it.
type endless struct{ text io.Reader }

func (e endless) Read(p []byte) (int, error) {
	n, err := e.text.Read(p)
	if err == io.EOF {
		select {}
	}
	return n, err
}

func TestReadDoesNotWaitForTheEnd(t *testing.T) {
	c, err := Read(endless{strings.NewReader(`{"hook_event_name":"Stop"}`)})
	if err != nil || c.Moment != End {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestWhatATool(t *testing.T) {
	for command, want := range map[string]bool{
		"git plan status": true, "cd x && git plan alert clear a": true, "/usr/local/bin/git-plan next": true, "bash -lc 'git plan next'": true,
		"git commit -m 'the plan'": false, "gitplan": false, "git": false, "": false, "make git-planner": false,
	} {
		if got := (Call{Command: command}).AsksUs(); got != want {
			t.Errorf("%q asks us: %v", command, got)
		}
	}
	for tool, want := range map[string]bool{"Read": false, "read_file": false, "Edit": true, "shell": true, "": true, "mcp__x__y": true} {
		if got := (Call{Tool: tool}).Works(); got != want {
			t.Errorf("%q works: %v", tool, got)
		}
	}
}

func TestTold(t *testing.T) {
	told := Told{filepath.Join(t.TempDir(), "a", "told")}
	step := func(session string, keys []string, want string) {
		t.Helper()
		got, err := told.New(session, keys)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s %v: %v, %v, want %s", session, keys, got, err, want)
		}
	}
	step("s 1", []string{"a", "b"}, "a b")
	step("s 1", []string{"a", "c"}, "c")
	step("s 2", []string{"a"}, "a")
	step("s 1", nil, "")
	many := []string{}
	for i := range 2 * maxTold {
		many = append(many, strings.Repeat("k", i%190)+string(rune('a'+i%26)))
	}
	if _, err := told.New("s3", many); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(told.File)
	if lines := strings.Count(string(data), "\n"); err != nil || lines > maxTold {
		t.Errorf("%d lines, %v", lines, err)
	}
	step("s 1", []string{"a"}, "a") // long forgotten
}

// What cannot be remembered is not told.
func TestToldWhereNothingCanBeWritten(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if fresh, err := (Told{filepath.Join(blocked, "told")}).New("s", []string{"a"}); err == nil || len(fresh) > 0 {
		t.Errorf("%v, %v", fresh, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"hook_event_name":"PreToolUse","tool_input":{"command":"*** Begin Patch\n*** Add File: a"}}`))
	f.Add([]byte(`{"hook_event_name":"stop","tool_input":"{\"path\":[1]}","loop_count":1e9}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Read(strings.NewReader(string(data)))
		if (err == nil) != (c.Name != "") {
			t.Errorf("%+v, %v", c, err)
		}
	})
}
