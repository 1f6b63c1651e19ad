package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/session"
)

// planningPrompt is the one that comes in strategies.
const planningPrompt = "planning"

// aboutLoop tells a model what the tools of the loop are for.
const aboutLoop = `The plan_* tools keep plans of the project in git, for work that outlasts this
session or that others share. Ask plan_status what to do now and do what its
now.agent_instructions say; report with plan_update. Where they name a command
line, use the tool of that name. plan_start begins a plan.`

// instructions are what a client tells its model of the server. Clients cut
// them off at about 2,000 characters, so what is said of the loop comes first.
func (o Options) instructions() string {
	switch {
	case o.Planner == nil:
		return aboutLoop
	case !o.Loop:
		return session.Section(o.Strategy)
	}
	return aboutLoop + "\n\n" + session.Section(o.Strategy)
}

func (s *server) addPrompts() {
	for _, e := range prompt.Catalogue() {
		p := &mcp.Prompt{Name: e.Name, Description: e.About}
		if e.Name == planningPrompt {
			p.Arguments = []*mcp.PromptArgument{{Name: "strategy", Description: "react, plan-act-reflect or goal-decompose-route-synthesise"}}
		}
		s.mcp.AddPrompt(p, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			strategy := s.Strategy
			if name := req.Params.Arguments["strategy"]; name != "" && e.Name == planningPrompt {
				var err error
				if strategy, err = session.ParseStrategy(name); err != nil {
					return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
				}
			}
			return &mcp.GetPromptResult{Description: e.About, Messages: []*mcp.PromptMessage{
				{Role: "user", Content: &mcp.TextContent{Text: e.Text(strategy)}},
			}}, nil
		})
	}
}
