package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"
)

// Whatever a client sends, the session ends when the input does, without an
// error of its own, and nothing but JSON comes back.
func FuzzServe(f *testing.F) {
	const begin = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` +
		"\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	for _, lines := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"planning_setup_plan","arguments":{"objective":"x"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plan_update","arguments":{"add_tasks":[{"title":"a"}]}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`[{"jsonrpc":"2.0","id":1.5,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"plan://a\u0000"}}]`,
		`{"jsonrpc":"2.0","id":"a","method":"resources/list"}` + "\n" + `{"jsonrpc":"2.0","id":"a","method":"resources/subscribe","params":{"uri":"plan://a"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"planning","arguments":{"strategy":"react"}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"x"}}}`,
	} {
		f.Add([]byte(begin + lines))
		f.Add([]byte(lines))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		var out bytes.Buffer
		over := make(chan error, 1)
		go func() {
			over <- Serve(context.Background(), bytes.NewReader(sent), &out, Options{
				Planner: &Memory{}, Loop: true, Log: io.Discard,
				Run:      func(context.Context, []string, []byte) Answer { return Answer{Stdout: []byte("{}")} },
				Document: func(error) []byte { return []byte("{}") },
				Plans: func(context.Context) (State, error) {
					return State{Plans: []Plan{{ID: "a", Title: "A"}}, Current: "a"}, nil
				},
				Stamp: func() string { return "" },
			})
		}()
		select {
		case err := <-over:
			if !Ended(err) {
				t.Errorf("the session ended with %v", err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the session hangs")
		}
		for answers := bufio.NewScanner(&out); answers.Scan(); {
			if !json.Valid(answers.Bytes()) {
				t.Errorf("the server sent %q", answers.Bytes())
			}
		}
	})
}
