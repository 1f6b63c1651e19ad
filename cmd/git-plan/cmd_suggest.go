package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/planner"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/suggest"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// maxSuggestPlans bounds how many unfinished plans are read for their hints,
// and for the tasks that there are already.
const maxSuggestPlans = 100

type suggestCommand struct {
	*app
	limit int
	alone bool
}

func newSuggest(a *app, cmd *cobra.Command) runner {
	c := &suggestCommand{app: a}
	cmd.Flags().IntVarP(&c.limit, "max-count", "n", 20, "give at most this `count`; 0 gives all")
	cmd.Flags().BoolVar(&c.alone, "no-model", false, "look without a model, though one is configured")
	return func(ctx context.Context, _ []string) error { return c.run(ctx) }
}

// suggestDocument is the answer of `suggest`.
type suggestDocument struct {
	Suggestions []suggest.Suggestion `json:"suggestions"`
}

func (c *suggestCommand) run(ctx context.Context) error {
	if c.limit < 0 {
		return &usageError{"--max-count is a number of suggestions, from 0 on"}
	}
	repo, err := c.open(ctx)
	if err != nil {
		return err
	}
	if repo.WorkTree == "" {
		return hooks.ErrNoWorkTree
	}
	plans, err := c.plans(ctx, false)
	if err != nil {
		return err
	}
	inStore, err := repo.Project().InStore(ctx)
	if err != nil {
		return err
	}
	var found []suggest.Suggestion
	if !inStore { // where the files are plans, there is no project to look at
		if found, err = c.findWork(ctx, plans); err != nil {
			return err
		}
	}
	found = suggest.New(found, plans)
	if !c.alone && !inStore {
		if found, err = c.searched(ctx, found); err != nil {
			return err
		}
	}
	shown := len(found)
	if c.limit > 0 {
		shown = min(shown, c.limit)
	}
	return c.tell(found[:shown], len(found)-shown)
}

// plans reads the unfinished plans, or all with finished ones last: the newest,
// where there are many.
func (c *suggestCommand) plans(ctx context.Context, all bool) ([]*plan.Plan, error) {
	s, err := c.repo.Snapshot(ctx)
	if err != nil || !s.Exists() {
		return nil, err
	}
	found, err := s.Summaries(ctx, s.Locations())
	if err != nil {
		return nil, err
	}
	if !all {
		found = slices.DeleteFunc(found, func(sum store.Summary) bool { return sum.Status.Finished() })
	}
	slices.SortStableFunc(found, func(x, y store.Summary) int {
		return cmp.Or(cmp.Compare(number(x.Status.Finished()), number(y.Status.Finished())), y.Updated.Compare(x.Updated))
	})
	return loadAll(ctx, s, found[:min(len(found), maxSuggestPlans)])
}

// findWork looks through plans and files, for paths in open tasks that lead
// nowhere first.
func (c *suggestCommand) findWork(ctx context.Context, plans []*plan.Plan) ([]suggest.Suggestion, error) {
	world, err := c.repo.Project().World(ctx, "")
	if err != nil {
		return nil, err
	}
	var found []suggest.Suggestion
	for _, p := range plans {
		findings, err := store.Inspect(ctx, store.Subject{Plan: p, Stored: true}, store.Policy{}, world)
		if err != nil {
			return nil, err
		}
		found = append(found, suggest.Hints(p, findings)...)
	}
	work, err := suggest.Read(ctx, c.git(), c.draftFolder())
	return append(found, work...), err
}

func (c *suggestCommand) tell(found []suggest.Suggestion, rest int) error {
	if len(found) == 0 {
		c.say("Nothing was found that no plan holds yet.")
	}
	for _, s := range found {
		place := s.Path
		if s.Line > 0 {
			place = fmt.Sprintf("%s:%d", s.Path, s.Line)
		}
		c.say("%-7s %s\n        %s: %s", s.Type, diag.Printable(s.Title), diag.Printable(place), diag.Printable(s.Reason))
	}
	if rest > 0 {
		c.say("%s left out: give -n 0 to see all.", count(rest, "suggestion"))
	}
	return c.document(suggestDocument{append([]suggest.Suggestion{}, found...)})
}

// searched puts what the model finds, where one is configured, before what was
// found without it.
func (c *suggestCommand) searched(ctx context.Context, found []suggest.Suggestion) ([]suggest.Suggestion, error) {
	model, ok, err := c.model(ctx)
	if err != nil || !ok {
		return found, err
	}
	sources, err := planner.Look(ctx, c.repo, planner.Options{LeaveOut: c.draftFolder(), Tracked: true})
	if err != nil {
		return nil, err
	}
	search := planner.Search{Marks: found}
	if search.Plans, err = c.plans(ctx, true); err != nil {
		return nil, err
	}
	if search.Project, err = sources.Sample(ctx, c.worthReading(ctx, found)); err != nil {
		return nil, err
	}
	c.progress("asking the model for work that no plan holds…")
	var ideas []suggest.Suggestion
	err = model.Ask(ctx, search.Question(), func(answer string) error {
		object, _, err := llm.JSON(answer)
		if err == nil {
			ideas, err = planner.ReadSuggestions(object)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%w; --no-model looks without a model", err)
	}
	ideas, made, err := sources.Real(ctx, ideas)
	if err != nil {
		return nil, err
	}
	if made > 0 {
		c.warn("%s of the model left out: no such place is in the project", count(made, "suggestion"))
	}
	ideas = suggest.New(ideas, search.Plans)
	return append(ideas, slices.DeleteFunc(slices.Clone(found), func(f suggest.Suggestion) bool { // what else was found, at other places
		return slices.ContainsFunc(ideas, func(i suggest.Suggestion) bool {
			return i.Path == f.Path && i.Line == f.Line || strings.EqualFold(i.Title, f.Title)
		})
	})...), nil
}

// worthReading names the files that a model should see before others: where
// something was found, the document that comes first, what was changed lately.
func (c *suggestCommand) worthReading(ctx context.Context, found []suggest.Suggestion) []string {
	names := append(namesOf(found, func(f suggest.Suggestion) string { return f.Path }), "README.md")
	// A repository without commits has no history, and needs none here.
	changed, _ := c.git().Read(ctx, "log", "-z", "--name-only", "--format=", "--no-renames", "-n", "30", "--diff-filter=AM")
	for name := range strings.SplitSeq(string(changed), "\x00") {
		names = append(names, strings.TrimSpace(name))
	}
	return names
}
