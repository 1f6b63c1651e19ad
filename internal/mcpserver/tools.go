package mcpserver

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-plan/git-plan/internal/session"
)

//go:embed loop.json
var loopList []byte

// addTools offers the tools that are asked for.
func (s *server) addTools() {
	if s.Planner != nil {
		for _, t := range session.Tools() {
			s.offer(t, s.plan)
		}
	}
	if s.Loop {
		for _, t := range loopTools() {
			s.offer(t.Tool, s.command(t))
		}
	}
}

func (s *server) offer(t session.Tool, run mcp.ToolHandler) {
	s.mcp.AddTool(describe(t), run)
	if t.Annotations.ReadOnly {
		s.readers = append(s.readers, t.Name)
	}
}

// describe is how the protocol shows a tool.
func describe(t session.Tool) *mcp.Tool {
	return &mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: t.InputSchema,
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: t.Annotations.ReadOnly, DestructiveHint: &t.Annotations.Destructive,
			IdempotentHint: t.Annotations.Idempotent, OpenWorldHint: &t.Annotations.OpenWorld,
		},
	}
}

// plan carries out one of the planning tools. It answers with a line, or with
// the plan where it was asked for: what an agent said itself it need not pay
// for again.
func (s *server) plan(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	result, err := s.Planner.Call(ctx, req.Params.Name, req.Params.Arguments)
	if err != nil {
		return s.refused(err), nil
	}
	if result.Plan != nil {
		data, err := json.Marshal(result.Plan)
		if err != nil {
			return nil, fmt.Errorf("the plan could not be written: %w", err)
		}
		return texts(false, data), nil
	}
	for _, w := range result.Warnings {
		fmt.Fprintln(s.Log, w)
	}
	return texts(false, []byte(result.Message), []byte(strings.Join(result.Warnings, "\n"))), nil
}

// refused answers with the document of an error.
func (s *server) refused(err error) *mcp.CallToolResult { return texts(true, s.Document(err)) }

// texts is the answer of a tool. It comes as text alone: models are given that,
// and a structured copy would double it.
func texts(isError bool, parts ...[]byte) *mcp.CallToolResult {
	result := &mcp.CallToolResult{IsError: isError, Content: []mcp.Content{}}
	for _, p := range parts {
		if p = bytes.TrimSpace(p); len(p) > 0 {
			result.Content = append(result.Content, &mcp.TextContent{Text: string(p)})
		}
	}
	return result
}

// command carries out one of the tools of the loop: the command line that the
// arguments make. What the command says on standard error, as warnings, comes
// after its document.
func (s *server) command(t loopTool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		words, stdin, err := t.line(req.Params.Arguments)
		if err != nil {
			return s.refused(err), nil
		}
		answer := s.Run(ctx, words, stdin)
		if len(answer.Stderr) > 0 {
			_, _ = s.Log.Write(answer.Stderr) // the answer tells it, too
		}
		return texts(answer.Status != 0, answer.Stdout, answer.Stderr), nil
	}
}
