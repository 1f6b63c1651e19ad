package main

import "github.com/spf13/cobra"

// presented makes a command with what a person at a terminal gets from it beside
// its output: a pager where that is for reading and may be long, and word of what
// it does where that may take long.
func presented(a *app, e entry) *cobra.Command {
	cmd := e.make(a)
	if isPaged(e.name) {
		paged(a, cmd)
	}
	if what := slowWork(e.name); what != "" {
		slow(a, cmd, what)
	}
	return cmd
}

func isPaged(name string) bool {
	switch name {
	case "log", "show", "diff", "grep", "list", "board", "graph", "verify", "explain":
		return true
	}
	return false
}

// remoteWork is work during which git, or ssh, may ask for a password.
const remoteWork = "Talking to the remote"

// slowWork says what a command does that may take long, or nothing.
func slowWork(name string) string {
	switch name {
	case "list", "board", "status", "next":
		return "Reading plans"
	case "log", "report":
		return "Reading history"
	case "diff":
		return "Comparing"
	case "grep":
		return "Searching"
	case "verify":
		return "Looking at signatures"
	case "check", "hooks":
		return "Judging plans"
	case "commit", "import", "archive":
		return "Judging and storing"
	case "sync", "propose":
		return remoteWork
	case "doctor":
		return "Looking at everything"
	case "suggest":
		return "Looking at the project"
	}
	return ""
}
