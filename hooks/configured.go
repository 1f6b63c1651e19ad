package hooks

import (
	"context"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/git"
)

// configName is a hook's name in git's configuration. It must differ from the
// names of events.
func (e Event) configName() string { return "git-plan-" + string(e) }

func (e Event) commandKey() string { return "hook." + e.configName() + ".command" }

func (e Event) eventKey() string { return "hook." + e.configName() + ".event" }

// isConfigured reports whether git's configuration, of any scope, names our
// hook for the event.
func (in *Installer) isConfigured(event Event) bool {
	command, ok := in.config.Get(event.commandKey())
	return ok && isOurCommand(command) && slices.Contains(in.config.All(event.eventKey()), string(event))
}

// installConfigured puts a hook into the repository's configuration.
func (in *Installer) installConfigured(ctx context.Context, event Event) (Hook, error) {
	row := Hook{Event: event, Path: in.configFile()}
	for _, command := range in.config.All(event.commandKey()) {
		if !isOurCommand(command) {
			row.State = InTheWay
			row.Message = event.commandKey() + " was set by somebody: unset it and install again"
			return row, nil
		}
	}
	want := in.shim(event).command()
	is, _ := in.config.Get(event.commandKey())
	if is == want && in.isConfigured(event) {
		row.State = Unchanged
		return row, nil
	}
	row.State, row.Message = Installed, event.configName()
	// The command first: git refuses to work at all on an event without one.
	if is != want {
		if err := in.setConfig(ctx, "--replace-all", event.commandKey(), want); err != nil {
			return row, err
		}
	}
	if slices.Contains(in.config.All(event.eventKey()), string(event)) {
		return row, nil
	}
	return row, in.setConfig(ctx, "--add", event.eventKey(), string(event))
}

// uninstallConfigured takes a hook out of the repository's configuration. What
// others set under its name stays.
func (in *Installer) uninstallConfigured(ctx context.Context, event Event) (Hook, error) {
	row := Hook{Event: event, State: Unchanged, Path: in.configFile()}
	commands, events, err := in.localConfig(ctx, event)
	ours := slices.DeleteFunc(slices.Clone(commands), func(c string) bool { return !isOurCommand(c) })
	if err != nil || len(ours) == 0 {
		return row, err
	}
	if others := slices.DeleteFunc(slices.Clone(events), func(e string) bool { return e == string(event) }); len(others) > 0 {
		row.State = InTheWay
		row.Message = event.eventKey() + " was also set to " + strings.Join(others, ", ") + ": unset that and uninstall again"
		return row, nil
	}
	row.State, row.Message = Removed, event.configName()
	if len(events) > 0 { // the event first, for the same reason
		if err := in.setConfig(ctx, "--fixed-value", "--unset-all", event.eventKey(), string(event)); err != nil {
			return row, err
		}
	}
	for _, command := range slices.Compact(ours) {
		if err := in.setConfig(ctx, "--fixed-value", "--unset-all", event.commandKey(), command); err != nil {
			return row, err
		}
	}
	return row, nil
}

// localConfig gives what the repository's own configuration has for a hook.
func (in *Installer) localConfig(ctx context.Context, event Event) (commands, events []string, err error) {
	if _, ok := in.config.Get(event.commandKey()); !ok {
		return nil, nil, nil // nor in this scope
	}
	out, err := in.git.Read(ctx, "config", "--local", "-z", "--get-regexp", `^hook\.`+event.configName()+`\.(command|event)$`)
	if git.IsMissing(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		if key == event.commandKey() {
			commands = append(commands, value)
		} else {
			events = append(events, value)
		}
	}
	return commands, events, nil
}

func (in *Installer) setConfig(ctx context.Context, args ...string) error {
	_, err := in.git.Write(ctx, nil, append([]string{"config", "--local"}, args...)...)
	return err
}
