package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// commands makes all commands.
func commands(a *app) []*cobra.Command {
	var out []*cobra.Command
	for _, e := range catalogue() {
		out = append(out, e.command(a))
	}
	return out
}

// entry is one command: its name, by which it is found without making any, and
// what makes it.
type entry struct {
	name string
	make func(*app) *cobra.Command
	// paged is output for reading, which may be long.
	paged bool
	// slow says what is done that may take long.
	slow string
	// group is that of the help, none for a hidden command.
	group string
}

// command makes the command, with a pager and word of its work for a person.
func (e entry) command(a *app) *cobra.Command {
	cmd := e.make(a)
	cmd.GroupID = e.group
	complete(cmd)
	if e.paged {
		paged(a, cmd)
	}
	if e.slow != "" {
		slow(a, cmd, e.slow)
	}
	return cmd
}

// complete gives a command, and those below it, what most have: no arguments, the
// usual exit statuses in the help, and where it has others below it nothing to do.
func complete(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		complete(sub)
	}
	if cmd.HasSubCommands() {
		cmd.RunE = oneBelow
	}
	if cmd.Long != "" && !strings.Contains(cmd.Long, "Exit status: ") {
		cmd.Long += "\n" + exitHelp
	}
	if cmd.Args == nil && !cmd.HasSubCommands() {
		cmd.Args = cobra.NoArgs
	}
	if cmd.Args != nil {
		cmd.Args = args(cmd.Args)
	}
}

// remoteWork is work during which git, or ssh, may ask for a password.
const remoteWork = "Talking to the remote"

// group is a heading of the help with its commands.
type group struct {
	id, title string
	entries   []entry
}

// The groups of commands in the help.
const (
	groupEveryday = "everyday"
	groupDraft    = "draft"
	groupLook     = "look"
	groupSetup    = "setup"
)

// catalogue gives the commands of all groups.
func catalogue() []entry {
	var out []entry
	for _, g := range groups() {
		for _, e := range g.entries {
			e.group = g.id
			out = append(out, e)
		}
	}
	return out
}

// groups is the table of commands, everyday ones first.
func groups() []group {
	return []group{
		{groupEveryday, "Everyday:", []entry{
			{name: "start", make: newStart},
			{name: "status", make: newStatus, slow: "Reading plans"},
			{name: "prime", make: newPrime},
			{name: "update", make: newUpdate},
			{name: "next", make: newNext, slow: "Reading plans"},
			{name: "task", make: newTask},
			{name: "show", make: newShow, paged: true},
			{name: "list", make: newList, paged: true, slow: "Reading plans"},
			{name: "board", make: newBoard, paged: true, slow: "Reading plans"},
			{name: "commit", make: newCommit, slow: "Judging and storing"},
			{name: "check", make: newCheck, slow: "Judging plans"},
			{name: "alert", make: newAlert},
			{name: "sync", make: newSync, slow: remoteWork},
			{name: "propose", make: newPropose, slow: remoteWork},
			{name: "archive", make: newArchive, slow: "Judging and storing"},
			{name: "restore", make: newRestore},
			{name: "rm", make: newRm},
			{name: "abandon", make: newAbandon},
			{name: "apply", make: newApply},
		}},
		{groupDraft, "Write plans:", []entry{
			{name: "dir", make: newDir},
			{name: "request-thread-dir", make: newRequestThreadDir},
			{name: "remove-thread", make: newRemoveThread},
			{name: "clear-current", make: newClearCurrent},
			{name: "new", make: newNew},
			{name: "edit", make: newEdit},
			{name: "checkout", make: newCheckout},
			{name: "replan", make: newReplan},
			{name: "fmt", make: newFmt},
			{name: "use", make: newUse},
			{name: "context", make: newContext},
			{name: "set-topic", make: newSetTopic},
			{name: "guide", make: newGuide},
			{name: "suggest", make: newSuggest, slow: "Looking at the project"},
			{name: "import", make: newImport, slow: "Judging and storing"},
			{name: "judge", make: newJudge},
		}},
		{groupLook, "Read plans:", []entry{
			{name: "log", make: newLog, paged: true, slow: "Reading history"},
			{name: "verify", make: newVerify, paged: true, slow: "Looking at signatures"},
			{name: "diff", make: newDiff, paged: true, slow: "Comparing"},
			{name: "graph", make: newGraph, paged: true},
			{name: "grep", make: newGrep, paged: true, slow: "Searching"},
			{name: "explain", make: newExplain, paged: true},
			{name: "web", make: newWeb},
			{name: "report", make: newReport, slow: "Reading history"},
			{name: "export", make: newExport},
			{name: "brief", make: newBrief},
			{name: "events", make: newEvents},
			{name: "convert", make: newConvert},
			{name: "prompt", make: newPrompt},
		}},
		{groupSetup, "Set up and mend:", []entry{
			{name: "init", make: newInit},
			{name: "hooks", make: newHooks, slow: "Judging plans"},
			{name: "doctor", make: newDoctor, slow: "Looking at everything"},
			{name: "demo", make: newDemo},
			{name: "version", make: newVersion},
			{name: "agent-hook", make: newAgentHook},
			{name: "setup", make: newSetup},
			{name: "schema", make: newSchema},
			{name: "mcp", make: newMCP},
		}},
		{"", "", []entry{ // hidden: git, workflows and packages run these
			{name: "man", make: newMan},
			{name: "ci", make: newCI},
			{name: "merge-driver", make: newMergeDriver},
			{name: "textconv", make: newTextconv},
			{name: "completion", make: newCompletion},
		}},
	}
}
