package main

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/loop"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// planAccess finds the plan that a command means, reads it and edits it.
type planAccess struct {
	workspace
	plan string // that --plan names
}

// onePlan finds the plan that is meant where none is named: --plan, GIT_PLAN, the
// worktree's current plan, the only unfinished one.
func (w *planAccess) onePlan(ctx context.Context, s *store.Snapshot) (string, error) {
	if id, err := w.ownPlan(ctx, s); err != nil || id != "" {
		return id, err
	}
	return w.onlyUnfinished(ctx, s)
}

// nameOr gives a plan's name, or the plan that is meant without one.
func (w *planAccess) nameOr(ctx context.Context, s *store.Snapshot, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	return w.onePlan(ctx, s)
}

// ownPlan is the plan of this process or its worktree, or "". It may be archived. A
// plan that is gone is an error, so that no work goes to another one.
func (w *planAccess) ownPlan(ctx context.Context, s *store.Snapshot) (string, error) {
	if name := cmp.Or(w.plan, w.Getenv("GIT_PLAN")); name != "" || w.repo.WorkTree == "" {
		return name, nil
	}
	_, state, err := w.threads(ctx)
	if err != nil || state.Plan == "" {
		return "", err
	}
	if _, ok, err := s.Locate(ctx, state.Plan); err != nil || ok {
		return state.Plan, err
	}
	if !s.Exists() {
		return "", nil
	}
	return "", &store.NotFoundError{What: "plan", Name: state.Plan,
		Hint: "it was the current one here and is gone: choose another with `git plan use PLAN`, or begin one with `git plan start`"}
}

func (w *planAccess) onlyUnfinished(ctx context.Context, s *store.Snapshot) (string, error) {
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
	all, err := s.LoadAll(ctx, namesOf(summaries, func(sum store.Summary) store.Location { return sum.Location }))
	return namesOf(all, func(stored *store.Stored) *plan.Plan { return stored.Plan }), err
}

// loadPlan reads the plan that an argument names, or the one meant where the
// argument is empty. It gives the commit it was read at.
func (w *planAccess) loadPlan(ctx context.Context, name string) (*store.Stored, *store.Snapshot, error) {
	s, err := w.snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	return w.loadPlanFrom(ctx, s, name)
}

// loadToShow is loadPlan with warnings of what is wrong with the plan or the store.
func (w *planAccess) loadToShow(ctx context.Context, name string) (*store.Stored, *store.Snapshot, error) {
	stored, at, err := w.loadPlan(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	w.warnOfGates(ctx, at)
	w.warnOf(stored, name)
	stored, err = at.WithClaims(ctx, stored)
	return stored, at, err
}

// loadPlanFrom is loadPlan for a state of the store that was read already.
func (w *planAccess) loadPlanFrom(ctx context.Context, s *store.Snapshot, name string) (*store.Stored, *store.Snapshot, error) {
	name, err := w.nameOr(ctx, s, name)
	if err != nil {
		return nil, nil, err
	}
	at, id, err := resolve(ctx, s, name)
	if err != nil {
		return nil, nil, err
	}
	stored, err := at.Load(ctx, id)
	return stored, at, err
}

// resolve gives the state of the store that a plan's name means, and its id there.
func resolve(ctx context.Context, s *store.Snapshot, name string) (at *store.Snapshot, id string, err error) {
	address, ok := store.ParseAddress(name)
	if !ok {
		return nil, "", &store.NotFoundError{What: "plan", Name: name, Hint: "plan ids are kebab-case; see `git plan list`"}
	}
	at, err = s.Resolve(ctx, address)
	return at, address.Plan, err
}

// planOrFolder reads a plan, stored or in a folder, with warnings of its faults.
func (w *planAccess) planOrFolder(ctx context.Context, name string) (*plan.Plan, error) {
	if looksLikePath(name) {
		return w.readFolder(ctx, name)
	}
	stored, _, err := w.loadToShow(ctx, name)
	if err != nil {
		return nil, err
	}
	return stored.Plan, nil
}

// readFolder is folderPlan with warnings of the plan's faults.
func (w *planAccess) readFolder(ctx context.Context, name string) (*plan.Plan, error) {
	p, found, err := w.folderPlan(ctx, name, "")
	if err == nil {
		w.warnOfFolder(p, found)
	}
	return p, err
}

// folderPlan reads the plan in a folder, or in that of one of its files. Its id is
// the folder's name where none is given.
func (w *planAccess) folderPlan(ctx context.Context, name, id string) (*plan.Plan, []diag.Diagnostic, error) {
	if _, err := w.open(ctx); err != nil {
		return nil, nil, err
	}
	dir := w.folderOf(name)
	files, err := w.readPlanFiles(dir)
	switch {
	case err != nil:
		return nil, nil, err
	case len(files) == 0 && !exists(w.abs(name)):
		return nil, nil, &store.NotFoundError{What: "path", Name: name, Hint: "a stored plan is named by its id, see `git plan list`"}
	case len(files) == 0:
		return nil, nil, noPlanIn(name)
	}
	p, found := plan.Read(cmp.Or(id, filepath.Base(dir)), draft.RelativeTo(w.Dir, dir), files)
	return p, found, nil
}

// noPlanIn is the error of a folder that no plan is in.
func noPlanIn(name string) error {
	return &store.NotFoundError{What: "plan in folder", Name: name, Hint: "a plan's folder holds a plan.md"}
}

// edit commits a change of one plan, by default the one that is meant, and of
// tasks that the caller named; fn is given who acts, and when. It gives the plan
// as it is then. The caller ends with [workspace.afterChange].
func (w *planAccess) edit(ctx context.Context, id string, fn func(p *plan.Plan, by plan.Move) (store.Message, error)) (after *plan.Plan, result store.Result, err error) {
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
		})(ctx, s)
	})
	if err != nil {
		return after, result, err
	}
	for _, o := range result.Plans {
		if result.Repeated && o.ID == after.ID && o.After != nil {
			after = o.After // as it was made then
		}
	}
	return after, result, nil
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

// view is the plan as the agent of this process sees it.
func (w *planAccess) view(ctx context.Context, stored *store.Stored, named string) (loop.View, error) {
	v := loop.View{Plan: stored.Plan, Archived: stored.Archived(), At: w.repo.Now()}
	if named != "" || w.plan != "" {
		v.Named = " --plan " + stored.ID
	}
	var err error
	if v.Agent, err = w.repo.KnownAgent(ctx); err != nil {
		return v, err
	}
	if w.repo.WorkTree == "" {
		return v, nil
	}
	_, state, err := w.threads(ctx)
	v.Topic = state.Topic
	return v, err
}
