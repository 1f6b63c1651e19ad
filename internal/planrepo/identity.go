package planrepo

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// StateDir is the folder, inside the worktree's git directory, for what git
// plan remembers about this worktree. It may not exist yet.
func (r *Repo) StateDir() string { return filepath.Join(r.GitDir, "git-plan") }

// Agent is who acts: the name given on the command line, else GIT_PLAN_AGENT,
// else the author's name with a suffix that is random to the worktree, so
// that two agents of one person are told apart.
func (r *Repo) Agent(ctx context.Context) (string, error) {
	for _, name := range []string{r.opts.Agent, r.opts.Getenv("GIT_PLAN_AGENT")} {
		if name = oneLine(name); name != "" {
			return name, nil
		}
	}
	author, err := r.Author(ctx)
	if err != nil {
		return "", err
	}
	suffix, err := r.suffix()
	if err != nil {
		return oneLine(author.Name), nil // a git directory that cannot be written has one user
	}
	return oneLine(author.Name) + "-" + suffix, nil
}

// suffix reads the worktree's suffix, or makes it. Two processes that make it
// at once agree on the one that was there first.
func (r *Repo) suffix() (string, error) {
	file := filepath.Join(r.StateDir(), "agent")
	if data, err := os.ReadFile(file); err == nil && len(strings.TrimSpace(string(data))) > 0 {
		return strings.TrimSpace(string(data)), nil
	}
	if err := os.MkdirAll(r.StateDir(), 0o777); err != nil {
		return "", err
	}
	var random [2]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", fmt.Errorf("no randomness for an agent's name: %w", err)
	}
	temp, err := os.CreateTemp(r.StateDir(), "agent-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(temp.Name())
	if _, err := temp.WriteString(hex.EncodeToString(random[:]) + "\n"); err != nil {
		return "", err
	}
	if err := temp.Close(); err != nil {
		return "", err
	}
	if err := os.Link(temp.Name(), file); err != nil && !os.IsExist(err) {
		return "", err
	}
	data, err := os.ReadFile(file)
	return strings.TrimSpace(string(data)), err
}

// oneLine makes text fit for a trailer or a field of one line.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f || r == ' ' }), " ")
}
