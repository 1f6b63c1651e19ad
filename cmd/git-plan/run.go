package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// app is one run of the program: the process and the repository.
type app struct {
	planAccess
}

func newApp(env Env) *app {
	a := &app{}
	a.Env = env
	a.outTerminal, a.errTerminal = terminalFile(env.Stdout), terminalFile(env.Stderr)
	return a
}

// Main runs one command line and gives the exit status: 0 yes, 1 the answer
// is no, 128 fatal, 129 usage.
func Main(env Env, args []string) int {
	ctx, stop := untilSignal()
	defer stop()
	return execute(ctx, env, args)
}

// execute is [Main] until a context is over.
func execute(ctx context.Context, env Env, args []string) int {
	a := newApp(env)
	stdout := &checkedWriter{Writer: env.Stdout}
	a.Stdout = stdout
	root := rootFor(a, args)
	root.SetArgs(args)
	root.SetIn(env.Stdin)
	root.SetOut(stdout)
	root.SetErr(env.Stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if a.repo != nil && a.Behind && slices.Contains([]string{"status", "next", "prime", "list"}, cmd.Name()) && cmd.Parent() == root {
		a.fetchBehind(ctx)
	}
	a.close()
	a.json = a.json || wantsJSON(args) // a usage error ends before flags are known
	if errors.Is(err, context.Canceled) {
		err = errInterrupted
	}
	return a.end(cmd, stdout, err)
}

func wantsJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	for i, arg := range args {
		if arg == "--json" || arg == "--format=json" || arg == "--format" && i+1 < len(args) && args[i+1] == "json" {
			return true
		}
	}
	return false
}

// newRoot makes the program's whole tree of commands.
func newRoot(a *app) *cobra.Command {
	root := bareRoot(a)
	root.SetHelpCommand(newHelp())
	root.AddCommand(commands(a)...)
	(&completion{a}).add(root)
	return root
}

// rootFor makes only the command that the arguments name, if they name one: all of
// them would take a sixth of the program's start.
func rootFor(a *app, args []string) *cobra.Command {
	name := commandIn(args)
	i := slices.IndexFunc(catalogue(), func(e entry) bool { return name == e.name })
	if i < 0 {
		return newRoot(a)
	}
	root := bareRoot(a)
	root.AddCommand(catalogue()[i].command(a))
	return root
}

// commandIn gives the first argument after the flags that every command has.
func commandIn(args []string) string {
	if len(args) == 0 {
		return ""
	}
	if !strings.HasPrefix(args[0], "-") {
		return args[0]
	}
	flags := bareRoot(&app{}).PersistentFlags()
	flags.SetInterspersed(false)
	_ = flags.Parse(args) // what is wrong with them is told by whoever runs them
	return flags.Arg(0)
}

// bareRoot is the root without commands.
func bareRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "git-plan",
		Short:         "work plans of coding agents, kept in git beside the code they change",
		Long:          rootHelp,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "git plan"},
		Version:       release,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true}, // ours also serve git plan
	}
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "print one JSON document")
	flags.Var(&a.color, "color", "colour the output: always, never or auto (default: by color.plan and color.ui)")
	flags.Lookup("color").NoOptDefVal = "always"
	flags.StringVar(&a.agent, "agent", "", "act as this agent `name` (default: GIT_PLAN_AGENT, else your name)")
	flags.StringVar(&a.plan, "plan", "", "the `plan` meant where none is named (default: GIT_PLAN, else the current one)")
	flags.BoolVar(&a.push, "push", false, "publish what this changes: bring it to the remote (default: as gates.yaml and plan.push say)")
	flags.StringVar(&a.request, "request", "", "an `id` of yours for what this changes: repeated, the command changes nothing and answers the same")
	root.SetFlagErrorFunc(flagError)
	for _, g := range groups() {
		if g.id != "" {
			root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		}
	}
	return root
}

const rootHelp = `Keep the work plans of coding agents in git, on a branch of their own beside
the code. A plan is a folder of markdown files; every commit on the branch is
a plan that passed the quality gate.

Begin with ` + "`git plan init`" + `. Write plan.md and tasks/NN-slug.md in the folder
that ` + "`git plan dir`" + ` names, then ` + "`git plan commit`" + `. Work with ` + "`git plan next`" + ` and
` + "`git plan task done`" + `.`

const exitHelp = `
Exit status: 0 yes; 1 the answer is no (an invalid plan, an illegal move, a
conflict); 128 fatal (not a repository, no such plan, I/O); 129 usage.`

// end prints how a command ended and gives its exit status. To leave or interrupt a
// pager is no error.
func (o *output) end(cmd *cobra.Command, stdout *checkedWriter, err error) int {
	if stdout.err != nil && errors.Is(err, stdout.err) {
		err = nil // which the status tells
	}
	paging := stdout.pager != nil && stdout.pager.running != nil
	switch {
	case paging && stdout.pager.left:
		stdout.close()
		return 0
	case paging && errors.Is(err, errInterrupted):
		stdout.close()
		return exitStop
	}
	status := 0
	if err != nil {
		status = o.report(cmd, err)
	}
	stdout.close()
	return stdout.status(status, o.Stderr)
}
