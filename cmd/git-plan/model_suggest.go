package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/llm"
	"github.com/git-plan/git-plan/internal/planner"
	"github.com/git-plan/git-plan/internal/suggest"
)

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
	return merged(suggest.New(ideas, search.Plans), found), nil
}

// merged adds to the model's suggestions what else was found, at other places.
func merged(ideas, found []suggest.Suggestion) []suggest.Suggestion {
	same := func(f suggest.Suggestion) bool {
		return slices.ContainsFunc(ideas, func(i suggest.Suggestion) bool {
			return i.Path == f.Path && i.Line == f.Line || strings.EqualFold(i.Title, f.Title)
		})
	}
	return append(slices.Clone(ideas), slices.DeleteFunc(slices.Clone(found), same)...)
}

// worthReading names the files that a model should see before others: where
// something was found, the document that comes first, what was changed lately.
func (c *suggestCommand) worthReading(ctx context.Context, found []suggest.Suggestion) []string {
	var names []string
	for _, f := range found {
		names = append(names, f.Path)
	}
	names = append(names, "README.md")
	// A repository without commits has no history, and needs none here.
	changed, _ := c.git().Read(ctx, "log", "-z", "--name-only", "--format=", "--no-renames", "-n", "30", "--diff-filter=AM")
	for name := range strings.SplitSeq(string(changed), "\x00") {
		names = append(names, strings.TrimSpace(name))
	}
	return names
}
