package hooks

import "slices"

// State is what became of a hook, or how it is.
type State string

// What [Installer.Install] and [Installer.Uninstall] report.
const (
	// Installed: it was put in, or brought up to date.
	Installed State = "installed"
	// Removed: it was taken out, and what was there before is back.
	Removed State = "removed"
	// Unchanged: there was nothing to do.
	Unchanged State = "unchanged"
	// Managed: another program has the hooks here, and is told how to run it.
	Managed State = "managed"
	// Elsewhere: git looks for hooks in a folder that is not this
	// repository's own, or not to be written.
	Elsewhere State = "elsewhere"
)

// What both these and [Installer.Status] report.
const (
	// InTheWay: somebody else's hook has its place.
	InTheWay State = "in-the-way"
	// Edited: somebody changed the shim, and it was left alone.
	Edited State = "edited"
)

// What [Installer.Status] reports.
const (
	// Runs: git ran it, just now.
	Runs State = "runs"
	// Called: a hook of somebody else, which was not run, has a line that
	// calls it.
	Called State = "called"
	// NotInstalled: there is nothing.
	NotInstalled State = "not-installed"
	// Shadowed: core.hooksPath sends git elsewhere.
	Shadowed State = "shadowed"
	// NotExecutable: git ignores the file.
	NotExecutable State = "not-executable"
	// NoProgram: it runs and finds no git-plan.
	NoProgram State = "no-program"
	// Disabled: the configuration turns it off.
	Disabled State = "disabled"
	// OldGit: it is in the configuration, which this git does not ask.
	OldGit State = "old-git"
	// ManagerMissing: the program that has the hooks is not set up in this
	// clone or worktree, so that git runs nothing.
	ManagerMissing State = "manager-not-installed"
	// Fails: git ran something else, or it broke.
	Fails State = "fails"
)

// Hook is one event in a [Report].
type Hook struct {
	Event Event `json:"event"`
	State State `json:"state"`
	// Path is the file concerned: a hook, a configuration.
	Path string `json:"path"`
	// Message says why, and what to do, where there is something to do.
	Message string `json:"message"`
	// Snippet is what to put into the file Path, or nothing.
	Snippet string `json:"snippet,omitempty"`
}

// Idle reports whether the hook needs somebody to look at it: it was not
// installed, or would not be asked.
func (h Hook) Idle() bool {
	return !slices.Contains([]State{Installed, Removed, Unchanged, Runs, Called}, h.State)
}

// Broken reports whether the hook was installed and would not do its work now. One
// that somebody decided against, or that another program is to run, is none.
func (h Hook) Broken() bool {
	return slices.Contains([]State{Edited, Shadowed, NotExecutable, NoProgram, OldGit, ManagerMissing, Fails}, h.State)
}

// Report is what was done, or found, event by event.
type Report struct {
	Hooks []Hook
}

// Changed reports whether anything was put in or taken out.
func (r Report) Changed() bool {
	return slices.ContainsFunc(r.Hooks, func(h Hook) bool { return h.State == Installed || h.State == Removed })
}

// Idle gives the hooks that somebody has to look at.
func (r Report) Idle() []Hook {
	return slices.DeleteFunc(slices.Clone(r.Hooks), func(h Hook) bool { return !h.Idle() })
}
