package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"testing"
	"testing/iotest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/session"
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
				Planner: &session.Session{}, Loop: true, Log: io.Discard,
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
		case <-time.After(gittest.Hang):
			t.Fatal("the session hangs")
		}
		for answers := bufio.NewScanner(&out); answers.Scan(); {
			if !json.Valid(answers.Bytes()) {
				t.Errorf("the server sent %q", answers.Bytes())
			}
		}
	})
}

// Each line that a client sends is let through as messages, or answered with an
// error; what is let through is what the session can read. A session takes
// milliseconds to begin, so that this sees a thousand times as many lines.
func FuzzLines(f *testing.F) {
	for _, sent := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`[{"jsonrpc":"2.0","id":1.5,"method":"ping"},{"jsonrpc":"2.0","method":"a","params":[]},7]`,
		"{\"id\":\"a\",\"ID\":9007199254740992,\"result\":{}}\r\n\n \t\nnull\n[]\n[[]]\n{",
		`{"jsonrpc":"2.0","id":{},"method":"a"}` + "\n" + `{"jsonrpc":"2.0","id":null,"method":"a"}`,
		`{"jsonrpc":"2.0","id":-1e15,"error":{"code":1,"message":"\u2028"}}`,
	} {
		f.Add([]byte(sent))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		var refused bytes.Buffer
		passed, err := io.ReadAll(newLines(iotest.OneByteReader(bytes.NewReader(sent)), &refused))
		if err != nil {
			t.Fatal(err)
		}
		answered := 0
		for line := range bytes.Lines(passed) {
			answered++
			if _, err := jsonrpc.DecodeMessage(line); err != nil || !bytes.HasSuffix(line, []byte("\n")) {
				t.Errorf("%q is let through: %v", line, err)
			}
		}
		for line := range bytes.Lines(refused.Bytes()) {
			answered++
			var answer struct {
				JSONRPC string
				Error   struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal(line, &answer); err != nil || answer.JSONRPC != "2.0" || answer.Error.Code >= 0 || answer.Error.Message == "" {
				t.Errorf("%q is no answer: %v", line, err)
			}
		}
		asked := 0
		for line := range bytes.Lines(sent) {
			if len(bytes.TrimSpace(line)) > 0 {
				asked++
			}
		}
		if answered < asked {
			t.Errorf("%d lines, %d of them let through or answered", asked, answered)
		}
	})
}
