package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-plan/git-plan/internal/session"
)

// fakeStore stands for a store that others change.
type fakeStore struct {
	mu    sync.Mutex
	now   State
	moves int
	asked int
	fails bool
}

func (f *fakeStore) options() Options {
	return Options{
		Planner: &session.Session{},
		Plans: func(context.Context) (State, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.asked++
			if f.fails {
				return State{}, errors.New("no repository")
			}
			return State{slices.Clone(f.now.Plans), f.now.Current}, nil
		},
		Stamp: func() string {
			f.mu.Lock()
			defer f.mu.Unlock()
			return fmt.Sprint(f.moves)
		},
		Run: func(_ context.Context, args []string, _ []byte) Answer {
			name := args[len(args)-1]
			switch {
			case name == "gone" && args[1] == "--json":
				return Answer{Stdout: []byte(`{"status":"error","error_type":"not_found","message":"no such plan"}`), Status: 128}
			case name == "broken" && args[1] == "--json":
				return Answer{Stdout: []byte(`{"status":"error","error_type":"io","message":"the disk is full"}`), Status: 128}
			case name == "gone" || name == "broken":
				return Answer{Stderr: []byte("fatal: the disk is full\n"), Status: 128}
			}
			return Answer{Stdout: []byte(strings.Join(args, " "))}
		},
	}
}

func (f *fakeStore) become(current string, plans ...Plan) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now, f.moves = State{plans, current}, f.moves+1
}

func listed(t *testing.T, c *client) string {
	t.Helper()
	var result struct {
		Resources []struct{ URI, Title, MIMEType string }
	}
	m := c.ask("resources/list", "{}")
	if err := json.Unmarshal(m.Result, &result); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range result.Resources {
		out = append(out, r.URI+" "+r.Title)
	}
	return strings.Join(out, "|")
}

// notices gives the next notifications, in no order.
func notices(c *client, count int) string {
	var out []string
	for range count {
		m := c.receive()
		var p struct{ URI string }
		if err := json.Unmarshal(m.Params, &p); err != nil || m.Method == "" {
			c.t.Fatalf("%+v", m)
		}
		out = append(out, strings.TrimPrefix(m.Method, "notifications/resources/")+" "+p.URI)
	}
	slices.Sort(out)
	return strings.Join(out, "|")
}

// A client may subscribe to every plan there is: the store is read once, until
// it moves.
func TestSubscribingIsCheap(t *testing.T) {
	f := &fakeStore{}
	f.become("", Plan{"auth", "Sign in", "1"})
	c := connect(t, f.options())
	subscribe := func() {
		for range 20 {
			if m := c.ask("resources/subscribe", `{"uri":"plan://auth"}`); m.Error != nil {
				t.Fatalf("%+v", m)
			}
		}
	}
	subscribe()
	f.mu.Lock()
	asked := f.asked
	f.mu.Unlock()
	if asked != 1 {
		t.Errorf("the store is read %d times", asked)
	}
	f.become("", Plan{"auth", "Sign in", "2"})
	c.send(`{"jsonrpc":"2.0","id":"s","method":"resources/subscribe","params":{"uri":"plan://auth"}}`)
	got := notices(c, 1)
	if got == "list_changed " { // of the first look, which may be told late
		got = notices(c, 1)
	}
	if got != "updated plan://auth" {
		t.Error(got)
	}
}

func TestResourceList(t *testing.T) {
	f := &fakeStore{}
	c := connect(t, f.options())
	if got := listed(t, c); got != "" {
		t.Errorf("without plans there are %s", got)
	}
	f.become("auth", Plan{"auth", "Sign in", "1"}, Plan{"web", "Site", "1"})
	if got := listed(t, c); got != "plan://auth Sign in|plan://current The current plan: Sign in|plan://web Site" {
		t.Error(got)
	}
	f.become("", Plan{"auth", "Sign in again", "2"})
	if got := listed(t, c); got != "plan://auth Sign in again" {
		t.Error(got)
	}
	f.become("auth", Plan{"auth", "Sign in", "1"}, Plan{"current", "A plan called so", "1"})
	if got := listed(t, c); got != "plan://auth Sign in|plan://current A plan called so" {
		t.Error(got)
	}
	f.fails = true
	if got := listed(t, c); !strings.Contains(got, "plan://auth") {
		t.Errorf("when the store cannot be read, what was known goes: %s", got)
	}
}

// Nobody looks after the store for a client that never asks about plans.
func TestNobodyLooksUnasked(t *testing.T) {
	f := &fakeStore{}
	c := connect(t, f.options())
	c.call("planning_setup_plan", `{"objective":"x"}`)
	c.ask("tools/list", "{}")
	c.in.Close()
	if err := c.ended(); err != nil || f.asked != 0 {
		t.Errorf("%v, asked %d times", err, f.asked)
	}
}

func TestResourceNotices(t *testing.T) {
	f := &fakeStore{}
	f.become("auth", Plan{"auth", "Sign in", "1"}, Plan{"web", "Site", "1"})
	c := connect(t, f.options())
	c.ask("resources/list", "{}")
	if got := notices(c, 1); got != "list_changed " {
		t.Error(got) // the first list is news, too
	}
	for _, uri := range []string{"plan://auth", "plan://current"} {
		if m := c.ask("resources/subscribe", fmt.Sprintf(`{"uri":%q}`, uri)); m.Error != nil {
			t.Fatalf("%+v", m)
		}
	}
	f.become("auth", Plan{"auth", "Sign in", "2"}, Plan{"web", "Site", "2"})
	if got := notices(c, 2); got != "updated plan://auth|updated plan://current" {
		t.Error(got) // and nothing of web, which nobody subscribed to
	}
	f.become("web", Plan{"auth", "Sign in", "2"}, Plan{"web", "Site", "2"})
	if got := notices(c, 2); got != "list_changed |updated plan://current" {
		t.Error(got)
	}
	f.become("", Plan{"web", "Site", "2"})
	if got := notices(c, 3); got != "list_changed |updated plan://auth|updated plan://current" {
		t.Error(got)
	}
	if m := c.ask("resources/unsubscribe", `{"uri":"plan://auth"}`); m.Error != nil {
		t.Fatalf("%+v", m)
	}
	c.in.Close()
	if err := c.ended(); err != nil {
		t.Error(err)
	}
}

func TestResourceRead(t *testing.T) {
	f := &fakeStore{}
	f.become("auth", Plan{"auth", "Sign in", "1"})
	c := connect(t, f.options())
	read := func(uri string) (text string, code int) {
		m := c.ask("resources/read", fmt.Sprintf(`{"uri":%q}`, uri))
		if m.Error != nil {
			return m.Error.Message, m.Error.Code
		}
		var result struct {
			Contents []struct{ URI, Text, MIMEType string }
		}
		if err := json.Unmarshal(m.Result, &result); err != nil || len(result.Contents) != 1 || result.Contents[0].URI != uri || result.Contents[0].MIMEType != plain {
			t.Fatalf("%s: %v", m.Result, err)
		}
		return result.Contents[0].Text, 0
	}
	for uri, want := range map[string]string{
		"plan://auth":         "show --format=text -- auth",
		"plan://auth@v2":      "show --format=text -- auth@v2",
		"plan://auth@%7B3%7D": "show --format=text -- auth@{3}",
		"plan://other":        "show --format=text -- other", // it may have come just now
		"plan://current":      "show --format=text",
	} {
		if got, code := read(uri); got != want || code != 0 {
			t.Errorf("%s gives %q, %d", uri, got, code)
		}
	}
	for _, uri := range []string{
		"plan://gone", "plan://", "plan:///etc/passwd", "plan://../x", "plan://./x", "plan://x.md", "plan://--help", "plan://-", "plan://HEAD:auth",
		"plan://auth/task", "plan://%2e%2e%2fx", "plan://%2d%2dhelp", "plan://%zz", "plan://auth@", "plan://auth@main", "plan://a b", "plan://AUTH", "file:///etc/passwd", "plan:auth", "",
	} {
		if got, code := read(uri); code != -32602 {
			t.Errorf("%s gives %q, %d", uri, got, code)
		}
	}
	if got, code := read("plan://broken"); code != -32603 || !strings.Contains(got, "the disk is full") {
		t.Errorf("%q, %d", got, code)
	}
}

func TestPrompts(t *testing.T) {
	c := connect(t, Options{Planner: &session.Session{}})
	get := func(params string) string {
		m := c.ask("prompts/get", params)
		if m.Error != nil {
			return fmt.Sprint(m.Error.Code, " ", m.Error.Message)
		}
		var result struct {
			Messages []struct {
				Role    string
				Content struct{ Text string }
			}
		}
		if err := json.Unmarshal(m.Result, &result); err != nil || len(result.Messages) != 1 || result.Messages[0].Role != "user" {
			t.Fatalf("%s: %v", m.Result, err)
		}
		return result.Messages[0].Content.Text
	}
	for params, want := range map[string]string{
		`{"name":"planning"}`: "Work in short turns",
		`{"name":"planning","arguments":{"strategy":"plan-act-reflect"}}`:                "Plan the whole before you act",
		`{"name":"planning","arguments":{"strategy":"goal-decompose-route-synthesise"}}`: "Work from the goal down",
		`{"name":"planning","arguments":{"strategy":"x"}}`:                               "-32602 no strategy is called",
		`{"name":"judge"}`: "",
		`{"name":"nope"}`:  "-32602 unknown prompt",
	} {
		if got := get(params); !strings.Contains(got, want) || got == "" {
			t.Errorf("%s gives %.200q", params, got)
		}
	}
}

// An address that no plan can have is not found, and the session goes on: also
// one that Go and JSON quote in different ways.
func TestOddAddresses(t *testing.T) {
	c := connect(t, Options{
		Plans: func(context.Context) (State, error) { return State{}, nil }, Stamp: func() string { return "" },
		Run: func(context.Context, []string, []byte) Answer { t.Error("ran"); return Answer{} },
	})
	for _, uri := range []string{"plan://p\x00q", "p\x00q", "plan://\x01", "plan://\x7f", "plan://\u202e", "plan://\U000e0001", "plan://a%00", "%", "", "\u2028", `"\`} {
		address, err := json.Marshal(map[string]string{"uri": uri})
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []string{"resources/read", "resources/subscribe", "resources/unsubscribe"} {
			m := c.ask(method, string(address))
			if method == "resources/read" && (m.Error == nil || m.Error.Code != -32602) {
				t.Errorf("%s of %q is answered with %+v", method, uri, m)
			}
		}
	}
}
