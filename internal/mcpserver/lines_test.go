package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-plan/git-plan/internal/session"
)

// Lines that are no messages are answered, and the session goes on.
func TestLinesThatAreNoMessages(t *testing.T) {
	c := connect(t, Options{Planner: &session.Session{}})
	for line, code := range map[string]int{
		"garbage":      -32700,
		`{"a":`:        -32700,
		"\x00\xff\xfe": -32700,
		`{"jsonrpc":"2.0","id":1,"method":"ping"} {}`: -32700,
		strings.Repeat("[", 20000):                    -32700,
		"5":                                           -32600,
		`{}`:                                          -32600,
		`[]`:                                          -32600,
		`[{}]`:                                        -32600,
		`"ping"`:                                      -32600,
		`{"jsonrpc":"2.0","id":[],"method":"ping"}`: -32600,
	} {
		c.send(line)
		if m := c.receive(); m.ID != nil || m.Error == nil || m.Error.Code != code {
			t.Errorf("%.40q is answered with %+v", line, m)
		}
	}
	for _, line := range []string{`{"jsonrpc":"1.0","id":"old","method":"ping"}`, `{"jsonrpc":"2.0","id":"old"}`, `{"jsonrpc":"2.0","id":"old","Method":"ping"}`} {
		c.send(line)
		if m := c.receive(); m.ID != "old" || m.Error == nil || m.Error.Code != -32600 {
			t.Errorf("%s is answered with %+v", line, m)
		}
	}
	c.send(`{"jsonrpc":"2.0","id":"nobody","result":null}`) // an answer that nobody waits for
	for _, id := range []string{"1.5", "1e300", "9007199254740993", "9223372036854775807", "-9007199254740994", "null"} {
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		if m := c.receive(); m.Error == nil || m.Error.Code != -32600 || !strings.Contains(m.Error.Message, "the id is") {
			t.Errorf("the id %s is answered with %+v", id, m)
		}
	}
	c.send("")
	c.send(" \t\r")
	c.send(`  {"jsonrpc":"2.0","id":"spaced","method":"ping"}  ` + "\r")
	if m := c.receive(); m.ID != "spaced" || m.Error != nil {
		t.Errorf("%+v", m)
	}
}

// A list of messages is taken as so many lines, whatever ids are in it, and what
// is no message in it hinders none of the others.
func TestListOfMessages(t *testing.T) {
	c := connect(t, Options{Planner: &session.Session{}})
	const note, ping = `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, `{"jsonrpc":"2.0","id":"p","method":"ping"}`
	c.send(`[` + note + `,` + note + `,7,[],` + ping + `]`)
	for _, code := range []int{-32600, -32600, 0} {
		m := c.receive()
		if (m.Error == nil) != (code == 0) || m.Error != nil && m.Error.Code != code || code == 0 && m.ID != "p" {
			t.Errorf("%+v, want the code %d", m, code)
		}
	}
	c.send(`[` + note + `]`)
	if m := c.answer(`[` + ping + `]`); m.ID != "p" || m.Error != nil {
		t.Errorf("%+v", m)
	}
}

// A second request with the id of one that is not answered is refused, and takes
// nothing away from the first.
func TestIDInUse(t *testing.T) {
	began, release := make(chan bool), make(chan bool)
	var ran atomic.Int32
	c := connect(t, Options{Loop: true, Run: func(context.Context, []string, []byte) Answer {
		ran.Add(1)
		began <- true
		<-release
		return Answer{Stdout: []byte("{}")}
	}})
	call := func(id string) string {
		return `{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"name":"plan_status","arguments":{}}}`
	}
	c.send(call("a"))
	<-began
	c.send(call("b")) // waits
	for _, again := range []string{call("a"), call("b"), `{"jsonrpc":"2.0","id":"a","method":"ping"}`} {
		if m := c.answer(again); m.Error == nil || m.Error.Code != -32600 || !strings.Contains(m.Error.Message, "an id of its own") {
			t.Errorf("%s is answered with %+v", again, m)
		}
	}
	release <- true
	if m := c.receive(); m.ID != "a" || m.Error != nil {
		t.Errorf("%+v", m)
	}
	<-began
	release <- true
	if m := c.receive(); m.ID != "b" || m.Error != nil || ran.Load() != 2 {
		t.Errorf("%+v after %d calls", m, ran.Load())
	}
}

// Who asks where the plan stands is answered while a change takes long, and
// changes stay in their order.
func TestReadingWhileAChangeWaits(t *testing.T) {
	began, release := make(chan string, 10), make(chan bool)
	c := connect(t, Options{Loop: true, Patience: time.Millisecond, Run: func(_ context.Context, line []string, _ []byte) Answer {
		began <- line[0]
		if line[0] != "status" {
			<-release
		}
		return Answer{Stdout: []byte("{}")}
	}})
	call := func(id, tool, args string) string {
		return `{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
	}
	c.send(call("change", "plan_update", "{}"))
	if got := <-began; got != "update" {
		t.Errorf("%s began where update was to", got)
	}
	c.send(call("claim", "plan_next", `{"claim":true}`))
	for _, id := range []string{"ask", "ask again"} {
		if m := c.answer(call(id, "plan_status", "{}")); m.ID != id || m.Error != nil {
			t.Errorf("%+v", m)
		}
	}
	release <- true
	if m := c.receive(); m.ID != "change" {
		t.Errorf("%+v", m)
	}
	release <- true
	if m := c.receive(); m.ID != "claim" {
		t.Errorf("%+v", m)
	}
	for _, want := range []string{"status", "status", "next"} {
		if got := <-began; got != want {
			t.Errorf("%s began where %s was to", got, want)
		}
	}
}

// Where nothing takes long a question waits for the changes before it.
func TestReadingAfterAChange(t *testing.T) {
	c := connect(t, Options{Planner: &session.Session{}})
	for id, call := range []string{
		`"planning_setup_plan","arguments":{"objective":"x"}`, `"planning_add_step","arguments":{"steps":[{"title":"a"}]}`, `"planning_read_plan"`,
	} {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%s}}`, 100+id, call))
	}
	c.receive()
	c.receive()
	if texts, isError := answerOf(t, c.receive()); isError || !strings.Contains(texts[0], `"S001"`) {
		t.Errorf("%q", texts)
	}
}
