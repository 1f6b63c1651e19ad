package hooks

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Status tells for every hook that belongs here whether git would really run
// it. Hooks of our own are tried: git runs them, they answer and judge nothing.
// Hooks of others are never run.
func (in *Installer) Status(ctx context.Context) (Report, error) {
	var report Report
	for _, event := range Events() {
		if !in.wants(event) {
			continue
		}
		row, err := in.statusOne(ctx, event)
		if err != nil {
			return report, fmt.Errorf("test hook %s: %w", event, err)
		}
		report.Hooks = append(report.Hooks, row)
	}
	return report, nil
}

func (in *Installer) statusOne(ctx context.Context, event Event) (Hook, error) {
	p, err := lookAt(in.file(event))
	if err != nil {
		return Hook{}, err
	}
	row := Hook{Event: event, Path: p.path}
	configured := in.isConfigured(event)
	switch {
	case configured && in.readsConfig():
		row.Path = in.configFile()
		return in.try(ctx, row, true)
	case p.intact && p.executable:
		return in.try(ctx, row, false)
	case p.intact:
		row.State, row.Message = NotExecutable, "git ignores it: run `git plan hooks install`"
	case p.ours:
		row.State, row.Message = Edited, "somebody edited this shim, and it was not tried: move the edits to a file of their own, remove it and install again"
	case configured:
		row.Path = in.configFile()
		row.State, row.Message = OldGit, fmt.Sprintf("this git %d.%d does not ask its configuration for hooks: run `git plan hooks install`", in.version.Major, in.version.Minor)
	default:
		return in.statusOfOthers(event, p), nil
	}
	return row, nil
}

// statusOfOthers is the status where no hook of ours is.
func (in *Installer) statusOfOthers(event Event, p place) Hook {
	row := Hook{Event: event, Path: p.path}
	own, err := lookAt(filepath.Join(in.own, string(event)))
	shadowed := err == nil && own.ours && in.own != in.dir
	switch {
	case p.there && callsUs(p.text, event) && !p.executable:
		row.State, row.Message = NotExecutable, "git ignores it: make it executable"
	case p.there && callsUs(p.text, event):
		row.State, row.Message = Called, "a hook that is not git plan's calls it; not tested, as that would run all of it"
	case shadowed:
		row.State, row.Path = Shadowed, own.path
		row.Message = "core.hooksPath sends git to " + in.dir + " instead: run `git plan hooks install`"
	case in.manager != nil && in.manager.works(event):
		return in.manager.status(event)
	case in.readsConfig():
		row.State, row.Path, row.Message = NotInstalled, in.configFile(), "run `git plan hooks install`"
	case in.manager != nil && in.manager.has(event):
		return in.manager.status(event)
	case in.isOutside():
		row = in.installElsewhere(event, p)
		row.State = NotInstalled
	case p.there:
		row.State, row.Message = InTheWay, "it is not git plan's: `git plan hooks install --chain` runs it first"
	default:
		row.State, row.Message = NotInstalled, "run `git plan hooks install`"
	}
	return row
}

// try lets git run a hook of ours and looks for the answer.
func (in *Installer) try(ctx context.Context, row Hook, configured bool) (Hook, error) {
	for _, key := range []string{"hook." + string(row.Event) + ".enabled", "hook." + row.Event.configName() + ".enabled"} {
		on, err := in.config.Bool(key, true)
		if err != nil {
			return row, err
		}
		if configured && !on {
			row.State, row.Message = Disabled, key+" is false: unset it"
			return row, nil
		}
	}
	word, err := randomWord()
	if err != nil {
		return row, err
	}
	stdout, stderr, err := in.runHook(ctx, row, word, configured)
	said := string(stdout) + stderr
	switch {
	case strings.Contains(said, probeAnswer(word, row.Event)):
		row.State = Runs
	case strings.Contains(said, notFound):
		row.State, row.Message = NoProgram, "git-plan is neither where it was at the install nor on PATH: install it, then run `git plan hooks install`"
	default:
		row.State, row.Message = Fails, "it did not answer: "+lastLine(said, err)
	}
	return row, nil
}

// runHook makes git run one hook of ours and nothing of others.
func (in *Installer) runHook(ctx context.Context, row Hook, word string, configured bool) (stdout []byte, stderr string, err error) {
	g := in.git.WithEnv(probeVariable+"="+word, hookOff+"=false")
	g.Env = slices.DeleteFunc(g.Env, func(kv string) bool { // the answer stays away with these
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(remoteVariables(), name)
	})
	if !in.version.AtLeast(2, 36) { // it has no `git hook`; an alias is what it runs
		return g.ReadBoth(ctx, "-c", "alias.git-plan-probe=!exec "+shellQuote(filepath.ToSlash(row.Path)), "git-plan-probe", probeArgument)
	}
	var args []string
	if configured {
		args = append(args, "-c", "core.hooksPath="+os.DevNull)
	}
	if in.readsConfig() {
		args = append(args, in.othersOff(row.Event)...)
	}
	return g.ReadBoth(ctx, append(args, "hook", "run", string(row.Event), "--", probeArgument)...)
}

// hookOff is the variable by which the hooks of others are turned off: their
// names may hold what -c cannot.
const hookOff = "GIT_PLAN_HOOK_OFF"

// othersOff gives the options that turn off each hook in the configuration that
// is not ours.
func (in *Installer) othersOff(event Event) []string {
	var args []string
	for _, key := range in.config.Keys("hook.") {
		name, ok := strings.CutSuffix(key, ".event")
		if ok && name+".event" != event.eventKey() {
			args = append(args, "--config-env="+name+".enabled="+hookOff)
		}
	}
	return args
}

func randomWord() (string, error) {
	var word [8]byte
	_, err := rand.Read(word[:])
	return hex.EncodeToString(word[:]), err
}

// lastLine gives the last thing that was said.
func lastLine(said string, err error) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	if err != nil {
		return err.Error()
	}
	return "it said nothing"
}
