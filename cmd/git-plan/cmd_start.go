package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

type startCommand struct {
	*app
	goal  loop.Goal
	alone bool
}

func newStart(a *app, cmd *cobra.Command) runner {
	c := &startCommand{app: a}
	flags := cmd.Flags()
	flags.StringVar(&c.goal.Text, "goal", "", "what is to be reached, as `text`: a sentence, and lines of detail below it")
	flags.StringVar(&c.goal.Spec, "spec", "", "the `file` of the project that specifies it")
	flags.StringArrayVar(&c.goal.Constraints, "constraint", nil, "what must hold, as `text`")
	flags.StringArrayVar(&c.goal.Memories, "memory", nil, "what is known already, as `text`")
	flags.StringArrayVar(&c.goal.Code, "code", nil, "a `path` of the project that it is about")
	flags.StringVar(&c.goal.ID, "id", "", "the plan's `id` (default: made of the goal)")
	flags.BoolVar(&c.alone, "no-model", false, "let the agent draft the tasks, though a model is configured")
	return func(ctx context.Context, _ []string) error { return c.run(ctx) }
}

// startDocument is the answer of `start`.
type startDocument struct {
	Status  string `json:"status"`
	Session string `json:"session_id"`
	Message string `json:"message"`
	Next    string `json:"next_command"`
	landing
}

func (c *startCommand) run(ctx context.Context) error {
	if err := checkGoal(c.goal); err != nil {
		return err
	}
	agent, err := c.openAs(ctx)
	if err != nil {
		return err
	}
	if err := c.placePaths(ctx); err != nil {
		return err
	}
	taken, err := c.draftedIDs(ctx)
	if err != nil {
		return err
	}
	s := &loop.Starter{Repo: c.repo, Goal: c.goal, Agent: agent, Taken: func(id string) bool { return slices.Contains(taken, id) }}
	note := ""
	if !c.alone {
		if note, err = c.draftStart(ctx, s); err != nil {
			return err
		}
	}
	result, err := c.repo.Publisher().CommitNewest(ctx, s.Mutate)
	var refused *loop.Rejection
	if s.Draft != nil && errors.As(s.Explain(err), &refused) { // a draft that passed when it was made
		note = "the gate refused the model's draft in the end, so the first task is to make the plan: " + few(refused.Details())
		s.Draft = nil
		result, err = c.repo.Publisher().CommitNewest(ctx, s.Mutate)
	}
	if err != nil {
		return err
	}
	c.afterChange(ctx, result)
	if err := c.makeCurrent(ctx, s.ID); err != nil {
		c.warn("plan %s was made and is not the current one: %v", s.ID, err)
	}
	return c.tell(s, result, note)
}

// tell answers. The note is about the model's drafts.
func (c *startCommand) tell(s *loop.Starter, result store.Result, note string) error {
	doc := startDocument{"session_created", s.ID, "Session created. Agent can now begin work.", "git plan status --json", landed(result)}
	if note != "" {
		c.warn("%s", note)
		doc.Message += " Note: " + note + "."
	}
	if s.Draft != nil {
		for _, w := range s.Tell(result.Warnings) {
			fmt.Fprintln(c.Stderr, diag.Printable(w))
		}
	}
	what := "its first task is to make the others"
	if s.Draft != nil {
		what = "the model drafted " + count(len(result.Plans[0].After.All()), "task")
	}
	c.say("[%s %.10s] %s: created; %s.", c.repo.Branch(), result.Commit, s.ID, what)
	return c.reply(doc, "An agent begins with `%s`.", doc.Next)
}

// checkGoal refuses what is no request for a plan.
func checkGoal(goal loop.Goal) error {
	if isBlank(goal.Text) {
		return &usageError{"--goal is required"}
	}
	if err := checkID(goal.ID); err != nil {
		return err
	}
	texts := slices.Concat([]string{goal.Text}, goal.Constraints, goal.Memories)
	if slices.ContainsFunc(texts, isBlank) {
		return &usageError{"a constraint or a memory is empty: say it, or leave it out"}
	}
	return checkTexts(texts...)
}

// placePaths makes the paths of --spec and --code those from the top of the project.
func (c *startCommand) placePaths(ctx context.Context) error {
	world, err := c.repo.Project().World(ctx, "")
	if err != nil {
		return err
	}
	if c.goal.Spec != "" {
		c.goal.Spec, err = c.projectPath("--spec", c.goal.Spec, world.Exists)
	}
	for i, p := range c.goal.Code {
		if err == nil {
			c.goal.Code[i], err = c.projectPath("--code", p, world.Exists)
		}
	}
	return err
}

// projectPath gives a path that the user typed from the top of the project.
func (c *startCommand) projectPath(flag, typed string, exists func(string) validate.Existence) (string, error) {
	p := path.Join(c.repo.Prefix, filepath.ToSlash(typed))
	if filepath.IsAbs(typed) {
		p = filepath.ToSlash(typed)
		if rel, ok := c.placeInProject(filepath.Clean(typed)); ok {
			p = filepath.ToSlash(rel)
		}
	}
	if why := plan.CheckPath(p); why != "" {
		return "", &usageError{fmt.Sprintf("%s %q %s: name a file of the project", flag, typed, why)}
	}
	if strings.HasSuffix(filepath.ToSlash(typed), "/") {
		p += "/"
	}
	if exists(p) == validate.No {
		return "", &store.NotFoundError{What: "file of the project", Name: typed, Hint: "give " + flag + " a path that exists"}
	}
	return p, nil
}
