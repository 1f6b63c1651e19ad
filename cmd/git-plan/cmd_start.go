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

func newStart(a *app) *cobra.Command {
	var goal loop.Goal
	var alone bool
	cmd := &cobra.Command{
		Use: "start --goal TEXT [--spec FILE] [--id ID]", Short: "begin a plan for a goal", GroupID: groupEveryday,
		Long: `Make a plan for a goal and make it the worktree's current one. Its first task
is to decompose the goal: an agent that runs ` + "`git plan status --json`" + ` is given
it, with all it needs to hand in the other tasks. The plan asks for the strict
gate.

Where plan.llm.command names a model's command, the model drafts the tasks: it
is shown the goal, the constraints and memories, what the files of --spec and
--code hold, and the names of the project's files. A draft that the gate refuses,
or a judge that gates.yaml asks for, goes back to it with the reasons; it has
three drafts. Where none can be taken, or the model fails, the plan is made as
without a model, and a warning and the message say why. Nothing in an answer is
run or opened. --no-model asks no model.

--constraint, --memory and --code may be given more than once.
` + exitHelp,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runStart(cmd.Context(), goal, alone) },
	}
	flags := cmd.Flags()
	flags.StringVar(&goal.Text, "goal", "", "what is to be reached, as `text`: a sentence, and lines of detail below it")
	flags.StringVar(&goal.Spec, "spec", "", "the `file` of the project that specifies it")
	flags.StringArrayVar(&goal.Constraints, "constraint", nil, "what must hold, as `text`")
	flags.StringArrayVar(&goal.Memories, "memory", nil, "what is known already, as `text`")
	flags.StringArrayVar(&goal.Code, "code", nil, "a `path` of the project that it is about")
	flags.StringVar(&goal.ID, "id", "", "the plan's `id` (default: made of the goal)")
	flags.BoolVar(&alone, "no-model", false, "let the agent draft the tasks, though a model is configured")
	return cmd
}

// startDocument is the answer of `start`.
type startDocument struct {
	Status  string `json:"status"`
	Session string `json:"session_id"`
	Message string `json:"message"`
	Next    string `json:"next_command"`
	Commit  string `json:"commit"`
}

func (a *app) runStart(ctx context.Context, goal loop.Goal, alone bool) error {
	if err := checkGoal(goal); err != nil {
		return err
	}
	repo, err := a.open(ctx)
	if err != nil {
		return err
	}
	if goal.Spec, goal.Code, err = a.projectPaths(ctx, goal); err != nil {
		return err
	}
	agent, err := repo.Agent(ctx)
	if err != nil {
		return err
	}
	taken, err := a.draftedIDs(ctx)
	if err != nil {
		return err
	}
	s := &loop.Starter{Repo: repo, Goal: goal, Agent: agent, Taken: func(id string) bool { return slices.Contains(taken, id) }}
	note := ""
	if !alone {
		if note, err = a.draftStart(ctx, s); err != nil {
			return err
		}
	}
	result, err := repo.Commit(ctx, s.Mutate)
	if refused := outdated(s, err); refused != nil {
		note = "the gate refused the model's draft in the end, so the first task is to make the plan: " + few(refused.Details())
		s.Draft = nil
		result, err = repo.Commit(ctx, s.Mutate)
	}
	if err != nil {
		return err
	}
	a.afterChange(ctx, result)
	if err := a.makeCurrent(ctx, s.ID); err != nil {
		a.warn("plan %s was made and is not the current one: %v", s.ID, err)
	}
	return a.tellStart(s, result, note)
}

// outdated gives the refusal of a draft that passed when it was made: what it says of the
// project, or the gate itself, changed since.
func outdated(s *loop.Starter, err error) *loop.Rejection {
	var refused *loop.Rejection
	if s.Draft == nil || !errors.As(s.Explain(err), &refused) {
		return nil
	}
	return refused
}

// tellStart answers. The note says what became of the model's drafts, if that is
// worth telling.
func (a *app) tellStart(s *loop.Starter, result store.Result, note string) error {
	doc := startDocument{"session_created", s.ID, "Session created. Agent can now begin work.", "git plan status --json", result.Commit}
	if note != "" {
		a.warn("%s", note)
		doc.Message += " Note: " + note + "."
	}
	if s.Draft != nil {
		for _, w := range s.Tell(result.Warnings) {
			fmt.Fprintln(a.Stderr, diag.Printable(w))
		}
	}
	if a.json {
		return a.print(doc)
	}
	what := "its first task is to make the others"
	if s.Draft != nil {
		what = "the model drafted " + count(len(result.Plans[0].After.All()), "task")
	}
	a.say("[%s %.10s] %s: created; %s.", a.repo.Branch(), result.Commit, s.ID, what)
	a.say("An agent begins with `%s`.", doc.Next)
	return nil
}

// checkGoal refuses what is no request for a plan.
func checkGoal(goal loop.Goal) error {
	if strings.TrimSpace(goal.Text) == "" {
		return &usageError{"to what end? give --goal"}
	}
	if plan.IsDevice(goal.ID) {
		return badID(goal.ID)
	}
	if goal.ID != "" && !canNamePlan(goal.ID) {
		return &usageError{fmt.Sprintf("--id %q is no id: lower-case letters, digits and single hyphens, and not %q", goal.ID, store.Archive)}
	}
	for _, text := range slices.Concat([]string{goal.Text}, goal.Constraints, goal.Memories) {
		if strings.TrimSpace(text) == "" {
			return &usageError{"a constraint or a memory is empty: say it, or leave it out"}
		}
		if err := plan.CheckText(text); err != nil {
			return &usageError{err.Error()}
		}
	}
	return nil
}

// projectPaths gives the paths of --spec and --code from the top of the project.
func (a *app) projectPaths(ctx context.Context, goal loop.Goal) (spec string, code []string, err error) {
	exists, err := a.repo.World(ctx, "")
	if err != nil {
		return "", nil, err
	}
	if goal.Spec != "" {
		if spec, err = a.projectPath("--spec", goal.Spec, exists); err != nil {
			return "", nil, err
		}
	}
	for _, p := range goal.Code {
		if p, err = a.projectPath("--code", p, exists); err != nil {
			return "", nil, err
		}
		code = append(code, p)
	}
	return spec, code, nil
}

// projectPath gives a path that the user typed from the top of the project.
func (a *app) projectPath(flag, typed string, exists func(string) validate.Existence) (string, error) {
	p := path.Join(a.repo.Prefix, filepath.ToSlash(typed))
	if filepath.IsAbs(typed) {
		p = filepath.ToSlash(typed)
		if rel, ok := a.placeInProject(filepath.Clean(typed)); ok {
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
