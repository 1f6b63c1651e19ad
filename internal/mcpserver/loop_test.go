package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-plan/git-plan/internal/session"
)

func toolNamed(t *testing.T, name string) loopTool {
	t.Helper()
	tools := loopTools()
	i := slices.IndexFunc(tools, func(l loopTool) bool { return l.Name == name })
	if i < 0 {
		t.Fatalf("there is no tool %s", name)
	}
	return tools[i]
}

// Each tool has a form, and each argument that a schema names a place in it.
func TestFormsAreWhole(t *testing.T) {
	tools := loopTools()
	if len(tools) != len(forms()) {
		t.Errorf("%d tools are listed, and %d have a form", len(tools), len(forms()))
	}
	for _, tool := range tools {
		if tool.form.words == nil || tool.Title == "" || !strings.HasSuffix(tool.Description, ".") {
			t.Errorf("%+v", tool.Tool)
		}
		var strict struct {
			Additional *bool `json:"additionalProperties"`
		}
		if err := json.Unmarshal(tool.InputSchema, &strict); err != nil || strict.Additional == nil || *strict.Additional {
			t.Errorf("%s takes more than its schema says", tool.Name)
		}
		placed := map[string]bool{tool.form.verb: true, tool.form.last: true}
		for _, f := range tool.form.flags {
			placed[f[0]] = true
			if _, ok := tool.schema.Properties[f[0]]; !ok {
				t.Errorf("%s places %s, which its schema does not know", tool.Name, f[0])
			}
		}
		for key := range tool.schema.Properties {
			if !placed[key] && tool.form.input == nil {
				t.Errorf("%s takes %s and does nothing with it", tool.Name, key)
			}
		}
	}
}

func TestCommandLines(t *testing.T) {
	for _, c := range []struct{ tool, arguments, want, stdin string }{
		{"plan_start", `{"goal":"a b\nc","constraints":["--x","y,z"],"spec":"s.md","memories":[],"id":""}`, "start|--json|--goal=a b\nc|--spec=s.md|--constraint=--x|--constraint=y,z|--", ""},
		{"plan_status", ``, "status|--json|--", ""},
		{"plan_status", `{"plan":"auth","all":true}`, "status|--json|--plan=auth|--all=true|--", ""},
		{"plan_status", `{"plan":null,"all":false}`, "status|--json|--", ""},
		{"plan_update", `{"plan":"auth","final_summary":"x"}`, "update|--json|--plan=auth|--|-", `{"final_summary":"x"}`},
		{"plan_next", `{"claim":true}`, "next|--json|--claim=true|--", ""},
		{"plan_task", `{"move":"done","task":"-x","affected_files":["a","b"]}`, "task|done|--json|--affected=a|--affected=b|--|-x", ""},
		{"plan_alert", `{"action":"list"}`, "alert|list|--json|--", ""},
		{"plan_alert", `{"action":"open","id":"tests","message":"m"}`, "alert|open|--json|--message=m|--|tests", ""},
		{"plan_replan", `{"plan":"auth","reason":"r","tasks":[{"title":"a"},{"title":"b","id":7}]}`,
			"replan|--from=-|--form=planloop|--json|--reason=r|--|auth", `{"tasks":[{"id":1,"title":"a"},{"id":7,"title":"b"}]}`},
		{"plan_draft", `{}`, "dir|--json|--", ""},
		{"plan_draft", `{"plan":"auth"}`, "checkout|--json|--|auth", ""},
		{"plan_check", `{}`, "check|--json|--", ""},
		{"plan_commit", `{"message":"m"}`, "commit|--json|--message=m|--", ""},
	} {
		args, stdin, err := toolNamed(t, c.tool).line([]byte(c.arguments))
		if err != nil || strings.Join(args, "|") != c.want || string(stdin) != c.stdin {
			t.Errorf("%s %s runs %q with %s, %v", c.tool, c.arguments, args, stdin, err)
		}
	}
}

func TestArgumentsThatAreRefused(t *testing.T) {
	for _, c := range []struct{ tool, arguments, want string }{
		{"plan_start", `{}`, "goal: missing: it is required"},
		{"plan_start", `[]`, "not an object: send {...}"},
		{"plan_start", `{"goal":1,"code":["a",2],"x":1}`, `code[1]: not a text: send a string; goal: not a text: send a string; x: unknown: leave it out; what may stand here is code, constraints, goal, id, memories, request, spec`},
		{"plan_status", `{"all":"yes"}`, "all: neither true nor false: send one of these"},
		{"plan_task", `{"move":"start; rm","task":"a"}`, `move: "start; rm" is none: give start, done, fail, block, release, skip, cancel, reopen`},
		{"plan_task", `{"move":"done","task":""}`, "task: missing: it is required"},
		{"plan_alert", `{"action":"run","id":"x"}`, `action: "run" is none: give open, clear, list`},
		{"plan_alert", `{"action":"clear"}`, "id: missing: it is required"},
		{"plan_alert", `{"action":"list","id":"x"}`, "id: leave it out with list"},
		{"plan_update", `{"add_tasks":7}`, "add_tasks: not a list: send [...]"},
		{"plan_replan", `{"plan":"a","reason":"r","tasks":["x"]}`, "tasks[0]: not an object: send {...}"},
		{"plan_replan", `{"plan":"a","reason":"r","tasks":[{"title":"a"},{"title":"b","ref":"b","title":"c"},null]}`, `tasks[1].title: given twice: give it once; tasks[2]: not an object: send {...}`},
		{"plan_update", `{"update_tasks":[{"id":1}],"update_tasks":[{"id":2}]}`, `update_tasks: given twice: give it once`},
		{"plan_task", `{"task":"a","task":1,"move":"done"}`, `task: given twice: give it once; task: not a text: send a string`},
		{"plan_check", `{"plan":"a"}`, `plan: unknown: the tool takes no arguments`},
	} {
		_, _, err := toolNamed(t, c.tool).line([]byte(c.arguments))
		var refused *session.ValidationError
		if !errors.As(err, &refused) || strings.TrimPrefix(err.Error(), c.tool+": ") != c.want {
			t.Errorf("%s %s: %v", c.tool, c.arguments, err)
		}
	}
}

// Whatever a client sends, the words of a command line before "--" are ours: its
// texts stand behind the "=" of a flag of ours, or behind "--".
func TestPropertyArgumentsAreNoFlags(t *testing.T) {
	tools := loopTools()
	hostile := []string{"--force", "-m", "--", "--json=false", "-", "--plan", "x --y", "--agent=root", "\x00", "a\n--b", "--help", "run"}
	g := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 20_000 {
		tool := tools[g.IntN(len(tools))]
		args := map[string]any{}
		for key, s := range tool.schema.Properties {
			if g.IntN(3) == 0 && !slices.Contains(tool.schema.Required, key) {
				continue
			}
			args[key] = hostileValue(g, s, hostile)
		}
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		words, _, err := tool.line(raw)
		if err != nil {
			continue
		}
		taken++
		ours := map[string]bool{"--json": true}
		for _, f := range append(slices.Clone(tool.form.flags), [2]string{}) {
			ours["--"+f[1]] = true
		}
		end := slices.Index(words, "--")
		for i, arg := range words[:end] {
			flag, _, valued := strings.Cut(arg, "=")
			word := i < len(tool.form.words)+1 && (slices.Contains(tool.form.words, arg) || slices.Contains(tool.schema.Properties[tool.form.verb].Enum, arg) || arg == "dir")
			if !word && arg != "--json" && (!valued || !ours[flag]) {
				t.Fatalf("%s %s runs %q", tool.Name, raw, words)
			}
		}
	}
	if taken < 1000 {
		t.Errorf("only %d calls were taken", taken)
	}
}

func hostileValue(g *rand.Rand, s session.Schema, hostile []string) any {
	pick := func() string { return hostile[g.IntN(len(hostile))] }
	switch s.Type {
	case "boolean":
		return g.IntN(2) == 0
	case "array":
		if s.Items.Type == "object" {
			return []any{map[string]any{pick(): pick()}}
		}
		return []string{pick(), pick()}
	}
	if s.Enum != nil && g.IntN(4) > 0 {
		return s.Enum[g.IntN(len(s.Enum))]
	}
	return pick()
}

// Every agent pays for the list of tools at every start.
func TestToolListIsSmall(t *testing.T) {
	for _, c := range []struct {
		opts  Options
		most  int
		tools int
	}{
		{Options{Planner: &session.Session{}, Loop: true}, 12_000, 16},
		{Options{Planner: &session.Session{}}, 4_500, 6},
		{Options{Loop: true}, 8_500, 10},
	} {
		m := connect(t, c.opts).ask("tools/list", "{}")
		var list struct {
			Tools []struct{ Name string }
			Next  string `json:"nextCursor"`
		}
		if err := json.Unmarshal(m.Result, &list); err != nil || len(list.Tools) != c.tools || list.Next != "" {
			t.Errorf("%d tools, %v", len(list.Tools), err)
		}
		if size := len(m.Result); size >= c.most {
			t.Errorf("the list of %d tools has %d bytes", c.tools, size)
		}
	}
}

// A client is told what the server has, and nothing of what the protocol gives
// up: sampling, roots, logging.
func TestCapabilities(t *testing.T) {
	c := connect(t, Options{Planner: &session.Session{}, Loop: true})
	var result struct {
		Capabilities map[string]json.RawMessage
		Instructions string
	}
	if err := json.Unmarshal(c.begun.Result, &result); err != nil {
		t.Fatal(err)
	}
	if keys := slices.Sorted(maps.Keys(result.Capabilities)); fmt.Sprint(keys) != "[prompts resources tools]" || !strings.HasPrefix(result.Instructions, aboutLoop) {
		t.Errorf("the capabilities are %v, the instructions %s", keys, result.Instructions)
	}
}

// Instructions are short, and say of the loop what a client that cuts them off
// after 2,000 characters still shows.
func TestInstructions(t *testing.T) {
	for _, s := range session.Strategies() {
		both := Options{Planner: &session.Session{}, Kept: true, Loop: true, Strategy: s}.instructions()
		if len(both) > 2_048 || !strings.Contains(both, aboutKept) || !strings.HasPrefix(both, aboutLoop) || !strings.HasSuffix(both, session.Section(s)) {
			t.Errorf("%d bytes:\n%s", len(both), both)
		}
	}
	if alone := (Options{Loop: true}).instructions(); alone != aboutLoop {
		t.Error(alone)
	}
	if alone := (Options{Planner: &session.Session{}}).instructions(); alone != session.Section(session.React) {
		t.Error(alone)
	}
}

// What a command says beside its document is told after it.
func TestWarningsAreTold(t *testing.T) {
	c := connect(t, Options{Loop: true, Run: func(context.Context, []string, []byte) Answer {
		return Answer{Stdout: []byte("{}\n"), Stderr: []byte("warning: odd\n"), Status: 1}
	}})
	texts, isError := c.call("plan_check", "{}")
	if !isError || strings.Join(texts, "|") != "{}|warning: odd" || c.log.String() != "warning: odd\n" {
		t.Errorf("%q, %v, and the log says %q", texts, isError, c.log)
	}
}
