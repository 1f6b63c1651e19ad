package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func newMan(a *app) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use: "man [COMMAND] [-o DIR]", Short: "print a manual page, or write them all", Hidden: true, Args: args(cobra.MaximumNArgs(1)),
		Long: `Print git-plan.1, or the page of a command. With -o all pages are written into a
folder: that one, one for each command, and links by which git help finds them.
` + exitHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			root := newRoot(a)
			if dir != "" {
				return writeManuals(a.abs(dir), root)
			}
			if len(args) == 0 {
				return printPage(a.Stdout, overview(root))
			}
			for _, c := range documented(root) {
				if c.Name() == args[0] {
					return printPage(a.Stdout, pageOf(c, root))
				}
			}
			return unknownCommand(root, args[0])
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "the `folder` to write all pages into")
	return cmd
}

func printPage(w io.Writer, page string) error {
	_, err := io.WriteString(w, page)
	return err
}

// writeManuals writes all pages into a folder. Git looks for the page of
// `git help plan-commit` under the name gitplan-commit, which therefore names
// the other.
func writeManuals(dir string, root *cobra.Command) error {
	pages := map[string]string{"git-plan.1": overview(root)}
	for _, c := range documented(root) {
		name := "plan-" + c.Name() + ".1"
		pages["git-"+name] = pageOf(c, root)
		pages["git"+name] = ".so man1/git-" + name + "\n"
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// documented gives the commands that have a page of their own.
func documented(root *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			out = append(out, c)
		}
	}
	return out
}

// overview is git-plan.1: the commands by what they are for, between a
// beginning and an end written by hand. Like all pages it has no date, so that
// the same source makes the same page.
func overview(root *cobra.Command) string {
	var b strings.Builder
	manHead(&b, root.Name(), root.Short)
	b.WriteString(".SH SYNOPSIS\n.B git plan\n.I command\n[\\fIarguments\\fR]\n")
	section(&b, "DESCRIPTION", root.Long)
	for _, g := range root.Groups() {
		b.WriteString(".SH " + strings.ToUpper(roff(strings.TrimSuffix(g.Title, ":"))) + "\n")
		for _, c := range documented(root) {
			if c.GroupID == g.ID {
				b.WriteString(".TP\n.BR git\\-plan\\-" + roff(c.Name()) + " (1)\n" + sentence(c.Short))
			}
		}
	}
	b.WriteString(".SH OPTIONS OF ALL COMMANDS\n")
	manFlags(&b, root.PersistentFlags())
	b.WriteString(manEnd)
	return wrapPage(b.String())
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
.SH TERMINAL
list, show, board, log, diff, graph, grep, verify and explain go through the pager that git takes, if standard output is a terminal: that of
.BR GIT_PAGER ,
.BR core.pager
and
.BR PAGER .
.B git \-\-no\-pager plan
and
.B pager.plan
set to false do without one;
.B pager.plan
may also name one.
.PP
Output is in colours where git's own would be.
.B \-\-color
counts more than the variable
.BR NO_COLOR ,
and that more than
.B color.plan
and
.BR color.ui .
Whatever has a colour also has a sign or a word that says the same.
Lines are as wide as
.B COLUMNS
says, else as the terminal is; in a pipe they are whole.
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
.B pager.plan
Whether long output goes through a pager at a terminal, or the pager's command. Default: true, with the pager of git.
.TP
.B color.plan
Whether output is in colours: always, never or auto. Default: that of color.ui.
.TP
.B color.plan.<slot>
A colour of one's own, as git writes them, for what is title, dim, ready, active, blocked, failed, done, skipped, added, removed, changed, moved, error, warning, hint, match, commit or version.
.TP
.B plan.trailer
Whether the hook prepare-commit-msg adds Plan-Task to the messages of code. Default: false.
.TP
.B plan.blockOnSignal
Whether the hook pre-commit refuses commits of code while the current plan has an open blocker. Default: false.
.TP
.B plan.guardRef
Whether hooks install also installs reference-transaction, which judges every move of the branch, whatever makes it, except git branch -M or -C of another one over it. Default: false.
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
.PP
What git itself is configured with holds too: who commits (user.name, user.email), whether commits are signed (commit.gpgSign, gpg.format), where hooks are (core.hooksPath), when the repository is tidied (gc.auto, maintenance.auto) and which remote a branch has (branch.plans.remote).
.SH FILES
.TP
.B refs/heads/plans
The branch of the plans, with a history of its own.
.TP
.B gates.yaml
On that branch: how strict the gate is.
.TP
.B .plans/
The drafts of a worktree.
.TP
.B docs/agents.md
The rules for agents, which status has them write.
.TP
.B $GIT_COMMON_DIR/git-plan/cache/
What makes listing fast. It may be removed at any time.
.TP
.B $XDG_CACHE_HOME/git-plan/memory/, ~/.cache/git-plan/memory/
What git said of repositories and their configuration, which holds until a file that it said it from changes. It may be removed at any time.
.TP
.B $GIT_DIR/git-plan/
The state of a worktree: its current plan, its threads, its topic.
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
.TP
.B GIT_PLAN_COMMENT_TOKEN
In a job on GitHub: the token that the comment on a proposal is written with.
.TP
.B NO_COLOR
Where it is set and not empty, nothing is in colours unless \-\-color asks for it.
.TP
.B GIT_AUTHOR_NAME, GIT_COMMITTER_DATE, GIT_CONFIG_GLOBAL, GIT_PAGER ...
Those of git hold as they do for git.
.SH SEE ALSO
Each command has a page of its own.
.PP
.BR git (1),
.BR gitrevisions (7)
`
