package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/prompt"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Goal is what a new plan is to reach.
type Goal struct {
	// Text is the goal: a sentence, and lines that go into detail.
	Text string
	// Spec is the path of the specification in the project, or empty.
	Spec string
	// Constraints, Memories and Code go into the plan: what must hold, what is
	// known already, and the paths of the code it is about.
	Constraints, Memories, Code []string
	// ID is the plan's id, or empty to make one of the goal.
	ID string
}

// Starter makes a plan of a draft, or else one whose first task is to make the
// plan.
type Starter struct {
	Repo  *store.Repo
	Goal  Goal
	Agent string
	// Draft holds the plan's tasks, or is nil.
	Draft *Draft
	// Taken reports whether an id is in use outside of the store.
	Taken func(id string) bool

	// ID is the plan's id in the last run.
	ID string

	labels labels
}

// Mutate is a mutation of the store.
func (s *Starter) Mutate(ctx context.Context, at *store.Snapshot) (store.Candidate, error) {
	var failed error
	taken := func(id string) bool {
		_, ok, err := at.Locate(ctx, id)
		failed = errors.Join(failed, err)
		return ok || id == store.Archive || s.Taken(id)
	}
	s.ID = s.Goal.ID
	if s.ID == "" {
		s.ID = plan.NewID(s.Goal.title(), "plan", taken)
	} else if taken(s.ID) {
		return store.Candidate{}, errors.Join(failed, &store.ExistsError{Message: fmt.Sprintf("the id %q is taken: choose another", s.ID)})
	}
	if failed != nil {
		return store.Candidate{}, failed
	}
	files, err := s.files()
	if err != nil {
		return store.Candidate{}, err
	}
	message := store.Message{Agent: s.Agent, Body: []string{"Goal: " + s.Goal.Text}}
	p, _ := s.Repo.ReadPlan(s.ID, "", files)
	if s.Draft != nil {
		message.Body = append(message.Body, s.Draft.Reasoning)
		if p, err = s.drafted(ctx, at, p); err != nil {
			return store.Candidate{}, err
		}
	}
	return store.Candidate{Writes: []store.Write{{ID: s.ID, Plan: p, Version: 1}}, Message: message}, nil
}

// maxTitle bounds the title that is made of a goal, in characters.
const maxTitle = 100

// lines gives the goal's first line and those that go into detail.
func (g Goal) lines() (first string, detail []string) {
	for line := range strings.SplitSeq(strings.TrimSpace(g.Text), "\n") {
		line = strings.TrimSpace(line)
		switch {
		case first == "":
			first = line
		case line != "":
			detail = append(detail, line)
		}
	}
	return first, detail
}

func (g Goal) title() string {
	first, _ := g.lines()
	return diag.OneLine(first, maxTitle)
}

// files are those of the new plan, without the tasks of a draft.
func (s *Starter) files() ([]plan.File, error) {
	doc, err := s.Goal.file()
	if err != nil || s.Draft != nil {
		return []plan.File{doc}, err
	}
	task, err := s.Goal.decomposition()
	return []plan.File{doc, task}, err
}

// file is plan.md.
func (g Goal) file() (plan.File, error) {
	first, detail := g.lines()
	fields := map[string]any{"title": g.title(), "gates": "strict"}
	if first != g.title() {
		fields["goal"] = first
	}
	set(fields, "goal_detail", detail)
	set(fields, "constraints", g.Constraints)
	set(fields, "informed_by", g.Memories)
	body := strings.TrimSpace(g.Text)
	if g.Spec != "" {
		body += fmt.Sprintf("\n\nThe specification is `%s`.", g.Spec)
	}
	return plan.ComposePlan(fields, body)
}

func set(fields map[string]any, name string, items []string) {
	if len(items) > 0 {
		fields[name] = items
	}
}

// decomposition is the first task: to make the others.
func (g Goal) decomposition() (plan.File, error) {
	hints := []string{"Run `git plan guide` and follow it: it says what a good task is, with an example."}
	var paths []string
	if g.Spec != "" {
		hints = append(hints, fmt.Sprintf("Read `%s`, the specification, from the first line to the last.", g.Spec))
		paths = append(paths, g.Spec)
	}
	for _, p := range g.Code {
		hints = append(hints, fmt.Sprintf("Look through `%s` for what is there to build on.", p))
		paths = append(paths, p)
	}
	if len(g.Constraints) > 0 {
		hints = append(hints, "Keep to the `constraints` of the plan: `git plan show` prints them.")
	}
	fields := map[string]any{
		"id": "decompose", "type": "chore", "context_hints": hints,
		"title": fmt.Sprintf("Decompose the goal '%s' into a detailed task list for git plan.", g.title()),
	}
	set(fields, "relevant_file_paths", paths)
	return plan.ComposeTask("tasks/01-decompose.md", fields, prompt.Text("first-task")+"\n")
}
