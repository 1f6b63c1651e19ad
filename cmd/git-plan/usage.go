package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// usageError is a command line without a meaning.
type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

// unknownCommand is the error of a word that names no command, with the one
// that was perhaps meant.
func unknownCommand(cmd *cobra.Command, name string) error {
	names := commandsBelow(cmd)
	message := fmt.Sprintf("there is no command %q", name)
	near, other := meant(plan.Meant(name, names)), otherWord(name)
	switch {
	case near != "":
		message += near
	case cmd.HasParent():
		message += "; there are " + strings.Join(names, ", ")
	case other != "":
		message += fmt.Sprintf("; perhaps `git plan %s` does it", other)
	}
	return &usageError{message}
}

// commandsBelow gives the names of the commands below another.
func commandsBelow(cmd *cobra.Command) []string {
	all := slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() })
	return namesOf(all, (*cobra.Command).Name)
}

// oneBelow is what a command does that is only a name for those below it.
func oneBelow(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return &usageError{"a command is missing; there are " + strings.Join(commandsBelow(cmd), ", ")}
}

// otherWord gives our word for what goes by another name in other programs.
func otherWord(name string) string {
	is := func(words string) bool { return slices.Contains(strings.Fields(words), strings.ToLower(name)) }
	if is("done complete fail skip cancel reopen block note") {
		return "task " + strings.ToLower(name)
	}
	for _, row := range [][2]string{
		{"new", "add create begin plan"},
		{"edit", "modify change"},
		{"list", "ls plans all"},
		{"show", "view cat tree get open"},
		{"next", "claim take ready todo"},
		{"sync", "push pull fetch merge"},
		{"log", "history versions"},
		{"check", "validate lint test"},
		{"board", "kanban columns"},
		{"grep", "search find"},
		{"rm", "remove delete drop"},
		{"abandon", "close"},
		{"hooks install", "install"},
		{"graph", "dag draw mermaid dot deps"},
		{"replan", "revise redo"},
	} {
		if is(row[1]) {
			return row[0]
		}
	}
	return ""
}

// noSuch is the error of a word that is not one of a list.
func noSuch(what, word string, words []string) error {
	return &usageError{fmt.Sprintf("there is no %s %q%s; there are %s", what, word, meant(plan.Meant(word, words)), strings.Join(words, ", "))}
}

// meant is a question after a wrong word, if another one is near.
func meant(near string) string {
	if near == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", near)
}

// flagError is the error of flags that do not parse, with the flag that was
// perhaps meant.
func flagError(cmd *cobra.Command, err error) error {
	message := err.Error()
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		wanted := map[string]string{"int": "give a number", "bool": "give true or false, or leave the value out"}[invalid.GetFlag().Value.Type()]
		message = fmt.Sprintf("--%s cannot be %q: %s", invalid.GetFlag().Name, invalid.GetValue(), cmp.Or(wanted, errors.Unwrap(invalid).Error()))
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "" {
		message = fmt.Sprintf("there is no flag -%s", unknown.GetSpecifiedName())
	} else if unknown != nil {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		message = fmt.Sprintf("there is no flag --%s", unknown.GetSpecifiedName())
		if near := plan.Meant(unknown.GetSpecifiedName(), names); near != "" {
			message += fmt.Sprintf(" (did you mean --%s?)", near)
		}
	}
	return &usageError{message}
}

// args makes a wrong number of arguments a usage error.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		given := args
		if n := cmd.ArgsLenAtDash(); n >= 0 {
			given = args[:n]
		}
		if slices.Contains(given, "") && cmd.Name() != "set-topic" {
			return &usageError{"an argument is empty: is a variable not set?"}
		}
		if err := check(cmd, args); err == nil || isA[*usageError](err) {
			return err
		}
		for n := len(args) - 1; n >= 0; n-- {
			if check(cmd, args[:n]) == nil {
				return &usageError{fmt.Sprintf("the argument %q is one too many", args[n])}
			}
		}
		return &usageError{"an argument is missing"}
	}
}

// filled refuses flags that name something and were given nothing: what a script
// meant with a variable that is not set is more than what no flag means.
func filled(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return &usageError{"--" + name + " is empty: is a variable not set?"}
		}
	}
	return nil
}

// checkTexts refuses texts of the command line that no plan can hold.
func checkTexts(texts ...string) error {
	for _, text := range texts {
		if err := plan.CheckText(text); err != nil {
			return &usageError{err.Error()}
		}
	}
	return nil
}

// isBlank reports whether a text says nothing.
func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// asItIs refuses the name of a plan as it was.
func asItIs(name string) error {
	if address, ok := store.ParseAddress(name); ok && address.String() != address.Plan {
		return &usageError{name + " is how the plan was: name the plan as it is, " + address.Plan}
	}
	return nil
}

func usageText(cmd *cobra.Command) string {
	return fmt.Sprintf("usage: %s\nSee `%s -h`.\n", cmd.UseLine(), cmd.CommandPath())
}

// newHelp is the command that shows the help of another.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "show the help of a command", GroupID: "setup",
		RunE: func(cmd *cobra.Command, args []string) error {
			shown, unknown, _ := cmd.Root().Find(args)
			if len(unknown) > 0 {
				return unknownCommand(shown, unknown[0])
			}
			shown.InitDefaultHelpFlag()
			shown.InitDefaultVersionFlag()
			return shown.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var out []cobra.Completion
			above, unknown, _ := cmd.Root().Find(args)
			for _, c := range above.Commands() {
				if len(unknown) == 0 && c.IsAvailableCommand() && strings.HasPrefix(c.Name(), word) {
					out = append(out, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
