package gitstore

import (
	"context"
	"slices"
	"strings"
)

// withoutProjectHooks gives the settings under which git runs no hook of the
// project: those of the git directory, and those that the configuration of the
// repository or a worktree names. A test suite of the code must not run at each
// push of the plans. Hooks that the system or the user configured run.
func (r *Repo) withoutProjectHooks(ctx context.Context) ([]string, error) {
	config, err := r.Config(ctx)
	if err != nil {
		return nil, err
	}
	folder := "/dev/null" // git's own way to say none, on every system
	for _, set := range config.settings["core.hookspath"] {
		if !set.local {
			folder = set.value
		}
	}
	var off []string
	for _, key := range config.Keys("hook.") {
		name := strings.TrimPrefix(key, "hook.")
		name, event := strings.CutSuffix(name, ".event")
		name, command := strings.CutSuffix(name, ".command")
		if !event && !command || strings.Contains(name, "=") { // "=" would end the key
			continue
		}
		if slices.ContainsFunc(config.settings[key], func(set setting) bool { return set.local }) {
			off = append(off, name)
		}
	}
	settings := []string{"-c", "core.hooksPath=" + folder}
	slices.Sort(off)
	for _, name := range slices.Compact(off) {
		settings = append(settings, "-c", "hook."+name+".enabled=false")
	}
	return settings, nil
}
