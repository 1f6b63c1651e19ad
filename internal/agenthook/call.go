// Package agenthook reads what coding agents tell their hooks: the JSON that
// Claude Code, Codex, Gemini CLI and Cursor write to the standard input of a
// hook's command.
//
// [Read] is the entry. The agents name the same moments and fields in words of
// their own; a [Call] has what they have in common. What it does not know it
// leaves out: a hook must not fail because its agent learnt something new.
package agenthook

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// Moment is when a hook is called.
type Moment int

// The moments that matter here.
const (
	// Other moments are none of ours.
	Other Moment = iota
	// Before the agent uses a tool, which can be refused.
	Before
	// After it used one.
	After
	// End of the agent's turn, which can go on instead.
	End
)

// Call is one call of a hook by an agent.
type Call struct {
	// Name is the moment's name as the agent has it.
	Name   string
	Moment Moment
	// Session tells the agent's sessions apart; it may be empty.
	Session string
	// Dir is where the agent works; it may be empty.
	Dir string
	// Tool is the tool's name, and Command the command line that it is to run,
	// or empty.
	Tool, Command string
	// Files are those that the tool writes, as the agent names them.
	Files []string
	// Again says that the agent goes on already because a hook wanted it to.
	Again bool
	// FollowUp says that the agent takes no refusal at the end of a turn, but a
	// document with what to do next.
	FollowUp bool
}

// maxInput bounds what is read: agents send along what their tools wrote.
const maxInput = 16 << 20

// ErrNoCall is returned for input that no agent writes.
var ErrNoCall = errors.New("the input is no call of an agent's hook, a JSON object with hook_event_name")

// payload has the fields of all agents; each sends some of them.
type payload struct {
	Event        string          `json:"hook_event_name"`
	Session      string          `json:"session_id"`
	Conversation string          `json:"conversation_id"`
	Dir          string          `json:"cwd"`
	Roots        []string        `json:"workspace_roots"`
	Tool         string          `json:"tool_name"`
	Input        json.RawMessage `json:"tool_input"`
	Again        bool            `json:"stop_hook_active"`
	Loops        int             `json:"loop_count"`
	File         string          `json:"file_path"`
	Command      string          `json:"command"`
}

// Read reads one call and nothing behind it, so that it does not wait for an
// agent to close the pipe.
func Read(r io.Reader) (Call, error) {
	var p payload
	err := json.NewDecoder(io.LimitReader(r, maxInput)).Decode(&p)
	var wrong *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &wrong) || p.Event == "" { // a field of another type is left out
		return Call{}, ErrNoCall
	}
	c := Call{
		Name: p.Event, Moment: momentOf(p.Event), Session: p.Session, Dir: p.Dir, Tool: p.Tool, Command: p.Command,
		Again: p.Again || p.Loops > 0, FollowUp: p.Event == "stop",
	}
	if c.Session == "" {
		c.Session = p.Conversation
	}
	if c.Dir == "" && len(p.Roots) > 0 {
		c.Dir = p.Roots[0]
	}
	c.input(p.Input)
	if p.File != "" && c.Moment == After {
		c.Files = append(c.Files, p.File)
	}
	slices.Sort(c.Files)
	c.Files = slices.Compact(c.Files)
	return c, nil
}

// momentOf knows the names of all agents: Claude Code's and Codex's first, then
// Gemini CLI's, then Cursor's.
func momentOf(name string) Moment {
	switch name {
	case "PreToolUse", "BeforeTool", "preToolUse", "beforeShellExecution", "beforeMCPExecution":
		return Before
	case "PostToolUse", "AfterTool", "postToolUse", "afterFileEdit":
		return After
	case "Stop", "AfterAgent", "stop":
		return End
	}
	return Other
}

// input takes files and command out of a tool's arguments, an object in most
// agents, a text that holds one in some.
func (c *Call) input(raw json.RawMessage) {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		raw = json.RawMessage(text)
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		return
	}
	for _, key := range []string{"file_path", "notebook_path", "path", "filePath"} {
		var file string
		if json.Unmarshal(args[key], &file) == nil && file != "" {
			c.Files = append(c.Files, file)
		}
	}
	if c.Command == "" {
		c.Command = commandOf(args["command"])
	}
	for _, key := range []string{"command", "input", "patch"} {
		c.Files = append(c.Files, patched(commandOf(args[key]))...)
	}
}

// commandOf reads a command line, a text or a list of words.
func commandOf(raw json.RawMessage) string {
	var line string
	if json.Unmarshal(raw, &line) == nil {
		return line
	}
	var words []string
	if json.Unmarshal(raw, &words) == nil {
		return strings.Join(words, " ")
	}
	return ""
}

// patched gives the files that a patch writes, in the form of apply_patch.
func patched(text string) []string {
	if !strings.Contains(text, "*** Begin Patch") {
		return nil
	}
	var files []string
	for line := range strings.Lines(text) {
		for _, mark := range []string{"*** Add File: ", "*** Update File: ", "*** Move to: ", "*** Delete File: "} {
			if file, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok {
				files = append(files, strings.TrimSpace(file))
			}
		}
	}
	return files
}

// Works reports whether the tool does work, rather than look, ask or keep the
// agent's own notes. A tool that is not known works.
func (c Call) Works() bool {
	switch c.Tool {
	case "Read", "NotebookRead", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "TodoWrite", "TodoRead", "AskUserQuestion", "ExitPlanMode", "ToolSearch",
		"view_image", "update_plan", "read_mcp_resource", "list_mcp_resources",
		"read_file", "read_many_files", "list_directory", "glob", "search_file_content", "grep_search", "web_fetch", "google_web_search", "write_todos", "ask_user":
		return false
	}
	return true
}

// AsksUs reports whether the tool is a command of git plan: how an agent finds
// out what is the matter, and says that it is mended.
func (c Call) AsksUs() bool {
	words := strings.FieldsFunc(c.Command, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()`'\"", r) })
	for i, w := range words {
		if w == "git-plan" || strings.HasSuffix(w, "/git-plan") || w == "git" && i+1 < len(words) && words[i+1] == "plan" {
			return true
		}
	}
	return false
}
