package main

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// completer gives what the word being typed may become, best with a
// description after a tab. It never fails: where nothing is known, there is
// nothing to offer.
type completer func(ctx context.Context, word string) []string

// completionTime is how long a shell waits for words at most.
const completionTime = time.Second

// completion offers words for what is being typed.
type completion struct{ *app }

// add lets the shells complete every argument and the value of every flag. The
// placeholders in usage lines and descriptions decide what a word may be.
func (w *completion) add(root *cobra.Command) {
	w.completeFlags(root.PersistentFlags(), root)
	for _, c := range root.Commands() {
		w.addTo(c)
	}
}

func (w *completion) addTo(c *cobra.Command) {
	w.completeFlags(c.LocalNonPersistentFlags(), c)
	for _, sub := range c.Commands() {
		w.addTo(sub)
	}
	if c.HasSubCommands() || c.ValidArgs != nil || c.Name() == "help" {
		return // cobra completes these
	}
	c.ValidArgsFunction = w.arguments(c, positionsOf(c.Use))
}

// completeFlags completes the values of flags: the words that its description
// lists, or those of its placeholder.
func (w *completion) completeFlags(flags *pflag.FlagSet, c *cobra.Command) {
	positions := positionsOf(c.Use)
	ofPlan := len(positions) > 0 && slices.Contains(positions[0].kinds, "PLAN")
	flags.VisitAll(func(f *pflag.Flag) {
		kind, usage := pflag.UnquoteUsage(f)
		if f.Value.Type() == "bool" || kind == "" && f.NoOptDefVal == "" {
			return
		}
		offer, files := w.offerOf(kind, c)
		if words := listedIn(usage); words != nil {
			offer, files = oneOf(words...), false
		}
		c.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if kind == "task" && ofPlan && len(args) > 0 {
				w.plan = args[0] // whose tasks are meant
			}
			return offered(cmd.Context(), offer, word), directive(files)
		}) // fails only for a flag that is not there
	})
}

// listedIn gives the words that end a flag's description, such as "form of the
// output: text, json" or "the gate is base or strict (default: base)".
func listedIn(usage string) []string {
	list := regexp.MustCompile(`(?:: | is )([\w-]+(?:(?:, | or )[\w-]+)+)(?: \(default.*\))?$`).FindStringSubmatch(usage)
	if list == nil {
		return nil
	}
	return strings.Split(strings.ReplaceAll(list[1], " or ", ", "), ", ")
}

// position is what one argument may be: the kinds in its placeholder.
type position struct {
	kinds             []string
	optional, repeats bool
}

// positionsOf reads the arguments off a usage line: "show [PLAN|FILE] [--all]"
// has one, of two kinds. Flags and their values are left out.
func positionsOf(use string) []position {
	var out []position
	words := strings.Fields(use)[1:]
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "--":
			// What follows is another program's.
		case strings.HasPrefix(strings.TrimLeft(word, "["), "-"):
			i += flagLength(words[i:]) - 1
		default:
			name := strings.Trim(word, "[].…")
			out = append(out, position{strings.Split(name, "|"), strings.HasPrefix(word, "["), strings.Contains(word, "…") || strings.Contains(word, "...")})
		}
	}
	return out
}

// flagLength counts the words of a flag: up to its closing bracket, else with its
// value.
func flagLength(words []string) int {
	if !strings.HasPrefix(words[0], "[") {
		return 2
	}
	open := 0
	for i, word := range words {
		if open += strings.Count(word, "[") - strings.Count(word, "]"); open <= 0 {
			return i + 1
		}
	}
	return len(words)
}

// arguments completes the arguments of a command. Where a path was
// begun, the shell adds files to whatever there is.
func (w *completion) arguments(c *cobra.Command, positions []position) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var at position
		if n := len(positions); len(args) < n {
			at = positions[len(args)]
		} else if n > 0 && positions[n-1].repeats {
			at = positions[n-1]
		}
		var found []string
		files := len(at.kinds) > 0 && looksLikePath(word)
		for _, kind := range at.kinds {
			offer, isFile := w.offerOf(kind, c)
			files = files || isFile
			found = append(found, offered(cmd.Context(), offer, word)...)
		}
		return slices.DeleteFunc(found, func(s string) bool {
			name, _, _ := strings.Cut(s, "\t")
			return slices.Contains(args, name) // said already
		}), directive(files)
	}
}

func directive(files bool) cobra.ShellCompDirective {
	if files {
		return cobra.ShellCompDirectiveDefault
	}
	return cobra.ShellCompDirectiveNoFileComp
}

// obeyedByShells are the characters that a shell does not take as they are. A
// pushed branch may be called $(x), and a shell inserts what it is offered.
const obeyedByShells = "$`\\\"'();&|<>*?[]!# \t\n"

// offered gives the words of a completer that begin with the word and are safe in
// a shell.
func offered(ctx context.Context, offer completer, word string) []string {
	if offer == nil {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, completionTime)
	defer stop()
	var out []string
	for _, s := range offer(ctx, word) {
		choice, _, _ := strings.Cut(s, "\t")
		if strings.HasPrefix(s, word) && !strings.ContainsAny(choice, obeyedByShells) {
			out = append(out, s)
		}
	}
	return out
}

// offerOf gives the words for a placeholder of a command, nil where only the user
// can know, and whether it may be a file.
func (w *completion) offerOf(kind string, c *cobra.Command) (offer completer, files bool) {
	if kind == "ID" || kind == "NAME" {
		return w.offerNames(c), false
	}
	switch kind = strings.ToLower(kind); kind {
	case "path", "file", "dir", "folder", "command", "arg":
		return nil, true
	case "plan/task":
		return func(ctx context.Context, word string) []string {
			if !strings.Contains(word, "/") {
				return nil
			}
			return w.taskIDs(everyTask)(ctx, word)
		}, false
	case "plan":
		if c.Name() == "restore" {
			return w.archivedIDs, false
		}
	}
	return map[string]completer{
		"plan": w.planIDs, "a": w.planIDs, "b": w.planIDs, // the sides of a comparison
		"task": w.taskIDs(everyTask), "thread": w.threadIDs, "draft": w.threadIDs, "signal": w.signalIDs,
		"rule": offerNamed(validate.Rules, ruleID, func(r validate.Rule) string { return r.Doc }), "rev": w.revisions, "revision": w.revisions, "remote": w.remotes,
		"status": oneOf(stringsOf(plan.PlanStatuses()...)...),
	}[kind], kind == "a" || kind == "b"
}

// offerNames gives the words for ID or NAME in a command.
func (w *completion) offerNames(c *cobra.Command) completer {
	switch c.CommandPath() {
	case "git plan prompt":
		return offerNamed(prompt.Catalogue, func(e prompt.Entry) string { return e.Name }, func(e prompt.Entry) string { return e.About })
	case "git plan schema":
		return offerNamed(documents, func(d documentSchema) string { return d.name }, func(d documentSchema) string { return d.title })
	case "git plan hooks run":
		return oneOf(stringsOf(hooks.Events()...)...)
	}
	switch c.Parent().Name() {
	case "task":
		return w.taskIDs(mayDo(c.Name()))
	case "alert":
		return w.signalIDs
	}
	return nil
}

// offerNamed offers the names of things, with what they are.
func offerNamed[T any](all func() []T, name, about func(T) string) completer {
	return func(context.Context, string) []string {
		return namesOf(all(), func(one T) string { return describe(name(one), about(one)) })
	}
}

// describe adds a description to a choice, on one line.
func describe(choice, text string) string {
	return cobra.CompletionWithDesc(diag.Printable(choice), diag.Printable(text))
}

func oneOf(all ...string) completer {
	return func(context.Context, string) []string { return all }
}

// planIDs gives the plans, and after an @ the versions of the plan before it.
func (w *completion) planIDs(ctx context.Context, word string) []string {
	s, err := w.snapshot(ctx)
	if err != nil {
		return nil
	}
	if id, _, dated := strings.Cut(word, "@"); dated {
		return versions(ctx, s, id)
	}
	return describePlans(ctx, s, s.Locations(), word)
}

// archivedIDs gives the plans of the archive.
func (w *completion) archivedIDs(ctx context.Context, word string) []string {
	s, err := w.snapshot(ctx)
	if err != nil {
		return nil
	}
	where, err := s.Archive(ctx)
	if err != nil {
		return nil
	}
	return describePlans(ctx, s, where, word)
}

// describePlans gives the plans that begin with a word, with their titles.
func describePlans(ctx context.Context, s *store.Snapshot, where []store.Location, word string) []string {
	meant := slices.DeleteFunc(slices.Clone(where), func(l store.Location) bool { return !strings.HasPrefix(l.ID, word) })
	rows, err := s.Summaries(ctx, meant)
	if err != nil {
		return namesOf(meant, func(l store.Location) string { return l.ID }) // a plan that cannot be read keeps its id
	}
	return namesOf(rows, func(row store.Summary) string { return describe(row.ID, row.Title) })
}

// versions gives the addresses of a plan's versions, newest first.
func versions(ctx context.Context, s *store.Snapshot, id string) []string {
	history, err := s.History(ctx, id, 0)
	if err != nil {
		return nil
	}
	var out []string
	seen := map[int]bool{}
	for _, r := range onlyVersions(history) {
		for _, o := range r.Changes {
			if o.ID == id && beginsVersion(o) && !seen[o.Version] {
				seen[o.Version] = true
				address := store.Address{Plan: id, Version: o.Version}
				out = append(out, describe(address.String(), plan.FormatTime(r.At())+" "+strings.TrimPrefix(r.Subject(), id+": ")))
			}
		}
	}
	return out
}

func everyTask(*plan.Task) bool { return true }

// mayDo picks the tasks that a verb of `task` may move.
func mayDo(verb string) func(*plan.Task) bool {
	for _, v := range allTaskVerbs() {
		if v.name == verb {
			if v.name == "reopen" {
				return func(t *plan.Task) bool { return t.Status.Settled() || t.Status == plan.Failed }
			}
			return func(t *plan.Task) bool { return t.Status.MayBecome(v.to) }
		}
	}
	return everyTask
}

// taskIDs gives the wanted tasks of the plan that the word names, else of the plan
// that is meant.
func (w *completion) taskIDs(want func(*plan.Task) bool) completer {
	return func(ctx context.Context, word string) []string {
		name, _ := taskName(word)
		stored, _, err := w.loadPlan(ctx, name)
		if err != nil {
			return nil
		}
		prefix := ""
		if name != "" {
			prefix = name + "/"
		}
		var out []string
		for _, t := range stored.Plan.All() {
			if want(t) {
				out = append(out, describe(prefix+t.ID, t.Title()))
			}
		}
		return out
	}
}

// signalIDs gives the open signals of the plan that is meant.
func (w *completion) signalIDs(ctx context.Context, _ string) []string {
	stored, _, err := w.loadPlan(ctx, "")
	if err != nil {
		return nil
	}
	return namesOf(stored.Plan.Signals, func(s *plan.Signal) string { return describe(s.ID, s.Level+onTask(stored.Plan, s)) })
}

func (w *completion) threadIDs(ctx context.Context, _ string) []string {
	_, state, err := w.threads(ctx)
	if err != nil {
		return nil
	}
	return namesOf(state.Drafts, func(t draft.Draft) string { return describe(t.ID, cmp.Or(t.Plan, "a new plan")) })
}

// remotes gives git's remotes.
func (w *completion) remotes(ctx context.Context, _ string) []string {
	out, err := w.git().Read(ctx, "remote")
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

// revisions gives git's branches and tags.
func (w *completion) revisions(ctx context.Context, _ string) []string {
	out, err := w.git().Read(ctx, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil
	}
	return append([]string{"HEAD"}, strings.Fields(string(out))...)
}
