package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/gittest"
	"github.com/git-plan/git-plan/internal/session"
)

// client speaks with a server line by line.
type client struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	log  *lockedBuffer
	stop context.CancelFunc
	done chan error
	last int

	begun message // the answer to initialize
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// connect begins a session with a server of these options, which may leave out
// what the test does not need.
func connect(t *testing.T, opts Options) *client {
	t.Helper()
	c := &client{t: t, log: &lockedBuffer{}, done: make(chan error, 1)}
	opts.Log = c.log
	if opts.Document == nil {
		opts.Document = func(err error) []byte { return []byte(err.Error()) }
	}
	if opts.Plans == nil {
		opts.Plans = func(context.Context) (State, error) { return State{}, nil }
	}
	if opts.Stamp == nil {
		opts.Stamp = func() string { return "" }
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	c.in, c.out, c.stop = toServer, bufio.NewReader(fromServer), stop
	go func() {
		err := Serve(ctx, in, out, opts)
		out.Close()
		c.done <- err
	}()
	t.Cleanup(func() {
		stop()
		toServer.Close()
		fromServer.Close()
	})
	c.begun = c.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// message is what a server sends.
type message struct {
	ID     any             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int
		Message string
	} `json:"error"`
}

func (c *client) receive() message {
	c.t.Helper()
	var line string
	var err error
	got := make(chan struct{})
	go func() { line, err = c.out.ReadString('\n'); close(got) }()
	select {
	case <-got:
	case <-time.After(gittest.Hang):
		c.t.Fatal("the server is silent")
	}
	var m message
	if err != nil || json.Unmarshal([]byte(line), &m) != nil {
		c.t.Fatalf("the server sends %q: %v", line, err)
	}
	return m
}

// ask sends a request and gives the answer, past whatever else comes.
func (c *client) ask(method, params string) message {
	c.t.Helper()
	c.last++
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.last, method, params))
	for {
		if m := c.receive(); m.ID == float64(c.last) {
			return m
		}
	}
}

// answer sends a line and gives what comes next.
func (c *client) answer(line string) message {
	c.t.Helper()
	c.send(line)
	return c.receive()
}

// call calls a tool and gives the texts of its answer.
func (c *client) call(tool, arguments string) (texts []string, isError bool) {
	c.t.Helper()
	m := c.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	if m.Error != nil {
		c.t.Fatalf("%s %s: %+v", tool, arguments, m.Error)
	}
	return answerOf(c.t, m)
}

func answerOf(t *testing.T, m message) (texts []string, isError bool) {
	t.Helper()
	var result struct {
		Content           []struct{ Type, Text string }
		IsError           bool
		StructuredContent any
	}
	if err := json.Unmarshal(m.Result, &result); err != nil {
		t.Fatal(err)
	}
	for _, part := range result.Content {
		if part.Type != "text" || result.StructuredContent != nil {
			t.Fatalf("the answer is %s", m.Result)
		}
		texts = append(texts, part.Text)
	}
	return texts, result.IsError
}

// ended waits for the end of the server and gives its error.
func (c *client) ended() error {
	c.t.Helper()
	go func() { _, _ = io.Copy(io.Discard, c.out) }()
	select {
	case err := <-c.done:
		return err
	case <-time.After(gittest.Hang):
		c.t.Fatal("the server does not end")
		return nil
	}
}

// The end of what a client says ends the session, but not before all that was
// asked for is answered.
func TestEndOfInput(t *testing.T) {
	release := make(chan struct{})
	c := connect(t, Options{Loop: true, Run: func(context.Context, []string, []byte) Answer {
		<-release
		return Answer{Stdout: []byte("{}\n")}
	}})
	for id := range 3 {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"call %d","method":"tools/call","params":{"name":"plan_check"}}`, id))
	}
	c.in.Close()
	close(release)
	for id := range 3 {
		if m := c.receive(); m.ID != fmt.Sprintf("call %d", id) || m.Error != nil {
			t.Errorf("answer %d is %+v", id, m)
		}
	}
	if err := c.ended(); err != nil {
		t.Error(err)
	}
}

// Who stops the server interrupts what runs, and the server ends.
func TestStop(t *testing.T) {
	began, ended := make(chan struct{}), make(chan struct{})
	c := connect(t, Options{Loop: true, Run: func(ctx context.Context, _ []string, _ []byte) Answer {
		close(began)
		<-ctx.Done()
		close(ended)
		return Answer{Status: 130}
	}})
	c.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"plan_check"}}`)
	<-began
	c.stop()
	if err := c.ended(); !Ended(err) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-ended
}

// A fault of a tool is an answer, told on the log, and not the end.
func TestPanicIsAnswered(t *testing.T) {
	c := connect(t, Options{Loop: true, Run: func(context.Context, []string, []byte) Answer { panic("out of cheese") }})
	for range 2 {
		m := c.ask("tools/call", `{"name":"plan_check"}`)
		if m.Error == nil || m.Error.Code != -32603 || !strings.Contains(m.Error.Message, "out of cheese") {
			t.Errorf("%+v", m)
		}
	}
	if log := c.log.String(); !strings.Contains(log, "out of cheese") || !strings.Contains(log, "serve_test.go") {
		t.Errorf("the log says %q", log)
	}
}

// What a deep value does to a server that answers is its own affair: none.
func TestDeepArguments(t *testing.T) {
	c := connect(t, Options{Planner: &session.Session{}, Loop: true, Run: func(context.Context, []string, []byte) Answer { return Answer{} }})
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	for _, tool := range []string{"planning_add_step", "plan_start"} {
		m := c.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":{"steps":%s}}`, tool, deep))
		if m.Error == nil {
			if _, isError := answerOf(t, m); !isError {
				t.Errorf("%s takes %.200s", tool, m.Result)
			}
		}
	}
	if m := c.ask("ping", "{}"); m.Error != nil {
		t.Errorf("%+v", m)
	}
}

// A line without end is not read without end.
func TestLongLine(t *testing.T) {
	c := connect(t, Options{Planner: &session.Session{}})
	go func() {
		part := bytes.Repeat([]byte("x"), 1<<20)
		for range 2 * MaxLine >> 20 {
			if _, err := c.in.Write(part); err != nil {
				return
			}
		}
	}()
	if m := c.receive(); m.Error == nil || m.Error.Code != -32600 {
		t.Errorf("%+v", m)
	}
	var long *LongLineError
	if err := c.ended(); !errors.As(err, &long) || Ended(err) {
		t.Error(err)
	}
}

// Tools run one at a time and in order, however they are asked for, and other
// questions do not wait for them.
func TestToolsRunInOrder(t *testing.T) {
	var mu sync.Mutex
	var order []string
	running := 0
	first := make(chan struct{})
	c := connect(t, Options{Loop: true, Run: func(_ context.Context, args []string, _ []byte) Answer {
		mu.Lock()
		running++
		if running > 1 {
			t.Error("two at once")
		}
		order = append(order, args[len(args)-1])
		n := len(order)
		mu.Unlock()
		if n == 1 {
			<-first
		}
		mu.Lock()
		running--
		mu.Unlock()
		return Answer{Stdout: []byte("{}")}
	}})
	const calls = 60
	var want []string
	for i := range calls {
		id := fmt.Sprintf("plan-%d", i)
		want = append(want, id)
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"plan_draft","arguments":{"plan":%q}}}`, 1000+i, id))
	}
	if m := c.ask("ping", "{}"); m.Error != nil {
		t.Errorf("%+v", m)
	}
	// One that waits is cancelled, and never runs.
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1030}}`)
	c.ask("ping", "{}")
	close(first)
	for range calls - 1 {
		c.receive()
	}
	want = append(want[:30], want[31:]...)
	mu.Lock()
	defer mu.Unlock()
	if fmt.Sprint(order) != fmt.Sprint(want) {
		t.Errorf("they ran in the order %v", order)
	}
}

// A call that runs is interrupted by its client.
func TestCancel(t *testing.T) {
	began := make(chan struct{})
	c := connect(t, Options{Loop: true, Run: func(ctx context.Context, _ []string, _ []byte) Answer {
		close(began)
		<-ctx.Done()
		return Answer{Status: 130, Stdout: []byte("{}")}
	}})
	c.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"plan_check"}}`)
	<-began
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	if m := c.ask("ping", "{}"); m.Error != nil {
		t.Errorf("%+v", m)
	}
}
