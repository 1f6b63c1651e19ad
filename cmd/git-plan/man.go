package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan(a *app, cmd *cobra.Command) runner {
	var dir string
	cmd.Flags().StringVarP(&dir, "output", "o", "", "the `folder` to write all pages into")
	return func(_ context.Context, args []string) error {
		root := newRoot(a)
		if dir != "" {
			return writeManuals(a.abs(dir), root)
		}
		page := overview(root)
		if len(args) > 0 {
			all := documented(root)
			i := slices.IndexFunc(all, func(c *cobra.Command) bool { return c.Name() == args[0] })
			if i < 0 {
				return unknownCommand(root, args[0])
			}
			page = pageOf(all[i], root)
		}
		_, err := io.WriteString(a.Stdout, page)
		return err
	}
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
	return slices.DeleteFunc(slices.Clone(root.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() || c.Name() == "help" })
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

// placeholder is what the user puts something in place of, which is in italics.
var placeholder = regexp.MustCompile(`[A-Z]+`)

// pageOf is the manual page of one command, made of its help.
func pageOf(c, root *cobra.Command) string {
	var b strings.Builder
	manHead(&b, "git-plan-"+c.Name(), c.Short)
	b.WriteString(".SH SYNOPSIS\n")
	for i, one := range append([]*cobra.Command{c}, c.Commands()...) {
		if i == 0 && c.HasSubCommands() {
			continue
		}
		_, rest, _ := strings.Cut(one.Use, " ")
		rest = placeholder.ReplaceAllStringFunc(roff(rest), func(word string) string { return `\fI` + strings.ToLower(word) + `\fR` })
		b.WriteString(".nh\n.HP\n.B " + roff(one.CommandPath()) + "\n" + rest + "\n.hy\n")
	}
	text, exits, _ := strings.Cut(c.Long, "Exit status: ")
	section(&b, "DESCRIPTION", text)
	if flags := c.LocalNonPersistentFlags(); flags.HasAvailableFlags() {
		b.WriteString(".SH OPTIONS\n")
		manFlags(&b, flags)
	}
	if c.HasSubCommands() {
		b.WriteString(".SH COMMANDS\n")
	}
	for _, sub := range c.Commands() {
		fmt.Fprintf(&b, ".SS %s\n", roff(sub.CommandPath()+strings.TrimPrefix(sub.Use, sub.Name())))
		text, _, _ := strings.Cut(sub.Long, exitHelp)
		paragraphs(&b, text)
		manFlags(&b, sub.LocalNonPersistentFlags())
	}
	b.WriteString(".SH OPTIONS OF ALL COMMANDS\n")
	manFlags(&b, root.PersistentFlags())
	if text := manualExamples(c.Name()); text != "" {
		section(&b, "EXAMPLES", text)
	}
	section(&b, "EXIT STATUS", strings.ToUpper(exits[:1])+exits[1:])
	b.WriteString(".SH SEE ALSO\n.BR git\\-plan (1)\n")
	return b.String()
}

func manHead(b *strings.Builder, name, short string) {
	b.WriteString(`.\" Generated from the program's own help by "git-plan man"; DO NOT EDIT.` + "\n")
	fmt.Fprintf(b, ".TH %s 1 %s \"git plan %s\" \"Git Manual\"\n", strings.ToUpper(name), releaseDate, release)
	b.WriteString(".SH NAME\n" + roff(name) + " \\- " + roff(short) + "\n")
}

func manFlags(b *strings.Builder, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		label := ".B \\-\\-" + roff(f.Name)
		if f.Shorthand != "" {
			label = ".B \\-" + f.Shorthand + ", \\-\\-" + roff(f.Name)
		}
		if f.NoOptDefVal != "" && f.Value.Type() != "bool" {
			label = ".BR" + strings.TrimPrefix(label, ".B") + " [=" + roff(f.NoOptDefVal) + "]"
		}
		if name != "" && f.Value.Type() != "bool" {
			label = ".BI" + strings.TrimPrefix(strings.ReplaceAll(label, ", ", ",\\ "), ".B") + "\\ " + roff(name)
		}
		b.WriteString(".TP\n" + label + "\n" + sentence(usage))
	})
}

// examplesText has the examples of the pages: a heading for each command, and
// below it what is done, and indented how.
//
//go:embed manual/examples.txt
var examplesText string

// manualExamples gives the examples of a command, as they are written.
func manualExamples(command string) string {
	_, text, _ := strings.Cut("\n"+examplesText, "\n# "+command+"\n")
	text, _, _ = strings.Cut(text, "\n# ")
	return strings.TrimSpace(text)
}

func section(b *strings.Builder, title, text string) {
	b.WriteString(".SH " + title + "\n")
	paragraphs(b, text)
}

// paragraphs writes a text. Indented lines stay as they are.
func paragraphs(b *strings.Builder, text string) {
	for i, p := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		verbatim := false
		for j, line := range strings.Split(p, "\n") {
			indented := strings.HasPrefix(line, "  ")
			switch {
			case indented && !verbatim:
				b.WriteString(".IP \"\" 4\n.nf\n")
			case !indented && verbatim:
				b.WriteString(".fi\n.PP\n")
			case i > 0 && j == 0:
				b.WriteString(".PP\n")
			}
			verbatim = indented
			if verbatim {
				line = strings.TrimPrefix(line, "  ")
			}
			b.WriteString(roff(line) + "\n")
		}
		if verbatim {
			b.WriteString(".fi\n")
		}
	}
}

// sentence writes a description as a sentence of its own.
func sentence(s string) string {
	return roff(strings.ToUpper(s[:1])+s[1:]) + ".\n"
}

// roff escapes text: backslashes, hyphens, and characters that begin a request at
// the start of a line. Backquotes make it bold.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "→", `\(->`, "←", `\(<-`).Replace(s)
	s = regexp.MustCompile("(?s)`([^`]+)`").ReplaceAllString(s, `\fB$1\fR`)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
