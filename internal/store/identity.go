package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
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
	suffix, err := suffixIn(r.StateDir())
	if err != nil {
		return oneLine(author.Name), nil // a git directory that cannot be written has one user
	}
	return oneLine(author.Name) + "-" + suffix, nil
}

// KnownAgent is [Repo.Agent] for a reader, which makes nothing: where no name is
// given and the worktree has no suffix yet, nobody has acted here, and it is "".
func (r *Repo) KnownAgent(ctx context.Context) (string, error) {
	given := oneLine(r.opts.Agent) != "" || oneLine(r.opts.Getenv("GIT_PLAN_AGENT")) != ""
	if !given && readSuffix(filepath.Join(r.StateDir(), suffixFile)) == "" {
		return "", nil
	}
	return r.Agent(ctx)
}

// suffixFile is the name of the file with a worktree's suffix.
const suffixFile = "agent"

// suffixIn reads the worktree's suffix, or makes it. Two processes that make it
// at once agree on the one that was there first.
func suffixIn(dir string) (string, error) {
	file := filepath.Join(dir, suffixFile)
	if known := readSuffix(file); known != "" {
		return known, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	var random [2]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", fmt.Errorf("no randomness for an agent's name: %w", err)
	}
	temp, err := os.CreateTemp(dir, "agent-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(temp.Name())
	if _, err := temp.WriteString(hex.EncodeToString(random[:]) + "\n"); err != nil {
		return "", err
	}
	if err := errors.Join(temp.Sync(), temp.Close()); err != nil {
		return "", err
	}
	if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() && readSuffix(file) == "" {
		_ = os.Remove(file) // a loss of power may leave it empty, or full of zeros
	}
	if err := os.Link(temp.Name(), file); err != nil && !os.IsExist(err) {
		return "", err
	}
	if known := readSuffix(file); known != "" {
		return known, nil
	}
	return "", fmt.Errorf("%s holds no name", file)
}

// readSuffix reads a worktree's suffix. It is "" where there is none, or
// something else that no name can end in.
func readSuffix(file string) string {
	data, err := os.ReadFile(file)
	text := strings.TrimSpace(string(data))
	odd := func(r rune) bool {
		return r != '-' && r != '.' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}
	if err != nil || len(text) > 64 || strings.ContainsFunc(text, odd) {
		return ""
	}
	return text
}

// oneLine makes text fit for a trailer or a field of one line.
func oneLine(s string) string {
	return strings.TrimSpace(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f || r == ' ' }), " "))
}
