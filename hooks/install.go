package hooks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/git"
)

// InstallOptions say how far [Installer.Install] may go.
type InstallOptions struct {
	// Chain moves a hook that is in the way beside, and runs it first.
	Chain bool
	// SpareWorkTree writes nothing into the working tree, which core.hooksPath
	// may lead to.
	SpareWorkTree bool
}

// Install puts in every hook that belongs here, each by the way that this git
// knows, and takes out those that no longer do. It writes over nothing of
// anybody else: what is in the way is reported, and the rest is installed.
//
// Run again it changes nothing.
func (in *Installer) Install(ctx context.Context, opts InstallOptions) (Report, error) {
	var report Report
	for _, event := range Events() {
		row, err := in.installOne(ctx, event, opts)
		if err != nil {
			return report, in.failure("install", event, err)
		}
		if row.State != "" {
			report.Hooks = append(report.Hooks, row)
		}
	}
	return report, nil
}

// installOne gives an empty row where there is nothing to say.
func (in *Installer) installOne(ctx context.Context, event Event, opts InstallOptions) (Hook, error) {
	if !in.wants(event) {
		row, err := in.uninstallOne(ctx, event)
		if err != nil || row.State != Removed {
			return Hook{}, err
		}
		row.Message = "it is not wanted here"
		return row, nil
	}
	place, err := lookAt(in.file(event))
	if err != nil {
		return Hook{}, err
	}
	switch {
	case place.intact, in.repo.Bare && !place.there && !in.isOutside(): // works with every git, and one way is enough
		return in.replaceConfigured(ctx, event, place, opts)
	case in.readsConfig() && in.isConfigured(event):
		return in.installConfigured(ctx, event)
	case place.executable && callsUs(place.text, event):
		return Hook{Event: event, State: Unchanged, Path: place.path, Message: "that hook calls git plan already"}, nil
	case in.manager != nil && in.manager.works(event):
		return in.manager.install(event), nil
	case in.readsConfig():
		return in.installConfigured(ctx, event)
	}
	return in.replaceConfigured(ctx, event, place, opts)
}

// replaceConfigured installs a hook as a file, and only so: a git that asks its
// configuration would run both.
func (in *Installer) replaceConfigured(ctx context.Context, event Event, place place, opts InstallOptions) (Hook, error) {
	if _, err := in.uninstallConfigured(ctx, event); err != nil {
		return Hook{}, err
	}
	switch {
	case place.intact:
	case in.manager != nil && in.manager.has(event):
		return in.manager.install(event), nil
	case in.isOutside():
		return in.installElsewhere(event, place), nil
	case opts.SpareWorkTree && !in.isInGitDir():
		return Hook{
			Event: event, State: Elsewhere, Path: place.path,
			Message: "core.hooksPath names a folder of the working tree: `git plan hooks install` writes there",
		}, nil
	}
	return in.installFile(event, place, opts.Chain)
}

// installElsewhere says what to put into a folder that is not to be written.
func (in *Installer) installElsewhere(event Event, place place) Hook {
	return Hook{
		Event: event, State: Elsewhere, Path: place.path, Snippet: callLines(event),
		Message: "git looks for hooks in a folder that is not this repository's own (core.hooksPath, or a link), and nothing was written there: add the lines at the top of this hook",
	}
}

// callLines are what runs git plan from a hook that a person wrote in shell. At
// its top, they leave the rest the input that git feeds it.
func callLines(event Event) string {
	call := fmt.Sprintf("git plan hooks run %s \"$@\" || exit\n", event)
	if !event.readsInput() {
		return call
	}
	return "input=$(cat)\n" +
		`{ [ -z "$input" ] || printf '%s\n' "$input"; } | ` + call +
		"[ -z \"$input\" ] && exec </dev/null || exec <<EOF\n$input\nEOF\n"
}

// failure says which hook something failed for, and tells a repository that
// cannot be written from the rest.
func (in *Installer) failure(doing string, event Event, err error) error {
	refused := errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
	for _, phrase := range []string{"Permission denied", "Read-only file system"} {
		refused = refused || git.Said(err, phrase)
	}
	if refused {
		return &gitstore.ReadOnlyError{Path: in.file(event), Err: err}
	}
	return fmt.Errorf("%s hook %s: %w", doing, event, err)
}
