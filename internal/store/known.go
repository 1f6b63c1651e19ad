package store

import "context"

// KnownAgent is [Repo.Agent] for a reader, which makes nothing: where no name is
// given and the worktree has no suffix yet, nobody has acted here, and it is "".
func (r *Repo) KnownAgent(ctx context.Context) (string, error) {
	given := oneLine(r.opts.Agent) != "" || oneLine(r.opts.Getenv("GIT_PLAN_AGENT")) != ""
	if !given && readSuffix(r.suffixFile()) == "" {
		return "", nil
	}
	return r.Agent(ctx)
}
