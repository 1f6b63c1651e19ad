package main

import (
	"context"
	_ "embed"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func newMan(a *app, cmd *cobra.Command) runner {
	var dir string
	cmd.Flags().StringVarP(&dir, "output", "o", "", "the `folder` to write all pages into")
	return func(_ context.Context, args []string) error {
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
	}
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
	return b.String()
}

// manEnd is the rest of git-plan.1, below its options.
//
//go:embed manual/sections.1
var manEnd string
