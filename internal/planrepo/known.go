package planrepo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// KnownAgent is [Repo.Agent] for a reader, which makes nothing: where no name is
// given and the worktree has no suffix yet, nobody has acted here, and it is "".
func (r *Repo) KnownAgent(ctx context.Context) (string, error) {
	given := oneLine(r.opts.Agent) != "" || oneLine(r.opts.Getenv("GIT_PLAN_AGENT")) != ""
	if !given {
		data, err := os.ReadFile(filepath.Join(r.StateDir(), "agent"))
		if err != nil || strings.TrimSpace(string(data)) == "" {
			return "", nil
		}
	}
	return r.Agent(ctx)
}
