package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
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

// pageOf is the manual page of one command, made of its help.
func pageOf(c, root *cobra.Command) string {
	var b strings.Builder
	manHead(&b, "git-plan-"+c.Name(), c.Short)
	b.WriteString(".SH SYNOPSIS\n")
	for i, one := range append([]*cobra.Command{c}, c.Commands()...) {
		if i == 0 && c.HasSubCommands() || one.Hidden {
			continue
		}
		b.WriteString(".nh\n.HP\n.B " + roff(one.CommandPath()) + "\n" + synopsis(one.Use) + "\n.hy\n")
	}
	text, _, _ := strings.Cut(c.Long, exitHelp)
	section(&b, "DESCRIPTION", text)
	manOptions(&b, "OPTIONS", c.LocalNonPersistentFlags())
	for i, sub := range c.Commands() {
		if i == 0 {
			b.WriteString(".SH COMMANDS\n")
		}
		if !sub.Hidden {
			manSubcommand(&b, sub)
		}
	}
	manOptions(&b, "OPTIONS OF ALL COMMANDS", root.PersistentFlags())
	manExamples(&b, c.Name())
	_, exits, _ := strings.Cut(exitHelp, ": ")
	if _, own, has := strings.Cut(c.Long, "Exit status: "); has {
		exits = own
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

// synopsis gives what follows a command's name in its usage line, with what
// the user puts in place of it in italics.
func synopsis(use string) string {
	_, rest, _ := strings.Cut(use, " ")
	return regexp.MustCompile(`[A-Z]+`).ReplaceAllStringFunc(roff(rest), func(word string) string {
		return `\fI` + strings.ToLower(word) + `\fR`
	})
}

func manSubcommand(b *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(b, ".SS %s\n", roff(c.CommandPath()+strings.TrimPrefix(c.Use, c.Name())))
	text, _, _ := strings.Cut(c.Long, exitHelp)
	if text == "" {
		text = sentence(c.Short)
	}
	paragraphs(b, text)
	manFlags(b, c.LocalNonPersistentFlags())
}

func manOptions(b *strings.Builder, title string, flags *pflag.FlagSet) {
	var options strings.Builder
	if manFlags(&options, flags); options.Len() > 0 {
		b.WriteString(".SH " + title + "\n" + options.String())
	}
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

func manExamples(b *strings.Builder, command string) {
	if text := manualExamples(command); text != "" {
		section(b, "EXAMPLES", text)
	}
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
