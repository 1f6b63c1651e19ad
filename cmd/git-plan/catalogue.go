package main

import (
	"context"
	_ "embed"
	"strings"

	"github.com/spf13/cobra"
)

// commands makes all commands.
func commands(a *app) []*cobra.Command {
	return namesOf(catalogue(), func(e entry) *cobra.Command { return e.command(a) })
}

// runner is what a command does with its arguments.
type runner func(ctx context.Context, args []string) error

// entry is one command: its name, by which it is found without making any, and
// what makes it. What its help says is in manual/commands.txt.
type entry struct {
	name string
	// make adds the flags, and gives what the command does.
	make func(*app, *cobra.Command) runner
	// below are the commands of one that is only a name for these.
	below func() []entry
	// paged is output for reading, which may be long.
	paged bool
	// slow says what is done that may take long.
	slow string
	// group is that of the help, none for a hidden command.
	group string
}

// command makes the command, with a pager and word of its work for a person.
func (e entry) command(a *app) *cobra.Command {
	cmd := e.build(a, e.name)
	cmd.GroupID, cmd.Hidden = e.group, e.group == ""
	if e.paged {
		paged(a, cmd)
	}
	if e.slow != "" {
		slow(a, cmd, e.slow)
	}
	return cmd
}

// build makes the command of a path, such as "alert open", and those below it.
func (e entry) build(a *app, path string) *cobra.Command {
	_, text, _ := strings.Cut(commandTexts, "\n# "+path+":")
	text, _, _ = strings.Cut(text, "\n# ")
	usage, text, _ := strings.Cut(text, "\n")
	short, long, _ := strings.Cut(text, "\n")
	if long = strings.Trim(long, "\n"); long == "" {
		long = strings.ToUpper(short[:1]) + strings.TrimSpace(short[1:]) + "."
	}
	if !strings.Contains(long, "Exit status: ") {
		long += "\n" + exitHelp
	}
	cmd := &cobra.Command{Use: path[strings.LastIndex(path, " ")+1:] + usage, Short: strings.TrimSpace(short), Long: long, RunE: oneBelow}
	if e.make != nil {
		do := e.make(a, cmd)
		cmd.RunE = func(cmd *cobra.Command, args []string) error { return do(cmd.Context(), args) }
	}
	if e.below != nil {
		for _, sub := range e.below() {
			cmd.AddCommand(sub.build(a, path+" "+sub.name))
		}
	} else if cmd.Args == nil {
		cmd.Args = argumentsOf(cmd.Use)
	}
	if cmd.Args != nil {
		cmd.Args = args(cmd.Args)
	}
	return cmd
}

// commandTexts has the usage and the help of the commands.
//
//go:embed manual/commands.txt
var commandTexts string

// argumentsOf checks how many arguments there are by a usage line.
func argumentsOf(use string) cobra.PositionalArgs {
	least, most := 0, 0
	for _, p := range positionsOf(use) {
		most++
		if !p.optional {
			least++
		}
		if p.repeats {
			return cobra.MinimumNArgs(least)
		}
	}
	return cobra.RangeArgs(least, most)
}

// remoteWork is work during which git, or ssh, may ask for a password.
const remoteWork = "Talking to the remote"

// group is a heading of the help with its commands.
type group struct {
	id, title string
	entries   []entry
}

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
		{"everyday", "Everyday:", []entry{
			{name: "start", make: newStart},
			{name: "status", make: newStatus, slow: "Reading plans"},
			{name: "prime", make: newPrime},
			{name: "update", make: newUpdate},
			{name: "next", make: newNext, slow: "Reading plans"},
			{name: "task", below: taskVerbs},
			{name: "show", make: newShow, paged: true},
			{name: "list", make: newList, paged: true, slow: "Reading plans"},
			{name: "board", make: newBoard, paged: true, slow: "Reading plans"},
			{name: "commit", make: newCommit, slow: "Judging and storing"},
			{name: "check", make: newCheck, slow: "Judging plans"},
			{name: "alert", below: func() []entry {
				return []entry{
					{name: "open", make: newAlertOpen}, {name: "clear", make: newAlertClear}, {name: "list", make: newAlertList}, {name: "run", make: newAlertRun},
				}
			}},
			{name: "sync", make: newSync, slow: remoteWork},
			{name: "propose", make: newPropose, slow: remoteWork},
			{name: "archive", make: newArchive, slow: "Judging and storing"},
			{name: "restore", make: newRestore},
			{name: "rm", make: newRm},
			{name: "abandon", make: newAbandon},
			{name: "apply", make: newApply},
		}},
		{"draft", "Write plans:", []entry{
			{name: "dir", make: newDir},
			{name: "request-thread-dir", make: newRequestThreadDir},
			{name: "remove-thread", make: newRemoveThread},
			{name: "clear-current", make: newClearCurrent},
			{name: "new", make: newNew},
			{name: "edit", make: newEdit},
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
		{"look", "Read plans:", []entry{
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
		{"setup", "Set up and mend:", []entry{
			{name: "init", make: newInit},
			{name: "hooks", slow: "Judging plans", below: func() []entry {
				return []entry{
					{name: "install", make: newHooksInstall}, {name: "uninstall", make: newHooksUninstall}, {name: "status", make: newHooksStatus},
					{name: "run", make: newHooksRun},
				}
			}},
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
			{name: "checkout", make: newEdit}, // the old name of edit
			{name: "ci", below: func() []entry { return []entry{{name: "run", make: newCIRun}} }},
			{name: "merge-driver", make: newMergeDriver},
			{name: "textconv", make: newTextconv},
			{name: "completion", make: newCompletion},
		}},
	}
}
