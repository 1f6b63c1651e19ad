package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// client speaks to the server of tools, a line for a line.
type client struct {
	g     *ground
	in    io.WriteCloser
	out   *bufio.Reader
	ended chan int
	last  int
}

// newClient starts the server of tools with the given arguments. It is nil where
// the program has none.
func newClient(g *ground, args ...string) *client {
	g.t.Helper()
	if cmd, _, err := newRoot(&app{}).Find([]string{"mcp"}); err != nil || cmd.Name() != "mcp" {
		return nil
	}
	fromUs, toServer := io.Pipe()
	fromServer, toUs := io.Pipe()
	c := &client{g: g, in: toServer, out: bufio.NewReaderSize(fromServer, 1<<20), ended: make(chan int, 1)}
	go func() {
		status := Main(Env{Stdin: fromUs, Stdout: toUs, Stderr: toUs, Dir: g.Dir, Environ: g.Env, Now: testClock}, append([]string{"mcp"}, args...))
		toUs.Close()
		c.ended <- status
	}()
	c.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
	fmt.Fprintln(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// ask sends a request, and gives the line that answers it.
func (c *client) ask(method string, params any) string {
	c.g.t.Helper()
	c.last++
	id := c.last
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		c.g.t.Fatal(err)
	}
	answer := make(chan string, 1)
	go func() {
		fmt.Fprintf(c.in, "%s\n", line)
		for {
			got, err := c.out.ReadString('\n')
			var head struct{ ID int }
			if err != nil || json.Unmarshal([]byte(got), &head) == nil && head.ID == id {
				answer <- got
				return
			}
		}
	}()
	select {
	case got := <-answer:
		return got
	case <-time.After(patience):
		c.g.t.Fatalf("no answer to %s", line)
		return ""
	}
}

// close ends the session, and with it the server.
func (c *client) close() {
	_ = c.in.Close()
	_, _ = io.Copy(io.Discard, c.out)
	<-c.ended
}

// argument is one argument of a tool, as its schema has it.
type argument struct {
	Type any      `json:"type"`
	Enum []string `json:"enum"`
}

// tools gives the arguments of each tool.
func (c *client) tools() map[string]map[string]argument {
	c.g.t.Helper()
	var list struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema struct{ Properties map[string]argument }
			}
		}
	}
	if err := json.Unmarshal([]byte(c.ask("tools/list", map[string]any{})), &list); err != nil {
		c.g.t.Fatal(err)
	}
	out := map[string]map[string]argument{}
	for _, t := range list.Result.Tools {
		out[t.Name] = t.InputSchema.Properties
	}
	return out
}

// arguments fills a tool's arguments so that one of them says something odd,
// and the others what is right.
func arguments(tool map[string]argument, odd string, value any) map[string]any {
	args := map[string]any{}
	for name, p := range tool {
		switch {
		case name == odd:
			args[name] = value
		case len(p.Enum) > 0:
			args[name] = p.Enum[0]
		case name == "plan":
			args[name] = "p"
		case name == "id", name == "task":
			args[name] = "one"
		}
	}
	return args
}

// What a model sends to the tools is data, like what comes on a command line:
// no argument of any tool, and no address of a resource, runs, reads or writes.
// Where the program has no such server, nothing is sent.
func TestBoundaryTools(t *testing.T) {
	for _, flags := range [][]string{nil, {"--persist"}, {"--tools", "loop"}} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			t.Parallel()
			g := withPlan(t)
			g.link("OUTSIDE", "away")
			g.draft(plain())
			c := newClient(g, flags...)
			if c == nil {
				return
			}
			g.arm()
			values := []any{map[string]any{"$ref": "file://OUTSIDE/secret"}, []any{"OUTSIDE/secret", "--exec=CANARY"}, -1, nil}
			for _, word := range oddWords() {
				values = append(values, g.told(word))
			}
			for name, task := range payloads() {
				if name != "large" {
					values = append(values, []any{task}, map[string]any{"add_tasks": []any{task}})
				}
			}
			turn := 0
			for tool, properties := range c.tools() {
				for name := range properties {
					for i, value := range values {
						if turn++; i%5 != turn%5 && name != "plan" {
							continue // each value meets a fifth of the arguments
						}
						data, _ := json.Marshal(arguments(properties, name, value))
						got := c.ask("tools/call", map[string]any{"name": tool, "arguments": json.RawMessage(g.told(string(data)))})
						if strings.Contains(got, secret) {
							t.Errorf("%s with %s printed %s", tool, data, got)
						}
					}
				}
			}
			for _, word := range append(oddWords(), "p", "p/../../outside/secret", "/OUTSIDE/secret") {
				for _, scheme := range []string{"plan://", "file://", ""} {
					if got := c.ask("resources/read", map[string]any{"uri": scheme + g.told(word)}); strings.Contains(got, secret) {
						t.Errorf("the resource %s%s is %s", scheme, word, got)
					}
				}
				c.ask("prompts/get", map[string]any{"name": g.told(word), "arguments": map[string]any{"strategy": g.told(word)}})
			}
			c.close()
			g.sweep("p", []string{"list", "log", "check plans", "status --json"})
		})
	}
}
