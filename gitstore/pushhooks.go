package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// withoutProjectHooks gives the settings under which git runs no hook of the
// project: those of the git directory, and those that the configuration of the
// repository or a worktree names. A test suite of the code must not run at each
// push of the plans. Hooks that the system or the user configured run.
func (r *Repo) withoutProjectHooks(ctx context.Context) ([]string, error) {
	out, err := r.Git.Read(ctx, "config", "-z", "--show-scope", "--get-regexp", `^(core\.hookspath|hook\..*\.(event|command))$`)
	if err != nil && !git.IsMissing(err) {
		return nil, fmt.Errorf("find out which hooks run: %w", err)
	}
	folder := "/dev/null" // git's own way to say none, on every system
	var off []string
	for pair := range slices.Chunk(strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), 2) {
		if len(pair) < 2 {
			break
		}
		key, value, _ := strings.Cut(pair[1], "\n")
		ofProject := pair[0] == "local" || pair[0] == "worktree"
		switch name, _ := strings.CutPrefix(key, "hook."); {
		case key == "core.hookspath" && !ofProject:
			folder = value
		case name != key && ofProject && !strings.Contains(name, "="): // "=" would end the key
			off = append(off, name[:strings.LastIndexByte(name, '.')])
		}
	}
	settings := []string{"-c", "core.hooksPath=" + folder}
	slices.Sort(off)
	for _, name := range slices.Compact(off) {
		settings = append(settings, "-c", "hook."+name+".enabled=false")
	}
	return settings, nil
}
