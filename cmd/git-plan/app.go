package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/term"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// app is one run of the program: the process and the flags all commands have.
type app struct {
	Env
	args  []string // the command line, for the full program
	json  bool
	color colorWhen
	agent string
	plan  string
	push  bool
	// naming guards plan in a process that serves for long.
	naming sync.Mutex

	repo *store.Repo
	// errorColors are those of standard error, once they are known.
	errorColors *term.Palette
	// underway is what a person is told of the work, if it may take long.
	underway *progress
}

// open finds the repository, once.
func (a *app) open(ctx context.Context) (*store.Repo, error) {
	if a.repo != nil {
		return a.repo, nil
	}
	repo, err := store.Open(ctx, store.Options{Git: a.git(), Getenv: a.Getenv, Now: a.Now, Agent: a.agent, Push: a.push, Progress: a.counted, Warn: a.warn})
	if err != nil {
		return nil, discoverError(err)
	}
	repo.Approve = a.approver(repo)
	repo.Renamed = func(ctx context.Context, plans map[string]string) error {
		if a.Env.Renamed != nil {
			a.Env.Renamed(plans)
		}
		return draft.Follow(ctx, repo, plans)
	}
	a.repo = repo
	return repo, nil
}

// counted passes on how many plans were read of those that have to be.
func (a *app) counted(done, total int) {
	if a.underway != nil {
		a.underway.count(done, total)
	}
}

func (a *app) close() {
	if a.repo != nil {
		a.repo.Close()
	}
}

// drafts opens the worktree's threads.
func (a *app) drafts(ctx context.Context) (*draft.Drafts, error) {
	repo, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	d, err := draft.Open(repo, a.Dir)
	if err != nil {
		return nil, err
	}
	d.Note = func(plan, what string) { a.warn("%s: %s", plan, what) }
	_ = d.Finish(ctx) // whoever writes is told of what hinders it
	return d, nil
}

// snapshot opens the repository and reads the store as it is.
func (a *app) snapshot(ctx context.Context) (*store.Snapshot, error) {
	repo, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	return repo.Snapshot(ctx)
}

// print writes v to standard output as one line of JSON.
func (a *app) print(v any) error {
	enc := json.NewEncoder(diag.JSONWriter(a.Stdout))
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// say writes a line for a person; with --json it says nothing.
func (a *app) say(format string, args ...any) {
	if !a.json {
		fmt.Fprintf(a.Stdout, format+"\n", args...)
	}
}

// warn writes a line to standard error.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintf(a.Stderr, "%s %s\n", a.errorPalette().Paint(term.Warning, "warning:"), diag.PrintableText(fmt.Sprintf(format, args...)))
}

// warnOfGates tells of a gates.yaml by which no plan can be judged, and so none
// be written. What reads plans goes on without it.
func (a *app) warnOfGates(ctx context.Context, s *store.Snapshot) {
	if s.Ref == "" {
		return // no store, or a look into its past
	}
	gates, found, err := s.Gates(ctx)
	switch {
	case err != nil:
		a.warn("gates.yaml in the store cannot be read: %v", err)
	case gates.Newer():
		a.warn("gates.yaml in the store is of a newer format: update git plan to write plans here")
	case len(found) > 0:
		a.warn("gates.yaml in the store has %s, and no plan can be written: see `git plan doctor`", count(len(found), "error"))
	}
}

// done ends a command that has no document of its own.
func (a *app) done(changed bool) error {
	if !a.json {
		return nil
	}
	status := "success"
	if !changed {
		status = "unchanged"
	}
	return a.print(map[string]string{"status": status})
}

// formats adds --format to a command; --json is short for --format json.
func (a *app) formats(cmd *cobra.Command, format *string, names ...string) {
	cmd.Flags().StringVar(format, "format", names[0], "`form` of the output: "+strings.Join(names, ", "))
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if a.json && cmd.Flags().Changed("format") && *format != "json" {
			return &usageError{"--json and --format " + *format + " exclude each other"}
		}
		for _, n := range names {
			if *format == n {
				a.json = a.json || n == "json"
				return nil
			}
		}
		return noSuch("format", *format, names)
	}
}

// afterChange is what every command that changed plans ends with: drafts of
// these plans that were not edited follow, and what went wrong is told.
func (a *app) afterChange(ctx context.Context, result store.Result) {
	for _, n := range result.Notes {
		a.warn("%s", n)
	}
	if !result.Changed() || a.repo.WorkTree == "" {
		return
	}
	var ids []string
	for _, o := range result.Plans {
		ids = append(ids, o.ID)
	}
	d, err := a.drafts(ctx)
	if err == nil {
		err = d.Refresh(ctx, result.Commit, ids...)
	}
	if err != nil {
		a.warn("drafts were not brought up to date: %v", err)
	}
}

// onePlan finds the plan that a command means where none is named: --plan,
// GIT_PLAN, the worktree's current plan, the only unfinished one.
func (a *app) onePlan(ctx context.Context, s *store.Snapshot) (string, error) {
	if id, err := a.ownPlan(ctx, s); err != nil || id != "" {
		return id, err
	}
	return a.onlyUnfinished(ctx, s)
}

// ownPlan is the plan that this process or its worktree has for its own, or "". It
// may be archived. Of one that is gone the error says so: whoever works on it must
// not come to work on another without a word.
func (a *app) ownPlan(ctx context.Context, s *store.Snapshot) (string, error) {
	for _, name := range []string{a.plan, a.Getenv("GIT_PLAN")} {
		if name != "" {
			return name, nil
		}
	}
	if a.repo.WorkTree != "" {
		d, err := a.drafts(ctx)
		if err != nil {
			return "", err
		}
		state, err := d.State()
		if err != nil {
			return "", err
		}
		if state.Plan == "" {
			return "", nil
		}
		if _, ok, err := s.Locate(ctx, state.Plan); err != nil || ok {
			return state.Plan, err
		}
		if s.Exists() {
			return "", &store.NotFoundError{What: "plan", Name: state.Plan,
				Hint: "it was the current one here and is gone: choose another with `git plan use PLAN`, or begin one with `git plan start`"}
		}
	}
	return "", nil
}

func (a *app) onlyUnfinished(ctx context.Context, s *store.Snapshot) (string, error) {
	if !s.Exists() {
		_, err := s.Load(ctx, "")
		return "", err
	}
	open, err := unfinished(ctx, s)
	if err != nil {
		return "", err
	}
	if len(open) != 1 {
		var ids []string
		for _, sum := range open {
			ids = append(ids, sum.ID)
		}
		return "", &store.AmbiguousPlanError{Candidates: ids, Bare: a.repo.WorkTree == ""}
	}
	return open[0].ID, nil
}

// unfinished gives the summaries of the plans that are not finished.
func unfinished(ctx context.Context, s *store.Snapshot) ([]store.Summary, error) {
	summaries, err := s.Summaries(ctx, s.Locations())
	return slices.DeleteFunc(summaries, func(sum store.Summary) bool { return sum.Status.Finished() }), err
}

// loadAll reads the plans that summaries are of.
func loadAll(ctx context.Context, s *store.Snapshot, summaries []store.Summary) ([]*plan.Plan, error) {
	var where []store.Location
	for _, sum := range summaries {
		where = append(where, sum.Location)
	}
	all, err := s.LoadAll(ctx, where)
	if err != nil {
		return nil, err
	}
	var out []*plan.Plan
	for _, stored := range all {
		out = append(out, stored.Plan)
	}
	return out, nil
}

// loadPlan reads the plan that an argument names, or the one meant where the
// argument is empty. It gives the commit it was read at.
func (a *app) loadPlan(ctx context.Context, name string) (*store.Stored, *store.Snapshot, error) {
	s, err := a.snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	return a.loadPlanFrom(ctx, s, name)
}

// loadPlanFrom is loadPlan for a state of the store that was read already.
func (a *app) loadPlanFrom(ctx context.Context, s *store.Snapshot, name string) (_ *store.Stored, at *store.Snapshot, err error) {
	if name == "" {
		if name, err = a.onePlan(ctx, s); err != nil {
			return nil, nil, err
		}
	}
	address, ok := store.ParseAddress(name)
	if !ok {
		return nil, nil, &store.NotFoundError{What: "plan", Name: name, Hint: "plan ids are kebab-case; see `git plan list`"}
	}
	if at, err = s.Resolve(ctx, address); err != nil {
		return nil, nil, err
	}
	stored, err := at.Load(ctx, address.Plan)
	return stored, at, err
}

// taskName splits what a person types for a task, "<plan>/<task>" or "<task>".
func taskName(s string) (planID, task string) {
	if p, t, ok := strings.Cut(s, "/"); ok {
		return p, t
	}
	return "", s
}

// findTask finds a task in a plan by id or number.
func findTask(p *plan.Plan, name string) (*plan.Task, error) {
	if t := p.Find(name); t != nil {
		return t, nil
	}
	var ids []string
	for _, t := range p.All() {
		ids = append(ids, t.ID)
	}
	if len(ids) == 0 {
		return nil, &store.NotFoundError{What: "task in plan " + p.ID, Name: name, Hint: "it has none yet"}
	}
	hint := "see `git plan show " + p.ID + "`"
	if near := plan.Meant(name, ids); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return nil, &store.NotFoundError{What: "task in plan " + p.ID, Name: name, Hint: hint}
}

// isNotFound reports whether err says that something named is not there.
func isNotFound(err error) bool {
	var e *store.NotFoundError
	return errors.As(err, &e)
}

// abs makes a path that the user typed absolute.
func (a *app) abs(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(a.Dir, p)
}
