package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/session"
)

// aboutLoop tells a model what the tools of the loop are for.
const aboutLoop = `The plan_* tools keep plans of the project in git, for work that outlasts this
session or that others share. plan_status says what to do now: do it, report
with plan_update, ask again. A command line named there is the tool of that
name. plan_start begins a plan.`

// aboutKept tells a model that there may be a plan already.
const aboutKept = `The planning_* tools keep their plan in git, too: look with planning_read_plan
whether one is there before you set one up.`

// instructions are what a client tells its model of the server. Clients cut
// them off at about 2,000 characters, so what is said of the loop comes first.
func (o Options) instructions() string {
	var parts []string
	if o.Loop {
		parts = append(parts, aboutLoop)
	}
	if o.Kept {
		parts = append(parts, aboutKept)
	}
	if o.Planner != nil {
		parts = append(parts, session.Section(o.Strategy))
	}
	return strings.Join(parts, "\n\n")
}

func (s *server) addPrompts() {
	for _, e := range prompt.Catalogue() {
		p := &mcp.Prompt{Name: e.Name, Description: e.About}
		if e.Name == prompt.Planning {
			p.Arguments = []*mcp.PromptArgument{{Name: "strategy", Description: "react, plan-act-reflect or goal-decompose-route-synthesise"}}
		}
		s.mcp.AddPrompt(p, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			strategy := s.Strategy
			if name := req.Params.Arguments["strategy"]; name != "" && e.Name == prompt.Planning {
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
