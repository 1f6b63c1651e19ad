package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// describe adds a description to a choice, on one line.
func describe(choice, text string) string {
	return cobra.CompletionWithDesc(diag.Printable(choice), diag.Printable(text))
}

func oneOf(all ...string) completer {
	return func(context.Context, string) []string { return all }
}

func ruleIDs(context.Context, string) []string {
	return namesOf(validate.Rules(), func(r validate.Rule) string { return describe(r.ID, r.Doc) })
}

func promptsToComplete(context.Context, string) []string {
	return namesOf(prompt.Catalogue(), func(e prompt.Entry) string { return describe(e.Name, e.About) })
}

func schemasToComplete(context.Context, string) []string {
	return namesOf(documents(), func(d documentSchema) string { return describe(d.name, d.title) })
}

func hookNames(context.Context, string) []string { return stringsOf(hooks.Events()...) }

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
	for _, r := range onlyVersions(history, 0) {
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

// tasksOfPlan gives the tasks of the plan that the word names.
func (w *completion) tasksOfPlan(ctx context.Context, word string) []string {
	if !strings.Contains(word, "/") {
		return nil
	}
	return w.taskIDs(everyTask)(ctx, word)
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
	return namesOf(state.Drafts, func(t draft.Draft) string { return describe(t.ID, threadPlan(t)) })
}

func threadPlan(t draft.Draft) string {
	if t.Plan == "" {
		return "a new plan"
	}
	return "plan " + t.Plan
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
