package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "print the manual page", Hidden: true, Args: args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return writeMan(a.Stdout, newRoot(a)) },
	}
}

// writeMan prints git-plan.1: the commands as they describe themselves,
// between a beginning and an end written by hand. It has no date, so that the
// same source makes the same page.
func writeMan(w io.Writer, root *cobra.Command) error {
	var b strings.Builder
	b.WriteString(`.\" Generated from the program's own help by "git-plan man"; DO NOT EDIT.` + "\n")
	fmt.Fprintf(&b, ".TH GIT-PLAN 1 \"\" \"git plan %s\" \"Git Manual\"\n", release)
	b.WriteString(".SH NAME\ngit-plan \\- " + roff(root.Short) + "\n")
	b.WriteString(".SH SYNOPSIS\n.B git plan\n.I command\n[\\fIarguments\\fR]\n")
	section(&b, "DESCRIPTION", root.Long)
	for _, g := range root.Groups() {
		b.WriteString(".SH " + strings.ToUpper(roff(strings.TrimSuffix(g.Title, ":"))) + "\n")
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && !c.Hidden && c.Name() != "help" {
				manCommand(&b, c)
			}
		}
	}
	b.WriteString(".SH OPTIONS OF ALL COMMANDS\n")
	manFlags(&b, root.PersistentFlags())
	b.WriteString(manEnd)
	_, err := io.WriteString(w, b.String())
	return err
}

func manCommand(b *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(b, ".SS git plan %s\n", roff(c.Use))
	text, _, _ := strings.Cut(c.Long, exitHelp)
	paragraphs(b, text)
	manFlags(b, c.LocalNonPersistentFlags())
	for _, sub := range c.Commands() {
		fmt.Fprintf(b, ".TP\n.B %s\n%s.\n", roff(sub.Use), roff(strings.ToUpper(sub.Short[:1])+sub.Short[1:]))
		manFlags(b, sub.LocalNonPersistentFlags())
	}
}

func manFlags(b *strings.Builder, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		label := "\\-\\-" + roff(f.Name)
		if f.Shorthand != "" {
			label = "\\-" + f.Shorthand + ", " + label
		}
		if name != "" {
			label += " " + roff(name)
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s.\n", label, roff(strings.ToUpper(usage[:1])+usage[1:]))
	})
}

func section(b *strings.Builder, title, text string) {
	b.WriteString(".SH " + title + "\n")
	paragraphs(b, text)
}

func paragraphs(b *strings.Builder, text string) {
	for i, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(roff(p) + "\n")
	}
}

// roff escapes text: backslashes, hyphens that must stay hyphens, and
// characters that begin a request at the start of a line.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", "", "…", "...").Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

const manEnd = `.SH NAMING A PLAN
A plan is named by its id, the name of its folder.
.BR auth@v2
is its newest revision of version 2,
.BR auth@{3}
what it was three revisions ago,
.BR rev:auth
the plan at a revision of the store.
Where a command needs a plan and none is named, it takes
.BR \-\-plan ,
the variable
.BR GIT_PLAN ,
the worktree's current plan (set by use, checkout and committing the current thread), or the only unfinished one.
.PP
A task is named by its id, by plan/id, or by its number as show prints it, such as 3 or 3.1.
.SH DRAFTS
Threads live in .plans/ at the top of the working tree, excluded from git's sight through info/exclude, and belong to a worktree.
.B git clean \-fdx
and
.B git worktree remove
delete them without asking.
.SH MERGING
A thread whose plan moved on in the store is brought together with it field by field, lists by item, text by line.
What both changed differently is a conflict: nothing is written, and plan, task, field and both values are told.
.PP
Native git merge does the same with one file at a time, by the drivers that init sets and .gitattributes on the branch names:
.TP
.B git plan merge\-driver %O %A %B %P
merges one plan file; on a conflict git's markers stand around what conflicts only.
What shows only in several files, such as two tasks with one number, is for
.B git plan check
to say after the merge.
.TP
.B git plan textconv FILE
prints a plan file for git diff, a line for each field and each item of a list.
.SH JSON
With
.B \-\-json
standard output is one JSON document and nothing else, errors included:
.PP
.nf
{"status":"error","error_type":"...","message":"...","details":[...]}
.fi
.SH EXIT STATUS
.TP
.B 0
Yes.
.TP
.B 1
The answer is no: an invalid plan, an illegal move, a limit, a conflict.
.TP
.B 128
Fatal: not a repository, no such plan or task, a lock, I/O.
.TP
.B 129
Usage.
.PP
.B alert run
ends as the command that it ran did, and
.B agent\-hook
with 2 where the agent must stop, else with 0.
.SH CONFIGURATION
.TP
.B plan.ref
The branch of the plans. Default: refs/heads/plans.
.TP
.B plan.remote
The remote the plans are shared through. Default: that of the branch, else origin, else the only one.
.TP
.B plan.push
auto to push every change as it is made, on the remote's newest state, as --push does; never is the default.
.TP
.B plan.draftDir
The folder of drafts, below the top of the working tree or absolute. Default: .plans.
.TP
.B plan.draftExclude
Whether init hides that folder through info/exclude. Default: true.
.TP
.B plan.instructionsFile
The file of the project that holds the rules for agents, which status has them write where it is out of date; empty for none. Default: docs/agents.md.
.TP
.B plan.strategy
How the prompt planning has a model reason: react, plan-act-reflect or goal-decompose-route-synthesise. Default: react.
.TP
.B plan.llm.command
The command that models are asked through: it reads a prompt and prints an answer. It is run as git runs an editor, in the top folder of the working tree. Default: none, and nothing asks a model.
.TP
.B plan.llm.timeout
How long it may take to answer: seconds, or a duration such as 5m. Default: 120.
.TP
.B plan.engine
How objects are read: gogit, in this process, or native, by git. Default: gogit wherever it can serve, else native; doctor tells which.
.TP
.B plan.trailer
Whether the hook prepare-commit-msg adds Plan-Task to the messages of code. Default: false.
.TP
.B plan.blockOnSignal
Whether the hook pre-commit refuses commits of code while the current plan has an open blocker. Default: false.
.TP
.B plan.guardRef
Whether hooks install also installs reference-transaction, which judges every move of the branch, whatever makes it. Default: false.
.TP
.B plan.receive.gate
On a server: the least gate, base or strict, whatever the store says. Default: base.
.TP
.B plan.receive.allowGateLowering
On a server: whether a push may make gates.yaml ask for less. Default: false.
.TP
.B plan.receive.denyNonFastForwards
On a server: whether rewriting the history of the plans is refused. Default: true.
.TP
.B plan.receive.denyDeletes
On a server: whether deleting the plans is refused. Default: true.
.TP
.B plan.receive.requireSigned
On a server: whether each new commit needs a signature that git there trusts. Default: false.
.TP
.B plan.receive.codeRef
On a server: the commit in which rules look up the files that tasks name. Default: none, and these rules do not refuse.
.SH ENVIRONMENT
.TP
.B GIT_PLAN
The plan meant where none is named.
.TP
.B GIT_PLAN_AGENT
The name of the agent that acts.
.TP
.B GIT_PLAN_LLM
Set for the command that plan.llm.command names. Where it is set, no model is asked.
.SH SEE ALSO
.BR git (1),
.BR gitrevisions (7)
`
