package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// workspace is the repository that a command works in, and which plan it means.
type workspace struct {
	output
	projectFiles // opened safely, once the repository is known

	agent string
	plan  string
	push  bool
	repo  *store.Repo
}

// open finds the repository, once.
func (w *workspace) open(ctx context.Context) (*store.Repo, error) {
	if w.repo != nil {
		return w.repo, nil
	}
	repo, err := store.Open(ctx, store.Options{Git: w.git(), Getenv: w.Getenv, Now: w.Now, Agent: w.agent, Push: w.push, Progress: w.counted, Warn: w.warn})
	if err != nil {
		return nil, discoverError(err)
	}
	repo.Approve = w.approver(repo)
	repo.Renamed = func(ctx context.Context, plans map[string]string) error {
		if w.Env.Renamed != nil {
			w.Env.Renamed(plans)
		}
		return draft.Follow(ctx, repo, plans)
	}
	w.repo, w.config, w.projectFiles = repo, repo.Config, projectFiles{repo.WorkTree, !repo.FileMode}
	return repo, nil
}

// openAs finds the repository and the name that this process acts under.
func (w *workspace) openAs(ctx context.Context) (agent string, err error) {
	repo, err := w.open(ctx)
	if err != nil {
		return "", err
	}
	return repo.Agent(ctx)
}

func (w *workspace) close() {
	if w.repo != nil {
		w.repo.Close()
	}
}

// drafts opens the worktree's drafts.
func (w *workspace) drafts(ctx context.Context) (*draft.Drafts, error) {
	repo, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	d, err := draft.Open(repo, w.Dir)
	if err != nil {
		return nil, err
	}
	d.Note = func(plan, what string) { w.warn("%s: %s", plan, what) }
	return d, nil
}

// look is snapshot with a warning of what is wrong with the store.
func (w *workspace) look(ctx context.Context) (*store.Snapshot, error) {
	s, err := w.snapshot(ctx)
	if err == nil {
		w.warnOfGates(ctx, s)
	}
	return s, err
}

// threads opens the worktree's threads and reads what it remembers of them.
func (w *workspace) threads(ctx context.Context) (*draft.Drafts, draft.State, error) {
	d, err := w.drafts(ctx)
	if err != nil {
		return nil, draft.State{}, err
	}
	state, err := d.State()
	return d, state, err
}

// snapshot opens the repository and reads the store as it is.
func (w *workspace) snapshot(ctx context.Context) (*store.Snapshot, error) {
	repo, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	return repo.Snapshot(ctx)
}

// warnOfGates warns of a gates.yaml by which no plan can be judged or written. It
// does not stop readers.
func (w *workspace) warnOfGates(ctx context.Context, s *store.Snapshot) {
	if s.Ref == "" {
		return // no store, or a look into its past
	}
	gates, found, err := s.Gates(ctx)
	switch {
	case err != nil:
		w.warn("gates.yaml in the store cannot be read: %v", err)
	case gates.Newer():
		w.warn("gates.yaml in the store is of a newer format: update git plan to write plans here")
	case len(found) > 0:
		w.warn("gates.yaml in the store has %s, and no plan can be written: see `git plan doctor`", count(len(found), "error"))
	}
}

// afterChange ends every command that changed plans: unedited drafts of these plans
// follow.
func (w *workspace) afterChange(ctx context.Context, result store.Result) {
	for _, n := range result.Notes {
		w.warn("%s", n)
	}
	if !result.Changed() || w.repo.WorkTree == "" {
		return
	}
	ids := namesOf(result.Plans, func(o store.Outcome) string { return o.ID })
	d, err := w.drafts(ctx)
	if err == nil {
		err = d.Refresh(ctx, result.Commit, ids...)
	}
	if err != nil {
		w.warn("drafts were not brought up to date: %v", err)
	}
}

// onePlan finds the plan that is meant where none is named: --plan, GIT_PLAN, the
// worktree's current plan, the only unfinished one.
func (w *workspace) onePlan(ctx context.Context, s *store.Snapshot) (string, error) {
	if id, err := w.ownPlan(ctx, s); err != nil || id != "" {
		return id, err
	}
	return w.onlyUnfinished(ctx, s)
}

// nameOr gives a plan's name, or the plan that is meant without one.
func (w *workspace) nameOr(ctx context.Context, s *store.Snapshot, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	return w.onePlan(ctx, s)
}

// ownPlan is the plan of this process or its worktree, or "". It may be archived. A
// plan that is gone is an error, so that no work goes to another one.
func (w *workspace) ownPlan(ctx context.Context, s *store.Snapshot) (string, error) {
	for _, name := range []string{w.plan, w.Getenv("GIT_PLAN")} {
		if name != "" {
			return name, nil
		}
	}
	if w.repo.WorkTree != "" {
		_, state, err := w.threads(ctx)
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

func (w *workspace) onlyUnfinished(ctx context.Context, s *store.Snapshot) (string, error) {
	if !s.Exists() {
		_, err := s.Load(ctx, "")
		return "", err
	}
	open, err := unfinished(ctx, s)
	if err != nil {
		return "", err
	}
	if len(open) != 1 {
		ids := namesOf(open, func(sum store.Summary) string { return sum.ID })
		return "", &store.AmbiguousPlanError{Candidates: ids, Bare: w.repo.WorkTree == ""}
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
func (w *workspace) loadPlan(ctx context.Context, name string) (*store.Stored, *store.Snapshot, error) {
	s, err := w.snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	return w.loadPlanFrom(ctx, s, name)
}

// loadToShow is loadPlan with warnings of what is wrong with the plan or the store.
func (w *workspace) loadToShow(ctx context.Context, name string) (*store.Stored, *store.Snapshot, error) {
	stored, at, err := w.loadPlan(ctx, name)
	if err == nil {
		w.warnOfGates(ctx, at)
		w.warnOf(stored, name)
	}
	return stored, at, err
}

// loadPlanFrom is loadPlan for a state of the store that was read already.
func (w *workspace) loadPlanFrom(ctx context.Context, s *store.Snapshot, name string) (_ *store.Stored, at *store.Snapshot, err error) {
	if name, err = w.nameOr(ctx, s, name); err != nil {
		return nil, nil, err
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
	ids := idsOf(p.All())
	if len(ids) == 0 {
		return nil, &store.NotFoundError{What: "task in plan " + p.ID, Name: name, Hint: "it has none yet"}
	}
	return nil, notFound("task in plan "+p.ID, name, plan.Meant(name, ids), "see `git plan show "+p.ID+"`")
}

// notFound is the error of a name that nothing has, with what was perhaps meant.
func notFound(what, name, near, hint string) error {
	if near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return &store.NotFoundError{What: what, Name: name, Hint: hint}
}

// isNotFound reports whether err is about a name that nothing has.
func isNotFound(err error) bool {
	var e *store.NotFoundError
	return errors.As(err, &e)
}

// edit commits a change of one plan, by default the one that is meant, and of
// tasks that the caller named; fn is given who acts, and when. It gives the plan
// as it is then.
func (w *workspace) edit(ctx context.Context, id string, named []string, fn func(p *plan.Plan, by plan.Move) (store.Message, error)) (after *plan.Plan, result store.Result, err error) {
	agent, err := w.openAs(ctx)
	if err != nil {
		return nil, result, err
	}
	result, err = w.repo.Commit(ctx, func(ctx context.Context, s *store.Snapshot) (store.Candidate, error) {
		which, err := w.nameOr(ctx, s, id)
		if err != nil {
			return store.Candidate{}, err
		}
		lease, err := s.Lease(ctx)
		if err != nil {
			return store.Candidate{}, err
		}
		by := plan.Move{At: w.repo.Now(), Agent: agent, Lease: lease}
		return store.Edit(which, func(p *plan.Plan) (store.Message, error) {
			after = p
			return fn(p, by)
		}, named...)(ctx, s)
	})
	if err == nil {
		w.afterChange(ctx, result)
	}
	return after, result, err
}

// draftedIDs gives the ids that the worktree's drafts have for their plans.
func (w *workspace) draftedIDs(ctx context.Context) ([]string, error) {
	if w.repo.WorkTree == "" {
		return nil, nil
	}
	_, state, err := w.threads(ctx)
	var ids []string
	for _, t := range state.Drafts {
		ids = append(ids, t.Plan)
	}
	return ids, err
}

// makeCurrent makes a plan the worktree's current one, where there is a
// worktree.
func (w *workspace) makeCurrent(ctx context.Context, id string) error {
	if w.repo.WorkTree == "" {
		return nil
	}
	d, err := w.drafts(ctx)
	if err != nil {
		return err
	}
	return d.Use(ctx, id)
}

// openIfThere finds the repository, if there is one: a folder may lie outside
// of any.
func (w *workspace) openIfThere(ctx context.Context) error {
	if _, err := w.open(ctx); err != nil && !isA[*gitstore.NotRepositoryError](err) {
		return err
	}
	return nil
}

// planOrFolder reads a plan, stored or in a folder, with warnings of its faults.
func (w *workspace) planOrFolder(ctx context.Context, name string) (*plan.Plan, error) {
	if looksLikePath(name) {
		return w.readFolder(ctx, name)
	}
	stored, _, err := w.loadToShow(ctx, name)
	if err != nil {
		return nil, err
	}
	return stored.Plan, nil
}

// readFolder reads the plan in a folder, or in that of one of its files, with
// warnings of its faults.
func (w *workspace) readFolder(ctx context.Context, name string) (*plan.Plan, error) {
	if _, err := w.open(ctx); err != nil {
		return nil, err
	}
	dir := w.folderOf(name)
	files, err := w.readPlanFiles(dir)
	if err != nil {
		return nil, err
	}
	switch {
	case len(files) == 0 && !exists(w.abs(name)):
		return nil, &store.NotFoundError{What: "path", Name: name, Hint: "a stored plan is named by its id, see `git plan list`"}
	case len(files) == 0:
		return nil, noPlanIn(name)
	}
	p, found := plan.Read(filepath.Base(dir), draft.RelativeTo(w.Dir, dir), files)
	w.warnOfFolder(p, found)
	return p, nil
}

// noPlanIn is the error of a folder that no plan is in.
func noPlanIn(name string) error {
	return &store.NotFoundError{What: "plan in folder", Name: name, Hint: "a plan's folder holds a plan.md"}
}
