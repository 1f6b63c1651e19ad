package hooks

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

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
	// Added, or left as it is if another install was first.
	return row, in.setConfig(ctx, "--fixed-value", "--replace-all", event.eventKey(), string(event), string(event))
}

// uninstallConfigured takes a hook out of the repository's configuration. What
// others set under its name stays.
func (in *Installer) uninstallConfigured(ctx context.Context, event Event) (Hook, error) {
	row := Hook{Event: event, State: Unchanged, Path: in.configFile()}
	local, err := in.localConfig(ctx, event)
	if err != nil || !slices.ContainsFunc(local[event.commandKey()], isOurCommand) {
		return row, err
	}
	if others := without(local[event.eventKey()], func(e string) bool { return e == string(event) }); len(others) > 0 {
		row.State = InTheWay
		row.Message = event.eventKey() + " was also set to " + strings.Join(others, ", ") + ": unset that and uninstall again"
		return row, nil
	}
	row.State, row.Message = Removed, event.configName()
	foreign := without(slices.Collect(maps.Keys(local)), func(key string) bool { return key == event.eventKey() || key == event.commandKey() })
	if len(foreign)+len(without(local[event.commandKey()], isOurCommand)) == 0 {
		return row, in.setConfig(ctx, "--remove-section", "hook."+event.configName())
	}
	return row, in.unsetConfigured(ctx, event, local)
}

// unsetConfigured leaves what else is set under a hook's name. The event goes
// first, for the same reason for which it comes last.
func (in *Installer) unsetConfigured(ctx context.Context, event Event, local map[string][]string) error {
	if len(local[event.eventKey()]) > 0 {
		if err := in.setConfig(ctx, "--fixed-value", "--unset-all", event.eventKey(), string(event)); err != nil {
			return err
		}
	}
	for _, command := range local[event.commandKey()] {
		if !isOurCommand(command) {
			continue
		}
		if err := in.setConfig(ctx, "--fixed-value", "--unset-all", event.commandKey(), command); err != nil {
			return err
		}
	}
	return nil
}

// without gives what is left of a list.
func without(list []string, drop func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(list), drop)
}

// localConfig gives what the repository's own configuration has for a hook, by
// its keys.
func (in *Installer) localConfig(ctx context.Context, event Event) (map[string][]string, error) {
	if _, ok := in.config.Get(event.commandKey()); !ok {
		return nil, nil // nor in this scope
	}
	out, err := in.git.Read(ctx, "config", "--local", "-z", "--get-regexp", `^hook\.`+event.configName()+`\.`)
	if git.IsMissing(err) {
		return nil, nil
	}
	local := map[string][]string{}
	for _, entry := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		local[key] = append(local[key], value)
	}
	return local, err
}

// configPatience is how long another writer of the configuration is waited for.
// Git itself waits for none.
const configPatience = 2 * time.Second

func (in *Installer) setConfig(ctx context.Context, args ...string) error {
	end := time.Now().Add(configPatience)
	for {
		_, err := in.git.Write(ctx, nil, append([]string{"config", "--local"}, args...)...)
		if !git.Said(err, "could not lock config file") || time.Now().After(end) {
			return err
		}
		if why := tryLock(in.configFile() + ".lock"); why != nil && !errors.Is(why, fs.ErrExist) {
			return why
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// tryLock tells why a lock cannot be had, which git says for some changes of
// its configuration and not for others.
func tryLock(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(file))
}
